"""What scripts change."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.expressions.compiler import compile_script
from bpmn.expressions.errors import ExpressionError, MissingVariable
from bpmn.expressions.program import Changes
from tests.bpmn.expressions.support import WHERE, execute, spelled


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("x = 1", {"x": 1}),
        ("x = y = n + 1", {"x": 4, "y": 4}),
        ("a, (b, *c), d = 1, 'xyz', [2]", {"a": 1, "b": "x", "c": ["y", "z"], "d": [2]}),
        ("n, m = m, n", {"n": 4, "m": 3}),
        ("n += 1; n *= 2", {"n": 8}),
        ("rows[0].done = True", {"rows": [{"done": True}, {"done": False}]}),
        ("rows[1]['done'] += 1", {"rows": [{"done": False}, {"done": 1}]}),
        ("rows[0:1] = [1, 2]", {"rows": [1, 2, {"done": False}]}),
        ("row = rows[0]\nrow.done = 1\ndel row", {"rows": [{"done": 1}, {"done": False}]}),
        ("rows.append(n)\nrows.reverse()", {"rows": [3, {"done": False}, {"done": False}]}),
        ("del rows[0], rows[0].done", {"rows": [{}]}),
        ("rows += (n,)", {"rows": [{"done": False}, {"done": False}, 3]}),
        ("x = [1]\nx *= 2\nx += 'ab'", {"x": [1, 1, "a", "b"]}),
        ("x = {1, 2}\nx |= {3}\nx -= {1}\nx.add(9)", {"x": [2, 3, 9]}),
        ("x = {'a': 1}\nx |= {'b': 2}\nx.update(c=3)\nx.pop('a')", {"x": {"b": 2, "c": 3}}),
        ("x = {'a': 1}\ny = x.setdefault('a', 2) + x.setdefault('b', 3)", {"x": {"a": 1, "b": 3}, "y": 4}),
        ("if n > 5:\n    x = 1\nelif n > 2:\n    x = 2\nelse:\n    x = 3", {"x": 2}),
        ("t = 0\nfor i in range(9):\n    if i == 1: continue\n    if i == 4: break\n    t += i", {"t": 5, "i": 4}),
        ("for i in []: pass\nelse: x = 1", {"x": 1}),
        ("i = 0\nwhile True:\n    i += 1\n    if i > 3: break\nelse: x = 1", {"i": 4}),
        ("while n: n -= 1\nelse: x = 1", {"n": 0, "x": 1}),
        ("x = [i for i in range(3)]", {"x": [0, 1, 2]}),
        ("x = {1: 'a'}[True], (1, {2})", {"x": ["a", [1, [2]]]}),
        ("'text'\npass", {}),
        ("", {}),
        ("\n    x = 1\n    y = 2\n", {"x": 1, "y": 2}),
        ("x = 1\r\ny = 2\r\n", {"x": 1, "y": 2}),
    ],
)
def test_changed(text: str, changed: dict[str, Any]) -> None:
    changes = execute(text, n=3, m=4, rows=[{"done": False}, {"done": False}])
    assert spelled(changes.set) == spelled({name: changed[name] for name in changes.set | changed})
    assert changes.deleted == frozenset()


def test_deleted_variables_are_told_unless_they_are_assigned_again() -> None:
    changes = execute("del x, (y, z)\ny = 1\ndel w\nw = 2\ndel w\nt = 1\ndel t", x=1, y=1, z=1, w=1)
    assert changes == Changes({}, frozenset("xzw"))


@pytest.mark.parametrize("text", ["del x", "del y\ndel y", "del y\nz = y", "x += 1", "z = x"])
def test_a_variable_that_is_not_there_is_missed(text: str) -> None:
    with pytest.raises(MissingVariable):
        execute(text, y=1)


@pytest.mark.parametrize(("old", "same"), [(1, True), (True, False), (1.0, False), ("1", False), (None, False)])
def test_an_equal_value_of_the_same_type_is_no_change(old: Any, same: bool) -> None:
    assert execute("x = 1", x=old).set == ({} if same else {"x": 1})
    assert execute("x = [{'k': 1}]", x=[{"k": old}]).set == ({} if same else {"x": [{"k": 1}]})


def test_written_and_put_back_is_no_change() -> None:
    assert execute("rows[0].a = 2\nrows[0].a = 1", rows=[{"a": 1}]).set == {}


def test_unchanged_parts_are_the_objects_that_went_in() -> None:
    claim: dict[str, Any] = {"lines": [{"qty": 1}, {"qty": 2}], "notes": {"a": []}}
    changed = execute("claim.lines[1].qty = 3", claim=claim).set["claim"]
    assert changed == {"lines": [{"qty": 1}, {"qty": 3}], "notes": {"a": []}}
    assert changed["notes"] is claim["notes"]
    assert changed["lines"][0] is claim["lines"][0]


def test_two_results_do_not_share_what_the_script_shared() -> None:
    changes = execute("a = b = [[]]")
    assert changes.set["a"] is not changes.set["b"]
    assert changes.set["a"][0] is not changes.set["b"][0]


def test_reads_and_writes() -> None:
    program = compile_script(
        "total = 0\nfor line in claim.lines:\n    total += line.price\nlast = rows[-1]\nlast.seen = True\ndel old",
        where=WHERE,
    )
    assert program.names == {"claim", "rows", "line", "last", "total", "old"}
    assert program.writes == {"total", "line", "last", "rows", "old"}


def test_names_and_writes_are_enough_to_pass() -> None:
    program = compile_script("x = n\nrows[0].a = n", where=WHERE)
    variables = {"x": 3, "n": 3, "rows": [{"a": 3}], "other": 1}
    needed = {name: variables[name] for name in program.names | program.writes}
    assert program.execute(needed) == program.execute(variables) == ({}, frozenset())


def test_a_script_has_the_value_of_its_last_expression() -> None:
    program = compile_script("x = n + 1\nx * 2", where=WHERE)
    assert program.evaluate({"n": 1}) == 4
    assert program.execute({"n": 1}).set == {"x": 2}
    assert compile_script("x = 1", where=WHERE).evaluate({}) is None


def test_a_script_that_fails_has_changed_nothing() -> None:
    rows = [1]
    with pytest.raises(ExpressionError):
        execute("rows.append(2)\nrows[9] = 1", rows=rows)
    assert rows == [1]
