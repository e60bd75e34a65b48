"""What is said where an expression gives no value, and what is refused."""

from __future__ import annotations

import pytest

from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import (
    ExpressionError,
    InvalidSyntax,
    InvalidValue,
    LimitReached,
    MissingKey,
    MissingVariable,
    NotJson,
    SyntaxRefused,
    TypeMismatch,
    UnknownFunction,
)
from bpmn.expressions.limits import Limits
from tests.bpmn.expressions.support import WHERE, evaluate


def failed(text: str, kind: type[ExpressionError], limits: Limits | None = None, /, **variables: object) -> str:
    with pytest.raises(kind) as caught:
        evaluate(text, *(() if limits is None else (limits,)), **variables)
    assert (caught.value.site.where.file, caught.value.site.where.element) == ("claims.bpmn", "flow_3")
    return str(caught.value)


def test_a_comparison_names_both_sides_and_their_types() -> None:
    message = failed("= amount > 100", TypeMismatch, amount="lots")
    assert "claims.bpmn:42: flow_3: `amount > 100`" in message
    assert "amount is text 'lots' (string), 100 is a number (number)" in message


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("= amout + 1", MissingVariable, "there is no variable amout; did you mean amount?"),
        ("= order.itms", MissingKey, "no field 'itms'; did you mean items?"),
        ("= amount + name", TypeMismatch, "amount is the number 5 (number), name is text 'Ada' (string)"),
        ("= 1 / 0", InvalidValue, "division by zero"),
        ("= uper case(name)", UnknownFunction, "there is no function uper case; did you mean upper case"),
        ('= abs("x")', TypeMismatch, "n is text 'x' (string); allowed: days and time duration or number or"),
        ("= abs(1, 2)", InvalidValue, "abs does not take these arguments (2); allowed: abs(n: number | duration)"),
        ("= amount(1)", UnknownFunction, "there is no function amount"),
        ("= {a: 1, r: a(1)}.r", TypeMismatch, "the value is the number 1 (number); allowed: a function"),
        ("= -name", TypeMismatch, "a number or a duration"),
        ('= date("2024-02-30")', InvalidValue, "'2024-02-30' is no date"),
        ("= amount between 1 and name", TypeMismatch, "name is text"),
        ("= for i in nothing return i", TypeMismatch, "a list, or a range of whole numbers or dates"),
        ("= order.total and true", MissingKey, "total"),
        ("= amount instance of colour", InvalidValue, "there is no type colour"),
        ("= order.items instance of list", InvalidValue, "the type list does not say of what: list<...>"),
        ("= [9..1]", TypeMismatch, "the first one not after the last"),
    ],
)
def test_null_at_the_end_is_the_error_that_made_it(text: str, kind: type[ExpressionError], says: str) -> None:
    found = failed(text, kind, amount=5, name="Ada", nothing=None, order={"items": []})
    assert says in found


def test_null_that_was_meant_is_none() -> None:
    assert evaluate("= null") is None
    assert evaluate("= nothing", nothing=None) is None
    assert evaluate("= if x > 1 then 1 else 2", x="a") == 2


def test_a_condition_is_true_or_false() -> None:
    program = compile_condition("= n", where=WHERE)
    assert program.holds({"n": True}) is True
    for value in (1, None, "true", []):
        with pytest.raises(TypeMismatch, match="the condition gives"):
            program.holds({"n": value})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("= (1", "the end stands where ) should be"),
        ("= 1 +", "the end stands where a value should be"),
        ("= 1 1", "1 stands where an operator or the end should be"),
        ("= a # b", "# stands where an operator or the end should be"),
        ('= "a', "no FEEL can begin here"),
        ("= if a then b", "the end stands where else should be"),
        ("= for in x return 1", "should be"),
        ("= f(1, b: 2)", "some arguments are passed by name, and some are not"),
        ('= @"nonsense"', "no date, time, date and time or duration"),
        ("= {a 1}", "should be"),
        ("=", "the end stands where a value should be"),
    ],
)
def test_what_cannot_be_read_is_said_before_it_runs(text: str, says: str) -> None:
    with pytest.raises(InvalidSyntax, match="flow_3") as caught:
        compile_condition(text, where=WHERE)
    assert says in str(caught.value)


def test_the_line_is_that_of_the_part() -> None:
    with pytest.raises(InvalidSyntax) as caught:
        compile_condition("= 1 +\n\n )", where=WHERE)
    assert caught.value.line == 44


def test_external_functions_are_refused_by_name() -> None:
    text = '= function(x) external {java: {class: "java.lang.Math", method signature: "cos(double)"}}'
    with pytest.raises(SyntaxRefused, match="external function"):
        compile_condition(text, where=WHERE)


@pytest.mark.parametrize("text", ["(" * 5000, "[" * 5000, "{a:" * 5000, "if a then " * 5000])
def test_deep_nesting_is_an_error_like_any_other(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(f"= {text}", a=True)


@pytest.mark.parametrize(
    "text",
    [
        " + ".join(["1"] * 3000),
        " and ".join(["true"] * 3000),
        "else ".join(["if false then 1 "] * 3000) + "else 2",
        "[" + ", ".join(["1"] * 3000) + "][1]",
    ],
)
def test_long_is_not_deep(text: str) -> None:
    assert evaluate(f"= {text}") in (3000, True, 2, 1)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("= for i in 1..1000000000 return i", "items"),
        ("= some i in 1..1000000000 satisfies i < 0", "steps"),
        ("= {f: function(x) f(x), r: f(1)}.r", "depth"),
        ("= {f: function(t) t + t, r: f(f(f(f(f(f(f(f(f(f(f(text)))))))))))}.r", "text"),
        ('= matches(text, "(a+)+$")', "seconds"),
        ("= (function(a) append(a, a, a, a))(big)", "depth"),
    ],
)
def test_limits_end_a_run(text: str, limit: str) -> None:
    big: object = 1
    for _ in range(120):
        big = [big]
    limits = Limits(text=20_000) if limit == "seconds" else Limits(text=20_000, seconds=600)
    with pytest.raises(LimitReached) as caught:
        evaluate(text, limits, text="a" * 1000 + "b", big=big)
    assert caught.value.limit == limit


def test_a_function_is_no_result() -> None:
    failed("= function(x) x", NotJson)
    failed("= {f: abs}", NotJson)
