"""Scripts work on copies of just what they may change; the caller's values never change."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpmn.expressions.compiler import compile_script
from bpmn.expressions.errors import ExpressionError, LimitReached
from bpmn.expressions.python.aliasing import copiers
from bpmn.expressions.python.source import parse_script
from bpmn.expressions.values import copy_deep
from tests.bpmn.expressions.support import WHERE, spelled


def copied(text: str) -> tuple[set[str], set[str]]:
    """Names copied shallowly, and deeply."""
    found = copiers(parse_script(text, WHERE)[0])
    deep = {name for name, copier in found.items() if copier is copy_deep}
    return set(found) - deep, deep


@pytest.mark.parametrize(
    ("text", "shallow", "deep"),
    [
        ("x = claim.amount * 2", set(), set()),
        ("x = y", set(), set()),
        ("total = 0\nfor c in claims: total += c.amount", {"total"}, set()),
        ("results.append(claim)", {"results"}, set()),
        ("claim.amount = 1", {"claim"}, set()),
        ("del claim.amount", {"claim"}, set()),
        ("claim.lines[0] = 1", set(), {"claim"}),
        ("claim.lines += x", set(), {"claim", "x"}),
        ("row = rows[0]\nrow.done = True", set(), {"row", "rows"}),
        ("for row in rows: row.done = True", set(), {"row", "rows"}),
        ("[row.append(1) for row in rows]", set(), {"row", "rows"}),
        ("max(a, b).append(1)", set(), {"a", "b"}),
        ("(a or b)[0] = len(c)", set(), {"a", "b"}),
        ("a = b\nb.append(c)\na[0].x = 1", set(), {"a", "b", "c"}),
        ("a.append(b)\nc = a[0]\nc.x = 1", set(), {"a", "b", "c"}),
        ("a.append(b > c)\na[0].x = f'{d}'", set(), {"a"}),
    ],
)
def test_copied(text: str, shallow: set[str], deep: set[str]) -> None:
    found = copied(text)
    assert found[1] == deep
    assert found[0] == shallow


NAMES = st.sampled_from("abcd")
VALUES = st.one_of(
    NAMES,
    st.sampled_from(["1", "[]", "{}", "[[1], [2]]", "{'k': [1]}"]),
    st.builds("[{}, {}]".format, NAMES, NAMES),
    st.builds("{{'k': {}}}".format, NAMES),
    st.builds("{}[0]".format, NAMES),
    st.builds("{}['k']".format, NAMES),
    st.builds("({} or {})".format, NAMES, NAMES),
    st.builds("({} if 1 in {} else {})".format, NAMES, NAMES, NAMES),
    st.builds("list({})".format, NAMES),
    st.builds("dict({}, k={})".format, NAMES, NAMES),
    st.builds("[x for x in {}]".format, NAMES),
    st.builds("{}.copy()".format, NAMES),
    st.builds("{}.get('k', {})".format, NAMES, NAMES),
    st.builds("{}.setdefault('k', {})".format, NAMES, NAMES),
    st.builds("{}.pop()".format, NAMES),
    st.builds("({} + {})".format, NAMES, NAMES),
    st.builds("{}[:1]".format, NAMES),
    st.builds("[*{}]".format, NAMES),
    st.builds("sorted([{}])[0]".format, NAMES),
    st.builds("max([{}], [{}])[0]".format, NAMES, NAMES),
)
# Loops run over a copy of their list: what they append to it would keep Python itself busy for ever.
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, NAMES, VALUES),
    st.builds("{} = {} = {}".format, NAMES, NAMES, VALUES),
    st.builds("{}, {} = {}, {}".format, NAMES, NAMES, VALUES, VALUES),
    st.builds("{}, *{} = {}".format, NAMES, NAMES, VALUES),
    st.builds("{}[0] = {}".format, VALUES, VALUES),
    st.builds("{}['k'] = {}".format, VALUES, VALUES),
    st.builds("{} += {}".format, NAMES, VALUES),
    st.builds("{} |= {}".format, NAMES, VALUES),
    st.builds("{}[0] += {}".format, NAMES, VALUES),
    st.builds("{}['k'] += {}".format, NAMES, VALUES),
    st.builds("{} *= 2".format, NAMES),
    st.builds("{}.append({})".format, VALUES, VALUES),
    st.builds("{}.extend({})".format, VALUES, VALUES),
    st.builds("{}.insert(0, {})".format, VALUES, VALUES),
    st.builds("{}.update(k={})".format, VALUES, VALUES),
    st.builds("{}.clear()".format, VALUES),
    st.builds("del {}[0]".format, VALUES),
    st.builds("del {}['k']".format, VALUES),
    st.builds("for {} in [*{}]: {}.append(1)".format, NAMES, VALUES, NAMES),
    st.builds("for {0} in [*{1}]:\n    {0}['k'] = {2}".format, NAMES, VALUES, VALUES),
    st.builds("[{0}.append(1) for {0} in [*{1}]]".format, NAMES, VALUES),
)
STARTS = st.sampled_from([[[1], {"k": [2]}], [[[1]], [3]], {"k": [1]}, {"k": {"k": [1]}, "j": [5]}, [{"k": [{}]}], 7])


@settings(max_examples=300)
@given(
    text=st.lists(STATEMENTS, min_size=1, max_size=6).map("\n".join),
    values=st.tuples(STARTS, STARTS, STARTS, STARTS),
)
def test_scripts_do_what_python_does_and_leave_the_variables_alone(text: str, values: tuple[Any, ...]) -> None:
    variables = dict(zip("abcd", map(deepcopy, values), strict=True))
    expected = executed_by_python(text, deepcopy(variables))
    before = json.dumps(variables)
    try:
        changes = compile_script(text, where=WHERE).execute(variables)
    except LimitReached:
        pass  # a list inside itself, which Python can sort as long as it need not look inside
    except ExpressionError:
        assert expected is None
    else:
        assert expected is not None, text
        after = {**variables, **changes.set}
        assert {name: spelled(after[name]) for name in after} == expected, text
    assert json.dumps(variables) == before, text


def executed_by_python(text: str, variables: dict[str, Any]) -> dict[str, str] | None:
    """The variables after Python ran the text, spelled; None if it failed or left what is no JSON."""
    functions = {"list": list, "dict": dict, "sorted": sorted, "max": max}
    namespace = {"__builtins__": functions, **variables}
    try:
        exec(text, namespace)
        del namespace["__builtins__"]
        return {name: spelled(value) for name, value in namespace.items()}
    except Exception:
        return None
