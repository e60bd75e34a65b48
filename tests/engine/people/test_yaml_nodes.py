"""YAML as JSON values, with lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.people.yaml_nodes import BadYaml, YamlFile, line_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def read(path: Path, text: str) -> Any:
    file = path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    found = YamlFile(file)
    return None if found.root is None else found.value(found.root)


@given(value=JSON)
def test_json_is_read_as_json(value: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert read(tmp_path_factory.mktemp("yaml"), json.dumps(value)) == value


@pytest.mark.parametrize("word", ["no", "yes", "on", "2026-01-01", "12:30", "0123", "1_000", ".inf", ".nan", "0x1F"])
def test_what_json_has_not_is_text(tmp_path: Path, word: str) -> None:
    assert read(tmp_path, f"a: {word}") == {"a": word}


@pytest.mark.parametrize(
    ("word", "value"), [("true", True), ("~", None), ("", None), ("-1", -1), ("1e3", 1000.0), (".5", 0.5), ("+2", 2)]
)
def test_the_words_of_yaml_1_2(tmp_path: Path, word: str, value: Any) -> None:
    assert read(tmp_path, f"a: {word}") == {"a": value}


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a: 1\na: 2", 2, "a stands here twice"),
        ("1: a", 1, "a name must be text, found 1"),
        ("a: [1\nb: 2", 2, "not YAML"),
        ("x: &x [1]\ny: *x", 2, "aliases (*name) are not read"),
        ("a:\n  b: !!python/object/apply:os.system [ls]", 2, "found a list with the tag"),
        ("a: !!timestamp 2026-01-01", 1, "is no JSON value"),
        ("a: !!int many", 1, "is no JSON value"),
        ("a: 1\n--- \nb: 2", 2, "not YAML"),
        ("[" * 5000, None, "not YAML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, line: int | None, word: str) -> None:
    with pytest.raises(BadYaml) as caught:
        read(tmp_path, text)
    assert caught.value.line == line
    assert word in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadYaml, match=r"none\.yaml: cannot be read: No such file"):
        YamlFile(tmp_path / "none.yaml")


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadYaml, match="is not UTF-8 text"):
        YamlFile(tmp_path / "a.yaml")


def test_parts_know_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("# first\n- one\n- two\n")
    file = YamlFile(tmp_path / "a.yaml")
    assert [line_of(node) for node in file.items(file.root)] == [2, 3]
