"""Whatever is written, an expression is refused, fails with an error of ours, or gives JSON; and it ends soon."""

from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import ExpressionError, LimitReached
from bpmn.expressions.feel.library.standard import FUNCTIONS
from bpmn.expressions.feel.semantics.compiler import Compiler
from bpmn.expressions.feel.semantics.tests import unary_tests
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.parser import parse_tests
from bpmn.expressions.limits import Limits
from tests.bpmn.expressions.support import WHERE, evaluate

VARIABLES = {"a": 1, "b": "x", "c": [1, None, {"k": [True]}], "d": {"k v": 2.5}, "t": True, "z": None}
LITERALS = [
    "1", "0", "-2.5", "1e9", '"x"', '""', "true", "null", '@"2024-02-29"', '@"P1D"', '@"P1M"', '@"10:00:00Z"',
    '@"2024-01-01T10:00:00@Europe/Paris"', "[1..3]", "(< 2)", "[]", "{}", '[1, "a", null]', "{k: 1}",
    "function(x) x", *VARIABLES, "item", "?", "partial",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "**", "=", "!=", "<", ">=", "and", "or", "in", "between 1 and"]
TOKENS = [
    *LITERALS, *OPERATORS, "(", ")", "[", "]", "{", "}", ",", ":", ".", "..", "if", "then", "else", "for", "in",
    "return", "some", "satisfies", "every", "instance of", "list<", ">", "not", "`", '"', "@", "//", "/*", "k", "v",
]  # fmt: skip
LIMITS = Limits(steps=20_000, text=10_000, items=2_000, seconds=1.0)


def expressions() -> st.SearchStrategy[str]:
    """Mostly correct ones, of any values."""
    names = st.sampled_from(sorted(FUNCTIONS))
    return st.recursive(
        st.sampled_from(LITERALS),
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(OPERATORS), inner),
            st.builds("{}({})".format, names, st.lists(inner, max_size=3).map(", ".join)),
            st.builds("[{}, {}]".format, inner, inner),
            st.builds("{{k: {}, v: {}}}".format, inner, inner),
            st.builds("{}[{}]".format, inner, inner),
            st.builds("({}).k".format, inner),
            st.builds("if {} then {} else {}".format, inner, inner, inner),
            st.builds("(for i in {} return {})".format, inner, inner),
            st.builds("(some i in {} satisfies {})".format, inner, inner),
            st.builds("({} instance of list<number>)".format, inner),
            st.builds("(function(x, y) {})({}, 1)".format, inner, inner),
        ),
        max_leaves=12,
    )


@settings(max_examples=400, deadline=None, derandomize=True)
@given(expressions())
def test_correct_expressions(text: str) -> None:
    run(text)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS), max_size=14).map(" ".join))
def test_tokens_in_any_order(text: str) -> None:
    run(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=40))
def test_any_text(text: str) -> None:
    run(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS), max_size=8).map(" ".join))
def test_cells(text: str) -> None:
    with suppress(ExpressionError):
        unary_tests(Compiler(text, WHERE), parse_tests(text, WHERE, Names()))


def run(text: str) -> None:
    found = None
    try:
        found = compile_condition(f"= {text}", where=WHERE).evaluate(VARIABLES, LIMITS)
    except ExpressionError as error:
        found = str(error)
    json.dumps(found, allow_nan=False)


DOUBLED = "d(" * 40 + "1" + ")" * 40


@pytest.mark.parametrize(
    "text",
    [
        f"{{d: function(x) [x, x], r: {DOUBLED}}}.r",
        f"string({{d: function(x) [x, x], r: {DOUBLED}}}.r)",
        f"{{d: function(x) {{a: x, b: x}}, r: {DOUBLED}, s: r = r}}.s",
        f"{{d: function(x) [x, x], r: {DOUBLED}}}.r instance of list<list<number>>",
        "distinct values(for i in 1..2000 return for j in 1..1000 return if j = 1000 then i else j)",
        f"count(concatenate({', '.join(['big'] * 200)}))",
        'for i in 1..100000 return matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "(a|aa)+$")',
        "sort(for i in 1..100000 return -i, function(x, y) sum(for k in 1..1000 return k) > x - y)",
        "for i in 1..100000 return 9 ** 6000",
    ],
)
def test_what_grows_ends_soon(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(LimitReached):
        evaluate(f"= {text}", Limits(steps=300_000), big=list(range(1000)))
    assert time.process_time() - begun < 20
