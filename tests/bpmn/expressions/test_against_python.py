"""Expressions give what Python gives, or both fail."""

from __future__ import annotations

import builtins
import warnings
from copy import deepcopy
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpmn.expressions.errors import ExpressionError, LimitReached
from bpmn.expressions.library.functions import FUNCTIONS
from tests.bpmn.expressions.support import evaluate, spelled

VARIABLES: dict[str, Any] = {
    "i": 3,
    "z": 0,
    "f": 2.5,
    "t": True,
    "n": None,
    "s": "abc",
    "e": "",
    "xs": [1, 2, 3],
    "ys": ["b", "a"],
    "ms": [1, "a", None, [2]],
    "d": {"a": 1, "b": [1, 2]},
}
BUILTINS = {name: getattr(builtins, name) for name in FUNCTIONS}

STRICTER = ("% takes two numbers", "keys, and what is in a set")
"""Text on the left of %, and tuples as keys, are refused on purpose."""

ATOMS = st.one_of(
    st.sampled_from([*VARIABLES, "True", "None", "[]", "()", "{}", "'x'", "''", "-1", "0.1", "1e3", "missing"]),
    st.integers(-5, 12).map(str),
)
BINARY = st.sampled_from(["+", "-", "*", "/", "//", "%", "<<", ">>", "|", "&", "^"])
COMPARISON = st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "in", "not in"])
CALLS = st.sampled_from(
    ["len", "abs", "str", "int", "float", "bool", "sum", "min", "max", "sorted", "any", "all", "list", "tuple"]
)
METHODS = st.sampled_from([
    "center(7, '*')", "copy()", "count('a')", "count(1)", "find('c')", "format(1, 2)", "get('a')", "get('q', 7)",
    "index(2)", "is_integer()", "isdigit()", "join('pq')", "join(['x', 'y'])", "lstrip()", "partition('b')",
    "removeprefix('a')", "replace('b', 'xy')", "rfind('c')", "rjust(5)", "rsplit('b', 1)", "split('b')", "split()",
    "splitlines()", "startswith('a')", "strip('a')", "title()", "union([1])", "upper()", "zfill(6)",
])  # fmt: skip
FORMATS = st.sampled_from([">8", "05", ".2f", ",", "x", "^6s", "%"])


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, inner, BINARY, inner),
        st.builds("({} {} {})".format, inner, COMPARISON, inner),
        st.builds("({} {} {} {} {})".format, inner, COMPARISON, inner, COMPARISON, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({} ** {})".format, inner, st.integers(-2, 5)),
        st.builds("({} {})".format, st.sampled_from(["not", "-", "+", "~"]), inner),
        st.builds("({} is {})".format, inner, st.sampled_from(["None", "not None", "True"])),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("({}, *{})".format, inner, inner),
        st.builds("{{'k': {}, **{{'j': {}}}}}".format, inner, inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("{}[{}:{}]".format, inner, inner, inner),
        st.builds("{}[::{}]".format, inner, inner),
        st.builds("{}({})".format, CALLS, inner),
        st.builds("{}.{}".format, inner, METHODS),
        st.builds("round({}, {})".format, inner, inner),
        st.builds("sum([{}, {}], {})".format, inner, inner, st.sampled_from(["i", "f", "xs", "n"])),
        st.builds("sorted({}, reverse={})".format, inner, st.sampled_from("tz")),
        st.builds("sorted({{{}, {}}})".format, inner, inner),
        st.builds("list(range({}, {}))".format, inner, inner),
        st.builds("list(zip({}, {}))".format, inner, inner),
        st.builds("list(enumerate({}, {}))".format, inner, inner),
        st.builds("list(reversed({}))".format, inner),
        st.builds("list({}.{}())".format, inner, st.sampled_from(["keys", "values", "items"])),
        st.builds("[{} for q in {} if {}]".format, inner.map(using_q), inner, inner.map(using_q)),
        st.builds("{{str(q): {} for q in {}}}".format, inner.map(using_q), inner),
        st.builds("any({} for q in {})".format, inner.map(using_q), inner),
        st.builds("f'{{{}}}|{{{}!r}}'".format, inner.map(unquoted), inner.map(unquoted)),
        st.builds("f'{{{}:{}}}'".format, inner.map(unquoted), FORMATS),
    )


def using_q(text: str) -> str:
    return text.replace("i", "q") if text == "i" else f"({text}, q)[1]" if len(text) < 3 else text


def unquoted(text: str) -> str:
    """Python before 3.12 takes no quotes of the same kind inside an f-string."""
    return "i" if set("'\\{}!:") & set(text) else text


EXPRESSIONS = st.recursive(ATOMS, combined, max_leaves=6)


@settings(max_examples=400)
@given(text=EXPRESSIONS)
def test_same_value_or_both_fail(text: str) -> None:
    variables = deepcopy(VARIABLES)
    expected = evaluated_by_python(text)
    try:
        found: str | None = spelled(evaluate(text, **variables))
    except ExpressionError as error:
        assume(not (isinstance(error, LimitReached) or (error.allowed or "").startswith(STRICTER)))
        found = None
    assert found == expected
    assert variables == VARIABLES


def evaluated_by_python(text: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return spelled(eval(text, {"__builtins__": BUILTINS, **deepcopy(VARIABLES)}))
    except Exception:
        return None
