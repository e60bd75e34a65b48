"""All 20 cells of the human loop are reached by a process, through the command."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docs.make.human_loop_cells import CELLS, CellStory, document
from governance.vocabulary import InteractionLevel, Trigger
from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder

EXITS = {"completed": 0, "failed": 1, "waiting": 3}


@pytest.fixture
def folder(tmp_path: Any) -> Folder:
    return Folder(tmp_path)


def test_there_is_a_story_for_every_cell() -> None:
    assert [(each.trigger, each.level) for each in CELLS] == [
        (trigger, level) for trigger in Trigger for level in InteractionLevel
    ]


@pytest.mark.parametrize(
    "story", [each for each in CELLS if each.trigger is Trigger.DESIGN_TIME], ids=lambda each: each.level.value
)
def test_a_definition_reaches_its_cell(folder: Folder, story: CellStory) -> None:
    file = folder.put("new.bpmn", document(story.process))
    against = ("--against", folder.put("old.bpmn", document(story.old))) if story.old else ()
    told = governor("check", file, *against, "--json")
    reviewed = told.json["review"]
    assert (reviewed["trigger"], reviewed["level"]) == (story.trigger, story.level)
    assert story.told in "; ".join([*reviewed["reasons"], *reviewed["changed"], *reviewed["key_rules"]])
    blocked = 3 if story.level.blocks else 0
    assert told.code == (2 if story.level is InteractionLevel.AUTO_DENY else blocked)


@pytest.mark.parametrize(
    "story",
    [each for each in CELLS if each.trigger is not Trigger.DESIGN_TIME],
    ids=lambda each: f"{each.trigger}-{each.level}",
)
def test_a_run_reaches_its_cell(folder: Folder, story: CellStory) -> None:
    told = governor(*run(folder, story), "--json")
    found = [each for each in told.json["interventions"] if each["trigger"] == story.trigger]
    assert (told.json["status"], told.code) == (story.ends, EXITS[story.ends]), told.json["reason"]
    if story.level is InteractionLevel.AUTO_ALLOW:
        assert found == []
        assert evidence(told.json, story.trigger)
        return
    (raised,) = [each for each in found if each["level"] == story.level]
    assert all(not InteractionLevel(each["level"]).at_least(story.level) for each in found if each is not raised)
    assert story.told in raised["message"]
    blocks = "told" if story.level is InteractionLevel.MICRO_SUGGESTION else "open"
    assert raised["status"] == ("refused" if story.level is InteractionLevel.AUTO_DENY else blocks)


def run(folder: Folder, story: CellStory) -> list[str]:
    arguments = ["run", folder.put("process.bpmn", document(story.process)), "--db", folder.db]
    if story.variables:
        arguments += ["--vars", folder.put("variables.json", json.dumps(story.variables))]
    if story.handlers:
        arguments += ["--handlers", folder.put("handlers.py", story.handlers)]
    if story.turns:
        arguments += ["--model", f"replay:{folder.put('turns.yaml', story.turns)}"]
    return arguments


def evidence(result: Any, trigger: Trigger) -> bool:
    """Whether there was something to judge at all, where nothing came of it."""
    if trigger is Trigger.RUNTIME:
        return bool(result["decisions"]["D1"])
    if trigger is Trigger.QUALITY:
        return bool(result["measures"]["model_calls"] == 1)
    return bool(result["conflicts"])
