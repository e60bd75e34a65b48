"""What errors say, and know."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.errors import BpmnError
from bpmn.expressions.compiler import compile_condition, compile_script
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
)
from bpmn.expressions.limits import Limits
from bpmn.expressions.places import Where
from tests.bpmn.expressions.support import WHERE, evaluate, execute


def failed(text: str, **variables: Any) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, **variables)
    return caught.value


def test_types_that_do_not_go_together_are_both_named() -> None:
    error = failed("amount > 5", amount="abc")
    assert isinstance(error, TypeMismatch)
    assert error.types == ("str", "int")
    assert str(error) == (
        "claims.bpmn:42: flow_3: `amount > 5`: amount is text 'abc' (str), 5 is a number (int); "
        "allowed: > takes two numbers, two texts or two lists"
    )


def test_an_error_has_its_place_as_fields() -> None:
    error = failed("1 + claim.amount", claim=None)
    assert isinstance(error, BpmnError)
    assert (error.file, error.line, error.element) == ("claims.bpmn", 42, "flow_3")
    assert (error.site.text, error.site.operands) == ("claim.amount", ("claim",))


def test_a_missing_variable_is_named_with_near_ones() -> None:
    error = failed("amuont > 5", amount=1, Amount=2, zip=3)
    assert isinstance(error, MissingVariable)
    assert (error.name, set(error.suggestions)) == ("amuont", {"amount", "Amount"})
    assert "`amuont`: there is no variable amuont; did you mean " in str(error)


@pytest.mark.parametrize(("written", "meant"), [("true", "True"), ("false", "False"), ("null", "None")])
def test_other_languages_words_are_corrected(written: str, meant: str) -> None:
    assert f"did you mean {meant}?" in str(failed(f"x == {written}", x=1))
    assert evaluate(written, **{written: 5}) == 5


def test_a_missing_field_is_named_with_near_ones() -> None:
    error = failed("claim.adress", claim={"address": 1, "name": 2})
    assert isinstance(error, MissingKey)
    assert (error.key, error.suggestions) == ("adress", ("address",))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("x.a", TypeMismatch, "x is a list of 1 item (list); allowed: only an object has fields such as .a"),
        ("x['a']", TypeMismatch, "'a' is text (str)"),
        ("x[1]", InvalidValue, "there is no item 1; there are 1"),
        ("n[0]", TypeMismatch, "n is nothing (None)"),
        ("x + n", TypeMismatch, "x is a list of 1 item (list), n is nothing (None)"),
        ("1 < 2 < 'a'", TypeMismatch, "2 is a number (int), 'a' is text (str)"),
        ("-x", TypeMismatch, "x is a list of 1 item (list); allowed: - takes a number"),
        ("len(b)", TypeMismatch, "b is the truth value True (bool)"),
        ("sum(['a'])", TypeMismatch, "the value is text 'a' (str); allowed: sum adds numbers"),
        ("''.join([1])", TypeMismatch, "the value is the number 1 (int); allowed: join joins texts"),
        ("'a'.center('b')", TypeMismatch, "'b' is text (str); allowed: the width is a whole number"),
        ("'a'.split(1, 2, 3)", TypeMismatch, "split does not take these arguments; allowed: split(sep, maxsplit)"),
        ("b.upper()", TypeMismatch, "b is the truth value True (bool); allowed: its methods: none"),
        ("sorted([1, 'a'])", TypeMismatch, "'<' not supported between instances of 'str' and 'int'"),
        ("[*b]", TypeMismatch, "the value is the truth value True (bool)"),
        ("'%s' % b", TypeMismatch, "f-string"),
        ("1 / 0", InvalidValue, "division by zero"),
        ("int('x')", InvalidValue, "invalid literal"),
        ("(-8) ** 0.5", InvalidValue, "no real number"),
        ("max([])", InvalidValue, "max of nothing; allowed: max(..., default=...)"),
        ("f'{b:q}'", InvalidValue, "there is no format 'q'"),
        ("f'{x:>5}'", TypeMismatch, "`x`: the value is a list of 1 item (list)"),
        ("'{} {}'.format(1)", InvalidValue, "the format asks for value 1, there are 1"),
    ],
)
def test_reason(text: str, kind: type[ExpressionError], words: str) -> None:
    error = failed(text, x=[1], n=None, b=True)
    assert type(error) is kind
    assert words in str(error)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a && b", "&& is written and"),
        ("!a", "! is written not"),
        ("a = 1", "compared with =="),
        ("", "there is no text"),
    ],
)
def test_syntax_errors_help_those_who_write_other_languages(text: str, hint: str) -> None:
    with pytest.raises(InvalidSyntax, match=hint):
        compile_condition(text, where=WHERE)


def test_an_error_in_a_script_names_the_line_of_the_file() -> None:
    with pytest.raises(InvalidValue) as caught:
        execute("\n  x = 1\n  y = (x +\n    1 / 0)\n")
    assert (caught.value.line, caught.value.site.text) == (45, "1 / 0")
    with pytest.raises(InvalidSyntax) as unread:
        compile_script("x = 1\ny = = 2", where=WHERE)
    assert (unread.value.line, unread.value.site.text) == (43, "y = = 2")


def test_without_a_line_the_file_and_element_are_named() -> None:
    with pytest.raises(MissingVariable, match=r"^a\.bpmn: task: `größe`: there is no variable größe$") as caught:
        compile_condition("größe + 1", where=Where("a.bpmn", "task")).evaluate({})
    assert caught.value.line is None


def test_a_refused_construct_is_named_with_what_is_allowed() -> None:
    with pytest.raises(SyntaxRefused) as caught:
        compile_script("import os", where=WHERE)
    assert caught.value.construct == "import"
    assert "allowed: assignment, del, if" in str(caught.value)


def test_a_result_that_is_no_json_is_found_inside() -> None:
    with pytest.raises(NotJson) as caught:
        execute("x = {'a': [0, {1: 2}]}")
    assert (caught.value.path, caught.value.kind) == (("x", "a", 1), "dict")
    assert "x.a[1] is an object with 1 field (dict), with the key 1" in str(caught.value)


def test_a_limit_is_named_with_its_value() -> None:
    with pytest.raises(LimitReached, match="stopped, for it takes more than 50 steps") as caught:
        execute("while 1: pass", Limits(steps=50))
    assert (caught.value.limit, caught.value.most) == ("steps", 50)


def test_a_message_is_one_short_printable_line() -> None:
    message = str(failed("'\x1b[31m' + x + '" + "y" * 5000 + "'", x=1))
    assert message.isprintable()
    assert len(message) < 600
