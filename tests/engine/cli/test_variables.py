"""Variables from the command line and from files."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cli.errors import BadOption
from engine.cli.variables import read_duration, read_file, read_pair, read_variables
from engine.people.yaml_nodes import BadYaml


@pytest.mark.parametrize(
    ("pair", "name", "value"),
    [
        ("a=1", "a", 1),
        ("a=1.50", "a", 1.5),
        ("a=true", "a", True),
        ("a=null", "a", None),
        ('a="1"', "a", "1"),
        ('a={"b": [1]}', "a", {"b": [1]}),
        ("a=hello world", "a", "hello world"),
        ("a=x=y", "a", "x=y"),
        ("a=", "a", ""),
        (" a =1", "a", 1),
        ("a=NaN", "a", "NaN"),
        ("a=18446744073709551616", "a", 2**64),
        ("a=[-9223372036854775809]", "a", [-(2**63) - 1]),
        ("a=[NaN, 18446744073709551616]", "a", "[NaN, 18446744073709551616]"),
        ("a={broken", "a", "{broken"),
    ],
)
def test_a_value_is_json_or_text(pair: str, name: str, value: Any) -> None:
    found = read_pair(pair)
    assert found == (name, value)
    assert type(found[1]) is type(value)


@given(st.text(min_size=1).filter(lambda name: "=" not in name and name.strip()), st.text())
def test_any_name_takes_any_text(name: str, text: str) -> None:
    assert read_pair(f"{name}={text}")[0] == name.strip()


@given(st.text().filter(lambda pair: not pair.partition("=")[0].strip() or "=" not in pair))
def test_without_a_name_or_a_sign_it_is_refused(pair: str) -> None:
    with pytest.raises(BadOption, match="write --var name=value"):
        read_pair(pair)


def test_options_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "v.json"
    file.write_text('{"a": 1, "b": 2}')
    assert read_variables(["b=3"], str(file)) == {"a": 1, "b": 3}


def test_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text('{"a": [1, "no", null, 18446744073709551616]}')
    (tmp_path / "v.yml").write_text("a: [1, no, null, 18446744073709551616]\n")
    assert read_file(tmp_path / "v.json") == read_file(tmp_path / "v.yml")


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("v.json", "[1]", "an object with the variables is expected"),
        ("v.json", '{"a": 1,\n"b"}', "not JSON: line 2"),
        ("v.yaml", "- 1", "v.yaml:1: an object (name: value) is expected, found a list"),
        ("v.yaml", "a: 1\na: 2", "v.yaml:2: a stands here twice"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, name: str, content: str, word: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises((BadOption, BadYaml)) as caught:
        read_file(tmp_path / name)
    assert word in str(caught.value)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(BadOption, match="not UTF-8: byte 7"):
        read_file(tmp_path / "v.json")


def test_durations_are_iso_8601() -> None:
    assert read_duration("--keep", "P1DT2H") == timedelta(days=1, hours=2)
    for wrong in ("soon", "P1M"):
        with pytest.raises(BadOption, match=f"--keep {wrong}"):
            read_duration("--keep", wrong)
