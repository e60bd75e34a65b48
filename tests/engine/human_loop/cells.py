"""What the cells of the human loop are reached with, and what has to come of it, whichever door it goes through."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from docs.make.human_loop_cells import CELLS, CellStory, document
from governance.vocabulary import InteractionLevel, Trigger
from tests.engine.cli.files import Folder

DESIGNS: Final = tuple(each for each in CELLS if each.trigger is Trigger.DESIGN_TIME)
RUNS: Final = tuple(each for each in CELLS if each.trigger is not Trigger.DESIGN_TIME)

every_design = pytest.mark.parametrize("story", DESIGNS, ids=[each.level.value for each in DESIGNS])
every_run = pytest.mark.parametrize("story", RUNS, ids=[f"{each.trigger}-{each.level}" for each in RUNS])


def new(story: CellStory) -> str:
    return document(story.process)


def settings_of(folder: Folder, story: CellStory) -> dict[str, Any]:
    """An instance's settings; what they name is put into the folder."""
    settings: dict[str, Any] = {}
    if story.handlers:
        settings["handlers"] = [folder.put("handlers.py", story.handlers)]
    if story.turns:
        settings["model"] = f"replay:{folder.put('turns.yaml', story.turns)}"
    return settings


def require_review(story: CellStory, review: Mapping[str, Any]) -> None:
    assert (review["trigger"], review["level"]) == (story.trigger, story.level)
    assert story.told in "; ".join([*review["reasons"], *review["changed"], *review["key_rules"]])


def require_run(story: CellStory, result: Mapping[str, Any]) -> None:
    """`result` in the form that the command prints with --json."""
    found = [each for each in result["interventions"] if each["trigger"] == story.trigger]
    assert result["status"] == story.ends, result["reason"]
    if story.level is InteractionLevel.AUTO_ALLOW:
        assert found == []
        assert evidence(result, story.trigger)
        return
    (raised,) = [each for each in found if each["level"] == story.level]
    assert all(not InteractionLevel(each["level"]).at_least(story.level) for each in found if each is not raised)
    assert story.told in raised["message"]
    blocks = "told" if story.level is InteractionLevel.MICRO_SUGGESTION else "open"
    assert raised["status"] == ("refused" if story.level is InteractionLevel.AUTO_DENY else blocks)


def evidence(result: Mapping[str, Any], trigger: Trigger) -> bool:
    """Whether there was something to judge at all, where nothing came of it."""
    if trigger is Trigger.RUNTIME:
        return bool(result["decisions"]["D1"])
    if trigger is Trigger.QUALITY:
        return bool(result["measures"]["model_calls"] == 1)
    return bool(result["conflicts"])


def variables(story: CellStory) -> str:
    return json.dumps(story.variables)
