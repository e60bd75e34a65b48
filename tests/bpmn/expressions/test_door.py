"""What may leave a run."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpmn.expressions.door import Door
from bpmn.expressions.errors import ExpressionError, LimitReached, NotJson
from bpmn.expressions.limits import DEFAULT_LIMITS, Limits
from bpmn.expressions.values import MISSING
from tests.bpmn.expressions.support import evaluate, execute, spelled

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([0.0, 1.0, 1.5]) | st.sampled_from("ab"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def settle(value: Any, old: Any = MISSING, limits: Limits = DEFAULT_LIMITS) -> Any:
    return Door(limits).settle(value, old, ())


@given(value=JSON, old=JSON)
def test_settled_values_are_equal_and_the_old_ones_where_nothing_changed(value: Any, old: Any) -> None:
    settled = settle(value, old)
    assert sorted_fields(settled) == sorted_fields(value)
    same = sorted_fields(value) == sorted_fields(old)
    assert (settled is old) or not same
    assert same or settled is not old


def sorted_fields(value: Any) -> str:
    """Spelled, whatever the order of fields."""
    if isinstance(value, dict):
        return repr(dict(sorted((key, sorted_fields(item)) for key, item in value.items())))
    return repr([sorted_fields(item) for item in value]) if isinstance(value, list) else spelled(value)


def test_tuples_and_sets_become_lists() -> None:
    assert settle({"a": (1, {2}, ())}) == {"a": [1, [2], []]}
    assert settle({"b", "a", None, 3, 1.5, True}) == [None, True, 1.5, 3, "a", "b"]
    assert settle((1, 2), [1, 2]) == [1, 2]


def test_new_lists_and_objects_are_copies() -> None:
    inside: list[Any] = [{}]
    settled = settle(inside)
    assert settled == inside
    assert settled is not inside
    assert settled[0] is not inside[0]


@pytest.mark.parametrize(
    ("value", "path", "kind"),
    [
        (math.nan, (), "float"),
        ([1, math.inf], (1,), "float"),
        ({"a": {"b": [date(2026, 1, 1)]}}, ("a", "b", 0), "date"),
        ({"a": {1: 2}}, ("a",), "dict"),
        ([b"x"], (0,), "bytes"),
        (["\ud800"], (0,), "str"),
        ({"\ud800": 1}, (), "str"),
        (1j, (), "complex"),
        (len, (), "builtin_function_or_method"),
    ],
)
def test_what_is_no_json_is_refused_by_place_and_type(value: Any, path: tuple[Any, ...], kind: str) -> None:
    with pytest.raises(NotJson) as caught:
        settle(value)
    assert (caught.value.path, caught.value.kind) == (path, kind)


@pytest.mark.parametrize(
    "text",
    [
        "1e308 * 10", "1e308 * 10 > 1", "-1e308 - 1e308", "float('nan')", "float('inf')", "sum([1e308] * 2)",
        "1e200 ** 2", "x * 1", "x",
    ],
)
def test_infinite_and_undefined_numbers_are_refused(text: str) -> None:
    for value in (math.nan, math.inf):
        with pytest.raises(ExpressionError):
            evaluate(text, x=value)


def test_results_are_bounded() -> None:
    values: list[Any] = [["x" * 100], {"x" * 100: 1}, [1] * 30, [[[]] * 4] * 4]
    for value in values:
        with pytest.raises(LimitReached):
            settle(value, limits=Limits(result=99))
    with pytest.raises(LimitReached):
        settle(1 << 40, limits=Limits(integer_bits=40))
    with pytest.raises(LimitReached):
        execute("a = 'x' * 600; b = ['x' * 600] * 5", Limits(result=2000))


def test_a_script_that_does_not_touch_a_strange_value_runs() -> None:
    assert execute("x = 1", day=date(2026, 1, 1)).set == {"x": 1}
    with pytest.raises(NotJson):
        execute("x = day", day=date(2026, 1, 1))
