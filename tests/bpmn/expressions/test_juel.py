"""JUEL: what a `${...}` means, and what is refused by its name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.errors import ExpressionError, InvalidSyntax, MissingVariable, SyntaxRefused, TypeMismatch
from tests.bpmn.expressions.support import WHERE, evaluate

VALUES: dict[str, Any] = {
    "n": 3, "text": "abc", "yes": True, "nothing": None, "none": [], "list": [5, 6],
    "order": {"total": 7, "gold": True},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${n}", 3),
        ("  #{ n }  ", 3),
        ("${n + 1 * 2}", 5),
        ("${(n + 1) * 2}", 8),
        ("${-n}", -3),
        ("${n / 2}", 1.5),
        ("${7 div 2}", 3.5),
        ("${7 mod 4 % 2}", 1),
        ("${1 == 1 ? 'a' : 'b'}", "a"),
        ("${n gt 2 and not (n ge 4)}", True),
        ("${n > 2 && n <= 3 || false}", True),
        ("${!yes}", False),
        ("${empty none && empty nothing && empty ''}", True),
        ("${empty list}", False),
        ("${order.total}", 7),
        ("${order['total']}", 7),
        ("${list[1]}", 6),
        ("${order.gone}", None),
        ("${order.gone.deeper}", None),
        ("${list[9]}", None),
        ("${nothing == null}", True),
        ("${text eq 'abc'}", True),
        ("${text.toUpperCase().contains('B')}", True),
        ('${text.equals("abc")}', True),
        ("${list.size() + text.length()}", 5),
        ("${list.contains(5) and order.containsKey('total')}", True),
        ("${order.get('total')}", 7),
        ("${execution.getVariable('n')}", 3),
        ("${execution.getVariable('other') == null}", True),
        ("${execution.hasVariable('n')}", True),
        ("${yes ? 'a' : not (n == 3)}", "a"),
        ("${order.empty}", None),
        ("${'it\\'s'}", "it's"),
        ("${\"a}b\"}", "a}b"),
        ("n is ${n} and ${yes}, ${nothing}.", "n is 3 and true, ."),
        ("${text}${n}", "abc3"),
        ("${1.5e1}", 15.0),
        ("${true}", True),
    ],
)  # fmt: skip
def test_values(text: str, value: Any) -> None:
    found = evaluate(text, **VALUES)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("'1'", "1", True),
        ("'x'", "1", False),
        ("'true'", "true", True),
        ("'no'", "true", False),
        ("'anything'", "false", True),
        ("null", "''", False),
        ("1", "1.0", True),
        ("1", "true", False),
    ],
)
def test_equality_reads_text_as_what_it_is_compared_with(left: str, right: str, same: bool) -> None:
    assert evaluate(f"${{{left} == {right}}}") is same
    assert evaluate(f"${{{right} != {left}}}") is not same


@pytest.mark.parametrize(
    ("text", "holds"), [("${'false'}", False), ("${'TRUE'}", True), ("${nothing}", False), ("${yes}", True)]
)
def test_truth_where_a_condition_stands(text: str, holds: bool) -> None:
    assert compile_condition(text, where=WHERE).holds(VALUES) is holds


def test_a_number_is_no_condition() -> None:
    with pytest.raises(TypeMismatch, match="the number 3"):
        compile_condition("${n}", where=WHERE).holds(VALUES)


def test_a_missing_variable_is_named_with_its_flow() -> None:
    with pytest.raises(MissingVariable, match=r"claims\.bpmn:42: flow_3: `m`: there is no variable m"):
        evaluate("${m > 1}", n=1)


def test_types_that_do_not_go_together_are_named() -> None:
    with pytest.raises(TypeMismatch, match=r"text is text 'abc' \(str\)"):
        evaluate("${text > 1}", **VALUES)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("${bean.pay(order)}", "bean.pay()"),
        ("${var:eq(a, 1)}", "var:eq"),
        ("${now()}", "now"),
        ("${execution.id}", "execution.id"),
        ("${execution.setVariable('a', 1)}", "execution.setVariable"),
        ("${text.contain('a')}", "did you mean contains"),
        ("${text.contains()}", "contains with 0 arguments"),
    ],
)
def test_what_may_not_be_called_is_refused_by_its_name(text: str, named: str) -> None:
    with pytest.raises(SyntaxRefused) as caught:
        compile_condition(text, where=WHERE)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["${", "${}", "${a", "${a +}", "${a b}", "${(a}", "${a.}", "${@}", "${a ? b}", "${'a}", "${" + "(" * 200],
)
def test_broken_text(text: str) -> None:
    with pytest.raises(InvalidSyntax):
        compile_condition(text, where=WHERE)


def test_text_without_a_placeholder_is_no_juel() -> None:
    with pytest.raises(InvalidSyntax, match="there is no placeholder"):
        compile_condition("approved", where=WHERE, language="juel")


def test_juel_is_no_language_for_scripts() -> None:
    with pytest.raises(SyntaxRefused):
        compile_script("${a}", where=WHERE)


def test_it_knows_the_variables_it_reads() -> None:
    program = compile_condition("${a.b > execution.getVariable('c')} ${d}", where=WHERE)
    assert (program.names, program.language) == ({"a", "c", "d"}, "juel")


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.text(alphabet="${}#ab1.'\"()[]?:!&|=<>+-*/% \\,é\n", max_size=30))
def test_any_text_is_compiled_or_refused(text: str) -> None:
    try:
        program = compile_condition("${" + text + "}", where=WHERE)
        program.evaluate({"a": {"b": 1}, "b": [1]})
    except ExpressionError as error:
        assert error.site is not None  # noqa: PT017


@pytest.mark.parametrize("depth", [50, 100, 200, 1000, 4000])
@pytest.mark.parametrize(
    ("before", "middle", "after"),
    [("(", "1", ")"), ("!", "yes", ""), ("- ", "n", ""), ("yes ? 1 : ", "2", ""), ("", "order", "[order"),
     ("", "order", ".total"), ("", "1", "+1"), ("", "yes", " and yes")],
)  # fmt: skip
def test_however_deep_it_is_a_value_or_an_error_that_says_where(
    before: str, middle: str, after: str, depth: int
) -> None:
    closing = "]" * depth if "[" in after else ""
    with suppress(ExpressionError):
        evaluate(f"${{{before * depth}{middle}{after * depth}{closing}}}", **VALUES)
