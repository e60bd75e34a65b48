"""What expressions give."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import MissingKey, TypeMismatch
from tests.bpmn.expressions.support import WHERE, evaluate, spelled

CLAIM = {"amount": 120.5, "lines": [{"qty": 2, "price": 3}, {"qty": 1, "price": 10}], "items": "a field", "état": 1}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("amount > 5", True),
        ("1 < amount <= 7 != 8", True),
        ("1 < amount < 3 < 1 / 0", False),
        ("claim.amount", 120.5),
        ("claim['amount'] + 1", 121.5),
        ("claim.lines[-1].price", 10),
        ("claim.items", "a field"),
        ("claim.état", 1),
        ("len(claim.keys())", 4),
        ("claim.get('missing', 'none')", "none"),
        ("sum(line.qty * line.price for line in claim.lines)", 16),
        ("[line.qty for line in claim.lines if line.price > 5]", [1]),
        ("{line.price: line.qty for line in claim.lines}[10]", 1),
        ("[x * y for x in [1, 2] for y in [x, 10]]", [1, 10, 4, 20]),
        ("[amount for amount in [1]] == [1] and amount", 7),
        ("any(line.price > 5 for line in claim.lines)", True),
        ("any(x > 1 for x in [5, 'text'])", True),
        ("all(x > 1 for x in [0, 'text'])", False),
        ("f'{amount:>5}|{claim.amount:.2f}|{name!r}|{amount:0{amount}d}'", "    7|120.50|'Ada'|0000007"),
        ("'{:,.2f} {a} {0!r:>6}'.format(1234.5, a=3) if False else '{:,.2f} {}'.format(1234.5, 3)", "1,234.50 3"),
        ("'{0}{a}{0!r:>4}{{}}'.format('x', a=1)", "x1 'x'{}"),
        ("name.upper()[1:] + name[::-1]", "DAadA"),
        ("[*[1, 2], 3], {**{'a': 1}, 'b': 2}", [[1, 2, 3], {"a": 1, "b": 2}]),
        ("not name or nothing is None and nothing is not True", True),
        ("'d' in name and 7 in [1, amount] and 'amount' in claim and 3 not in {1, 2}", True),
        ("{3, 1, 2}", [1, 2, 3]),
        ("list({'b', 'c', 'a'})", ["a", "b", "c"]),
        ("str({'b', 'a'}) + str([{'b', 'a'}, ()])", "{'a', 'b'}[{'a', 'b'}, ()]"),
        ("[pair for pair in zip('ab', range(5))]", [["a", 0], ["b", 1]]),
        ("dict(enumerate('ab', 1))[2]", "b"),
        ("sorted([3, 1, 2], reverse=True) + reversed([1, 2])", [3, 2, 1, 2, 1]),
        ("max(3, 1) + min([4, 2]) + max([], default=0)", 5),
        ("round(2.567, 2)", 2.57),
        ("7 // 2, -7 % 3, 2 ** 10, 1 << 4, 6 & 3, 6 | 1, 6 ^ 3, ~1", [3, 2, 1024, 16, 2, 7, 5, -2]),
        ("int('12') + int('ff', 16) + float('1.5')", 268.5),
        ("','.join(str(x) for x in [1, 2])", "1,2"),
        ("1 if amount > 5 else 2", 1),
        ("amount > 5\n  and name == 'Ada'  # over two lines", True),
        ("  amount\n", 7),
        ("sum", 9),
    ],
)
def test_value(text: str, value: Any) -> None:
    given = evaluate(text, amount=7, claim=CLAIM, name="Ada", nothing=None, sum=9)
    assert spelled(given) == spelled(value)


def test_a_field_is_read_from_an_object_and_never_from_the_python_value() -> None:
    with pytest.raises(MissingKey):
        evaluate("claim.keys", claim={"a": 1})
    with pytest.raises(TypeMismatch):
        evaluate("name.upper", name="Ada")


def test_a_result_shares_nothing_with_the_variables() -> None:
    lines = [{"qty": 1}]
    result = evaluate("lines", lines=lines)
    result[0]["qty"] = 2
    assert lines == [{"qty": 1}]


def test_a_program_is_used_again_with_other_variables() -> None:
    program = compile_condition("[n + i for i in range(2)]", where=WHERE)
    assert [program.evaluate({"n": n}) for n in (1, 5)] == [[1, 2], [5, 6]]


def test_names_are_those_of_variables_alone() -> None:
    program = compile_condition("[len(x) + y for x in claim.lines if z] + x", where=WHERE)
    assert program.names == {"claim", "x", "y", "z"}
    assert program.writes == frozenset()
    assert program.where is WHERE


def test_an_expression_changes_nothing_when_executed() -> None:
    assert compile_condition("x + 1", where=WHERE).execute({"x": 1}) == ({}, frozenset())


@pytest.mark.parametrize(
    ("value", "holds"), [(True, True), (False, False), (None, False), (0, False), (2, True), ([], False), ([0], True)]
)
def test_what_holds_as_a_condition(value: Any, holds: bool) -> None:
    assert compile_condition("x", where=WHERE).holds({"x": value}) is holds


@pytest.mark.parametrize("text", ["x", "y['z']", "x or x", "str(1) and x"])
@pytest.mark.parametrize("value", ["false", "no", "", "yes"])
def test_a_text_is_no_condition_for_false_would_hold(text: str, value: str) -> None:
    program = compile_condition(text, where=WHERE)
    with pytest.raises(TypeMismatch) as caught:
        program.holds({"x": value, "y": {"z": value}})
    assert f"flow_3: `{text}`: the condition gives text " in str(caught.value)
    assert "(str); allowed: True, False" in str(caught.value)
