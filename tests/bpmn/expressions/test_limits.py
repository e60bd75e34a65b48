"""Runs that would take too long or too much end at a limit, and soon."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from time import process_time

import pytest

from bpmn.expressions.errors import InvalidValue, LimitReached, TypeMismatch
from bpmn.expressions.limits import DEFAULT_LIMITS, Limits
from tests.bpmn.expressions.support import evaluate, execute

DOUBLED = "x = [1]\ny = [1]\nfor i in range(90):\n    x = [x, x]\n    y = [y, y]\n"
"""Two lists with 2**90 paths inside: built in no time, walked never."""
LONG = "s = 'a' * 500000\nn = 'ab' + 'a' * 200000\n"
"""A text and what to look for in it, so that naive search takes the product of both."""


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("while True: pass", "steps"),
        ("while True:\n    if True: continue", "steps"),
        ("xs = [1]\nfor x in xs: xs.append(x)", "items"),
        ("x = [1 for a in range(999) for b in range(999) for c in range(999)]", "items"),
        ("x = any(0 for a in range(9999) for b in range(9999))", "steps"),
        ("x = 9 ** 99999999", "integer_bits"),
        ("x = 2\nwhile True: x **= 2", "integer_bits"),
        ("x = 3\nwhile True: x *= x", "integer_bits"),
        ("x = 1 << 99999999", "integer_bits"),
        ("x = -1 << 99999999", "integer_bits"),
        ("x = int('1' * 9999)", "integer_bits"),
        ("x = 'a' * 99999999999", "text"),
        ("x = 99999999999 * [0]", "items"),
        ("x = [0]\nwhile True: x *= 2", "items"),
        ("x = [0]\nwhile True: x += x", "items"),
        ("x = 'a'\nwhile True: x += x", "text"),
        ("x = range(9999999999)", "items"),
        ("x = 'a'.center(9999999999)", "text"),
        ("x = 'a'.zfill(9999999999)", "text"),
        ("x = ('a' * 9999).replace('', 'b' * 9999)", "text"),
        ("x = ('a' * 9999).join(['b'] * 9999)", "text"),
        ("x = str(['a' * 9999] * 9999)", "text"),
        ("x = f'{[1] * 9999:}' * 999", "text"),
        ("x = ('{0}' * 999).format('a' * 9999)", "text"),
        ("x = ('a ' * 400000).split()", "items"),
        ("s = 'x' * 100000\nx = []\nwhile True: x.append(s + 'y')", "steps"),
        ("s = [0] * 99999\nx = []\nwhile True: x.append(s[:])", "steps"),
        ("x = {}\ni = 0\nwhile True:\n    x[i] = i\n    i += 1", "items"),
        (DOUBLED, "result"),
        (DOUBLED + "z = x == y", ""),
        (DOUBLED + "z = x < y", ""),
        (DOUBLED + "z = [1] in x", ""),
        (DOUBLED + "z = x.index([1])", ""),
        (DOUBLED + "z = sorted([x, y])", ""),
        (DOUBLED + "z = str(x)", ""),
        ("x = []\nx.append(x)", "depth"),
        ("x = []\nx.append(x)\ny = str(x)", "depth"),
        ("x = []\nfor i in range(9999): x = [x]", "depth"),
        ("x = []\nfor i in range(9999): x = [x]\ny = x == [x]", "depth"),
        ("x = []\nfor i in range(150): x = [x]\ny = x == [x]\nx = 1", "depth"),
        ("x = ['a' * 900000] * 9999\ny = ['a' * 899999 + 'a'] * 9999\nz = x == y", "steps"),
        (LONG + "for i in range(999): s.rfind(n)", "steps"),
        (LONG + "for i in range(999): s.find(n)", "steps"),
        (LONG + "for i in range(999): n in s", "steps"),
        (LONG + "for i in range(999): s.strip(n)", "steps"),
        (LONG + "for i in range(999): s.rsplit(n)", "steps"),
        ("s = 'x' * 500000\n" + "\n".join(f"s{i} = s + '{i}'" for i in range(999)), "steps"),
    ],
)
def test_bomb(text: str, limit: str) -> None:
    began = process_time()
    with pytest.raises(LimitReached) as caught:
        execute(text, Limits(steps=300_000, seconds=1.0))
    assert caught.value.limit == limit or not limit
    assert process_time() - began < 5


@pytest.mark.parametrize(
    "text", ["f'{1:>9999}'", "f'{1:>{w}}'", "f'{1.5:.9999f}'", "'{:{}}'.format(1, w)"]
)
def test_sizes_of_formats_are_bounded(text: str) -> None:
    with pytest.raises(InvalidValue, match=r"wider than 1000|there is no format"):
        evaluate(text, w=10**9)


def test_rounding_far_away_is_no_work() -> None:
    assert evaluate("[round(x, digits) for x in [5, 2.5] for digits in [-10 ** 9, 10 ** 9]]") == [0, 5, 0, 2.5]


def test_keys_that_collide_are_refused() -> None:
    with pytest.raises(InvalidValue, match="too large for a key"):
        execute("x = {i * (2 ** 61 - 1) for i in range(9)}")
    with pytest.raises(TypeMismatch, match="keys, and what is in a set"):
        execute("x = {}\nx[1, 2] = 3")


def test_text_without_loops_takes_no_step() -> None:
    assert execute("x = n + 1\nif x > 3 and 'a' in s: y = x * 2", Limits(steps=0), n=3, s="abc").set == {"x": 4, "y": 8}
    with pytest.raises(LimitReached):
        execute("for i in [1]: pass", Limits(steps=0))


def test_steps_are_counted_exactly() -> None:
    assert execute("for i in xs: pass", Limits(steps=1500), xs=[0] * 1500).set == {"i": 0}
    with pytest.raises(LimitReached):
        execute("for i in xs: pass", Limits(steps=1499), xs=[0] * 1500)


def test_a_longer_body_costs_more() -> None:
    body = "\n".join(f"    x{i} = 1" for i in range(100))
    for loop in ("for i in xs", "while n"):
        with pytest.raises(LimitReached):
            execute(f"{loop}:\n{body}\n    n -= 1", Limits(steps=1500), xs=[0] * 1400, n=1400)


def test_sorting_costs_more_than_reading() -> None:
    numbers = list(range(16000))
    assert evaluate("len(list(xs))", Limits(steps=5000), xs=numbers) == 16000
    with pytest.raises(LimitReached):
        evaluate("len(sorted(xs))", Limits(steps=5000), xs=numbers)


def test_time_is_looked_at_by_the_clock_given() -> None:
    ticks: Iterator[int] = count()
    slow = Limits(seconds=5, clock=lambda: next(ticks))
    with pytest.raises(LimitReached, match="5 seconds of computing"):
        execute("while True: pass", slow)
    assert next(ticks) == 7
    assert execute("for i in xs: pass", slow, xs=[0] * 3000).set == {"i": 0}


def test_values_at_the_limits_pass() -> None:
    limits = Limits(text=5, items=3, integer_bits=8, depth=2)
    assert execute("a = 'xy' + 'xyz'; b = [1] + [2, 3]; c = 15 * 17; d = [[1]]", limits).set == {
        "a": "xyxyz",
        "b": [1, 2, 3],
        "c": 255,
        "d": [[1]],
    }
    for text in ("[[[1]]]", "'xyz' * 2", "[1, 2] + [3, 4]", "16 * 16 * 1"):
        with pytest.raises(LimitReached):
            execute(f"x = {text}", limits)


def test_the_defaults_leave_room_for_honest_work() -> None:
    rows = [{"id": i, "text": f"row {i}", "amount": i * 1.5} for i in range(5000)]
    text = "big = [{'id': r.id, 'label': f'{r.text}: {r.amount:.2f}'} for r in rows if r.amount > 10]\nn = len(big)"
    assert execute(text, DEFAULT_LIMITS, rows=rows).set["n"] == 4993
