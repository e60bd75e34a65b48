"""`governor templates` and `governor policy set`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine.cli.templates import FILES
from tests.engine.cli.command import governor
from tests.engine.cli.files import STEPS, Folder


def test_templates_are_written(tmp_path: Path) -> None:
    told = governor("templates", "--out", str(tmp_path / "new" / "folder"))
    assert told.code == 0
    written = {path.name: path.read_text() for path in (tmp_path / "new" / "folder").iterdir()}
    assert set(written) == set(FILES)
    assert json.loads(written["governor.moddle.json"])["prefix"] == "gov"


def test_a_place_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = governor("templates", "--out", str(tmp_path / "file"))
    assert (told.code, told.out) == (2, "")


def test_a_policy_is_set_shown_and_keeps_the_file_s_mode(folder: Folder) -> None:
    file = folder.put("steps.bpmn", STEPS)
    os.chmod(file, 0o640)
    first = next(each for each in governor("policy", file, "--json").json["activities"])
    told = governor("policy", "set", file, first["element"], "workingThreshold=777", "interactionLevel=DIFF_PREVIEW")
    assert told.out == f"{file}: {first['element']} is changed\n"
    [changed] = [
        each
        for each in governor("policy", "show", file, "--json").json["activities"]
        if each["element"] == first["element"]
    ]
    assert changed["policy"]["working_threshold"] == 777
    assert os.stat(file).st_mode & 0o777 == 0o640
    assert governor("policy", "set", file, first["element"], "workingThreshold=777").out.endswith("says this already\n")


def test_another_file_may_take_it(folder: Folder) -> None:
    file = folder.put("steps.bpmn", STEPS)
    before = Path(file).read_bytes()
    element = governor("policy", file, "--json").json["activities"][0]["element"]
    governor("policy", "set", file, element, "windowTokens=9", "--out", str(Path(file).with_name("other.bpmn")))
    assert Path(file).read_bytes() == before
    assert b'windowTokens="9"' in Path(file).with_name("other.bpmn").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["nobody", "windowTokens=9"], "there is no such element"),
        (["ELEMENT", "window=9"], "a policy has no such field; found window"),
        (["ELEMENT", "windowTokens"], "write the field, an equals sign and its value"),
        (["ELEMENT", "windowTokens=none"], "found none"),
    ],
)
def test_bad_input_changes_nothing_and_is_one_line(folder: Folder, arguments: list[str], found: str) -> None:
    file = folder.put("steps.bpmn", STEPS)
    before = Path(file).read_bytes()
    element = governor("policy", file, "--json").json["activities"][0]["element"]
    told = governor("policy", "set", file, *(element if each == "ELEMENT" else each for each in arguments))
    assert (told.code, told.out) == (2, "")
    assert found in told.err
    assert Path(file).read_bytes() == before
