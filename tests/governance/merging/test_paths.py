"""Paths: what a step changed, and putting it back together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.merging.assigning import Assignment, assign
from governance.merging.errors import PathMismatch
from governance.merging.paths import DELETED, changed_paths, covers, enclosing, identical, value_at

names = st.sampled_from(["a", "b", "", "x/y", "~", "~0", "[id=1]", "ü"])
scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, -0.0, 1.0, 2.5]) | st.text(max_size=2)
ids = st.integers(0, 4) | st.sampled_from(["1", "a/b", "~1", "["])


def items(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    item = st.dictionaries(names, values, max_size=2)
    return st.dictionaries(ids, item, max_size=4).map(
        lambda by_id: [{**fields, "id": found} for found, fields in by_id.items()]
    )


json_values = st.recursive(
    scalars,
    lambda inner: st.dictionaries(names, inner, max_size=3) | st.lists(inner, max_size=3) | items(inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        ({"a": 1, "b": 1}, {"a": 2, "b": 1}, ("/a",)),
        ({"a": {"x": 1, "y": 1}}, {"a": {"x": 2, "y": 1}}, ("/a/x",)),
        ({"a": 1}, {"a": 1, "b": 2}, ("/b",)),
        ({"a": 1, "b": 2}, {"a": 1}, ("/b",)),
        ({"a": {"x": 1}}, {"a": 5}, ("/a",)),
        ({"a": 1}, {"a": 1.0}, ("/a",)),
        ({"a": 1}, {"a": True}, ("/a",)),
        ({"a": [1, 2]}, {"a": [1, 3]}, ("/a",)),
        ([{"id": 7, "n": 1}], [{"id": 7, "n": 2}], ("/[id=7]/n",)),
        ([{"id": "7", "n": 1}], [{"id": "7", "n": 2}], ('/[id="7"]/n',)),
        ({"lines": [{"id": "7", "qty": 1}]}, {"lines": [{"id": "7", "qty": 2}]}, ('/lines/[id="7"]/qty',)),
        ([{"id": 1}], [{"id": 1}, {"id": 2}], ("/[id=2]",)),
        ([{"id": 1}, {"id": 2}], [{"id": 2}], ("/[id=1]",)),
        ([], [{"id": 1}], ("/[id=1]",)),
        ({"x/y": 1, "~": 1, "[a": 1}, {"x/y": 2, "~": 2, "[a": 2}, ("/x~1y", "/~0", "/~2a")),
        ([{"id": "a/b", "n": 1}], [{"id": "a/b", "n": 2}], ('/[id="a~1b"]/n',)),
    ],
)
def test_changes_inside_objects_and_lists_of_items_have_paths(before: Any, after: Any, paths: tuple[str, ...]) -> None:
    assert sorted(changed_paths(before, after) or ()) == sorted(paths)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1, 2),
        ({"a": 1}, [1]),
        ({"a": 1}, {"a": 1}),
        ([1, 2], [1, 2, 3]),
        ([{"id": 1}, {"id": 2}], [{"id": 2}, {"id": 1}]),
        ([{"id": 1}], [{"id": 0}, {"id": 1}]),
        ([{"id": 1}, {"id": 1}], [{"id": 1}]),
        ([{"id": True}], [{"id": 2}]),
        ([{"id": 1}], [{"id": 1}, {"n": 1}]),
    ],
    ids=str,
)
def test_anything_else_is_a_change_of_the_whole(before: Any, after: Any) -> None:
    assert changed_paths(before, after) is None


@given(json_values, json_values)
def test_assigning_the_changes_gives_the_new_value(before: Any, after: Any) -> None:
    paths = changed_paths(before, after)
    if paths is None:
        return
    order: tuple[str, ...] = ()
    made = assign(before, [Assignment(path, value_at(after, path), order, is_new=True) for path in paths])
    assert identical(_by_id(made), _by_id(after))
    assert [(one, other) for one in paths for other in paths if one != other and covers(one, other)] == []


@given(json_values, json_values)
def test_no_change_is_missed(before: Any, after: Any) -> None:
    paths = changed_paths(before, after)
    assert (paths is None) or not identical(before, after)
    for path in paths or ():
        assert not identical(value_at(before, path), value_at(after, path))


def _by_id(value: Any) -> Any:
    """Lists of items without their order, which new items get from the list they come from."""
    if isinstance(value, dict):
        return {name: _by_id(item) for name, item in value.items()}
    if isinstance(value, list):
        inner = [_by_id(item) for item in value]
        is_items = inner and all(isinstance(item, dict) and "id" in item for item in inner)
        return sorted(inner, key=lambda item: (type(item["id"]).__name__, item["id"])) if is_items else inner
    return value


def test_covering_goes_by_steps() -> None:
    assert covers("", "/a")
    assert covers("/a", "/a")
    assert covers("/a", "/a/b")
    assert not covers("/a", "/ab")
    assert not covers("/a/b", "/a")
    assert list(enclosing("/a/b")) == ["/a/b", "/a", ""]


def test_a_place_that_is_not_there_is_deleted() -> None:
    assert value_at({"a": [1]}, "/a/b") is DELETED
    assert value_at([{"id": 1}], "/[id=2]/n") is DELETED
    assert value_at({"a": None}, "/a") is None


def test_assigning_leaves_the_value_and_the_pieces_alone() -> None:
    value, piece = {"a": {"x": 1}}, {"x": 2}
    made = assign(value, [Assignment("/a", piece), Assignment("/a/y", 3)])
    assert made == {"a": {"x": 2, "y": 3}}
    assert (value, piece) == ({"a": {"x": 1}}, {"x": 2})


def test_an_old_item_keeps_its_place_and_a_new_one_comes_before_what_follows_it_in_its_branch() -> None:
    value = [{"id": 1}, {"id": 2}, {"id": 3}]
    changed = Assignment("/[id=2]", {"id": 2, "n": 1}, ("[id=1]", "[id=2]"))
    inserted = Assignment("/[id=9]", {"id": 9}, ("[id=1]", "[id=9]", "[id=3]"), is_new=True)
    last = Assignment("/[id=8]", {"id": 8}, ("[id=1]", "[id=8]"), is_new=True)
    made = assign(value, [changed, inserted, last])
    assert [item["id"] for item in made] == [1, 2, 9, 3, 8]
    assert made[1] == {"id": 2, "n": 1}


def test_an_item_that_the_list_has_lost_comes_back_to_its_place() -> None:
    back = Assignment("/[id=2]", {"id": 2}, ("[id=1]", "[id=2]", "[id=3]"))
    assert assign([{"id": 1}, {"id": 3}], [back]) == [{"id": 1}, {"id": 2}, {"id": 3}]


@pytest.mark.parametrize(
    ("value", "path"), [({"a": 1}, "/a/b"), ({}, "/a/b"), ({"a": {}}, "/a/[id=1]"), ([1], "/[id=1]"), ([], "/a")]
)
def test_a_path_through_nothing_is_refused(value: Any, path: str) -> None:
    with pytest.raises(PathMismatch, match="leads through what is not there"):
        assign(value, [Assignment(path, 1)])
