"""JUEL: what a `${...}` means, and what is refused by its name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.errors import (
    ExpressionError,
    InvalidSyntax,
    InvalidValue,
    LimitReached,
    MissingVariable,
    SyntaxRefused,
    TypeMismatch,
)
from bpmn.expressions.limits import Limits
from tests.bpmn.expressions.support import WHERE, evaluate

VALUES: dict[str, Any] = {
    "n": 3, "one": 1, "text": "abc", "yes": True, "nothing": None, "none": [], "list": [5, 6],
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
        ("'1.0'", "1.0", True),
        ("''", "0", True),
        ("'true'", "true", True),
        ("'TRUE'", "true", True),
        ("' true'", "true", False),
        ("'no'", "true", False),
        ("'anything'", "false", True),
        ("''", "false", True),
        ("null", "''", False),
        ("null", "0", False),
        ("null", "false", False),
        ("null", "null", True),
        ("1", "1.0", True),
        ("'abc'", "text", True),
        ("list", "list", True),
        ("'x'", "list", False),
    ],
)
def test_equality_reads_text_as_what_it_is_compared_with(left: str, right: str, same: bool) -> None:
    assert evaluate(f"${{{left} == {right}}}", **VALUES) is same
    assert evaluate(f"${{{right} != {left}}}", **VALUES) is not same


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        ("1", "2", -1),
        ("'5'", "3", 1),
        ("'10'", "9", 1),
        ("'10'", "'9'", -1),
        ("'2.5'", "1.5", 1),
        ("''", "1", -1),
        ("'b'", "'a'", 1),
        ("true", "'truth'", -1),
        ("3", "3.0", 0),
    ],
)
def test_an_order_is_that_of_numbers_where_one_side_is_a_number_else_that_of_text(
    left: str, right: str, order: int
) -> None:
    found = [evaluate(f"${{{left} {sign} {right}}}") for sign in ("<", "<=", ">", ">=")]
    assert found == [order < 0, order <= 0, order > 0, order >= 0]


@pytest.mark.parametrize("other", ["1", "0", "'a'", "''", "true", "list", "order"])
def test_null_is_neither_less_nor_more_than_anything(other: str) -> None:
    for left, right in ((other, "null"), ("nothing", other)):
        assert [evaluate(f"${{{left} {sign} {right}}}", **VALUES) for sign in ("<", "<=", ">", ">=")] == [False] * 4


def test_null_is_as_much_as_null() -> None:
    assert [evaluate(f"${{null {sign} nothing}}", **VALUES) for sign in ("<", "<=", ">", ">=")] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${null + 1}", 1),
        ("${1 - nothing}", 1),
        ("${null * 3}", 0),
        ("${null + null}", 0),
        ("${null / null}", 0),
        ("${null / 2}", 0.0),
        ("${null % 2}", 0),
        ("${-nothing}", 0),
        ("${-'2'}", -2),
        ("${-'2.5'}", -2.5),
        ("${'5' + 3}", 8),
        ("${'5' + '3'}", 8),
        ("${'5.0' + 3}", 8.0),
        ("${'1e1' * 1}", 10.0),
        ("${'' + 1}", 1),
        ("${6 / 2}", 3.0),
        ("${-7 % 3}", -1),
        ("${7 % -3}", 1),
        ("${-7.5 % 2}", -1.5),
        ("${null and yes}", False),
        ("${'true' and not 'x'}", True),
        ("${'' ? 1 : 2}", 2),
        ("${null ? 1 : 2}", 2),
        ("${empty order and empty 0}", False),
        ("${list['0']}", 5),
        ("${list[-1]}", None),
        ("${list[1.0]}", 6),
        ("${list[null]}", None),
        ("${'5'.equals(5)}", False),
        ("${n.equals(3.0)}", False),
        ("${n.equals(3)}", True),
        ("${text.concat('d').replace('b', '').lastIndexOf('d')}", 2),
        ("${text.substring(1, 3)}", "bc"),
        ("${order.getOrDefault('total', 1) + order.getOrDefault('gone', 1)}", 8),
        ("${order.containsValue(7) and not order.containsKey('gone')}", True),
        ("${' '.isBlank() and ''.isEmpty() and none.isEmpty()}", True),
    ],
)
def test_operands_are_made_to_fit_as_the_specification_says(text: str, value: Any) -> None:
    found = evaluate(text, **VALUES)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("${text + 'd'}", r"`text \+ 'd'`: text is text 'abc' \(str\); allowed: a whole number, text that is one, or"),
        ("${1 + text}", r"text is text 'abc' \(str\)"),
        ("${'5.5' > 3}", r"'5\.5' is text \(str\)"),
        ("${text == 1}", r"text is text 'abc' \(str\)"),
        ("${1 == yes}", "yes is the truth value True"),
        ("${yes > 1}", "yes is the truth value True"),
        ("${yes < yes}", "< takes numbers, text and null"),
        ("${list > 'a'}", "< takes numbers|> takes numbers"),
        ("${list == 1}", "list is a list of 2 items"),
        ("${list == yes}", "a list of 2 items"),
        ("${order + 1}", "order is an object with 2 fields"),
        ("${-yes}", "yes is the truth value True"),
        ("${n and yes}", "the number 3"),
        ("${n ? 1 : 2}", "the number 3"),
        ("${text[0]}", "text is text 'abc'"),
        ("${list['x']}", "'x' is text"),
        ("${text}${order}", "an object with 2 fields"),
        ("${nothing.equals('a')}", "nothing is nothing \\(None\\); allowed: a value, for null has no methods"),
        ("${nothing.isEmpty()}", "nothing is nothing"),
        ("${n.size()}", "n is the number 3"),
        ("${text.contains(1)}", "1 is a number"),
        ("${order.contains(1)}", "text or a list"),
    ],
)
def test_what_cannot_be_made_to_fit_is_told_with_its_type(text: str, says: str) -> None:
    with pytest.raises(TypeMismatch, match=says):
        evaluate(text, **VALUES)


@pytest.mark.parametrize("text", ["${1 / 0}", "${1 / null}", "${1 % null}", "${1.5 % 0}", "${text.substring(4)}"])
def test_what_has_no_value_is_an_error(text: str) -> None:
    with pytest.raises(InvalidValue):
        evaluate(text, **VALUES)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("get(n)", 3),
        ("get('n')", 3),
        ("get(gone)", None),
        ("getOrDefault(gone, 4)", 4),
        ("getOrDefault(nothing, 4)", 4),
        ("getOrDefault(n, 4)", 3),
        ("exists(n)", True),
        ("exists(gone)", False),
        ("exists(nothing)", False),
        ("isEmpty(gone)", True),
        ("isEmpty(none)", True),
        ("empty(text)", False),
        ("isNotEmpty(list)", True),
        ("notEmpty(nothing)", False),
        ("eq(n, 3)", True),
        ("eq(n, 3.0)", True),
        ("equals(n, '3')", False),
        ("eq(gone, null)", True),
        ("eq(gone, 1)", False),
        ("eq(yes, 1)", False),
        ("eq(one, true)", False),
        ("ne(one, 1.0)", False),
        ("ne(text, 'abd')", True),
        ("notEquals(gone, null)", False),
        ("lt(n, 4)", True),
        ("lessThan(n, 3)", False),
        ("lowerThan(n, 3.5)", True),
        ("lte(n, 3)", True),
        ("lessThanOrEquals(n, 2)", False),
        ("lowerThanOrEquals(n, 3)", True),
        ("gt(n, 2)", True),
        ("greaterThan(n, 3)", False),
        ("gte(n, 3)", True),
        ("greaterThanOrEquals(text, 'abd')", False),
        ("gt(gone, 2)", False),
        ("lte(nothing, 2)", False),
        ("contains(list, 5)", True),
        ("contains(list, 5, 7)", False),
        ("contains(text, 'a', 'bc')", True),
        ("contains(order, 'total')", True),
        ("contains(gone, 1)", False),
        ("containsAny(list, 5, 7)", True),
        ("containsAny(list, '5', 7)", False),
        ("containsAny(gone, 1)", False),
        ("base64(text)", "YWJj"),
        ("base64(gone)", None),
    ],
)
@pytest.mark.parametrize("prefix", ["var", "vars", "variables"])
def test_functions_on_variables_of_flowable(prefix: str, call: str, value: Any) -> None:
    found = evaluate(f"${{{prefix}:{call}}}", **VALUES)
    assert (found, type(found)) == (value, type(value))


def test_functions_on_variables_stand_in_expressions_and_are_read() -> None:
    text = "${yes ? vars:getOrDefault('m', n) > 2 and not var:isEmpty(text) : variables:exists(q)}"
    assert evaluate(text, **VALUES) is True
    assert compile_condition(text, where=WHERE).names == {"yes", "m", "n", "text", "q"}


@pytest.mark.parametrize("call", ["var:gt(text, 1)", "var:lt(n, '4')", "var:contains(n, 1)", "var:base64(n)"])
def test_functions_on_variables_guess_no_types(call: str) -> None:
    with pytest.raises(TypeMismatch):
        evaluate(f"${{{call}}}", **VALUES)


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
        ("${var:equal(a, 1)}", "the function var:equal (did you mean var:equals"),
        ("${vars:isEmtpy(a)}", "did you mean vars:isEmpty"),
        ("${isEmpty(a)}", "the function isEmpty (did you mean var:isEmpty"),
        ("${fn:length(a)}", "the function fn:length"),
        ("${var:eq(a)}", "var:eq with these arguments"),
        ("${var:get()}", "var:get with these arguments"),
        ("${var:get(a + 1)}", "the name of a variable"),
        ("${var:get(1)}", "the name of a variable"),
        ("${var:exists(a, 1)}", "var:exists with these arguments"),
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


@pytest.mark.parametrize(
    "text",
    ["${text.replace('a', text)}", "${text.concat(text)}", "${text}${text}", "${empty text ? 1 : text.concat('abc')}"],
)
def test_no_text_is_longer_than_the_limit(text: str) -> None:
    program = compile_condition(text, where=WHERE)
    program.evaluate({"text": "aaa"}, Limits(text=9))
    with pytest.raises(LimitReached, match=r"claims\.bpmn:42: flow_3: .*characters in one text"):
        program.evaluate({"text": "aaaaaa"}, Limits(text=8))


def test_a_large_number_is_no_work() -> None:
    with pytest.raises(LimitReached, match="bits in one whole number"):
        evaluate("${'" + "9" * 390 + "' + 1}")
    with pytest.raises(TypeMismatch):
        evaluate("${'" + "9" * 5000 + "' + 1}")


def test_comparing_large_objects_takes_steps() -> None:
    with pytest.raises(LimitReached):
        compile_condition("${a == b}", where=WHERE).evaluate(
            {"a": [[1] * 100] * 100, "b": [[1] * 100] * 100}, Limits(steps=50)
        )
