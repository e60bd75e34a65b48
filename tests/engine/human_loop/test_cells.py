"""All 20 cells of the human loop are reached by a process: through the command, and through the library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bpmn.load import load
from docs.make.human_loop_cells import CELLS, CellStory, document
from engine.embedding import open_governor
from engine.errors import NotDeployable
from engine.governor import Governor
from engine.people.agreement import Agreement, NotAgreed
from governance.vocabulary import InteractionLevel, Trigger
from tests.engine.cli.command import governor
from tests.engine.cli.files import Folder
from tests.engine.human_loop.cells import (
    every_design,
    every_run,
    new,
    require_review,
    require_run,
    settings_of,
    variables,
)

EXITS = {"completed": 0, "failed": 1, "waiting": 3}


@pytest.fixture
def folder(tmp_path: Any) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def library(folder: Folder) -> Iterator[Governor]:
    with open_governor(folder.db) as opened:
        yield opened


def test_there_is_a_story_for_every_cell() -> None:
    assert [(each.trigger, each.level) for each in CELLS] == [
        (trigger, level) for trigger in Trigger for level in InteractionLevel
    ]


@every_design
def test_a_definition_reaches_its_cell(folder: Folder, story: CellStory) -> None:
    file = folder.put("new.bpmn", new(story))
    against = ("--against", folder.put("old.bpmn", document(story.old))) if story.old else ()
    told = governor("check", file, *against, "--json")
    require_review(story, told.json["review"])
    blocked = 3 if story.level.blocks else 0
    assert told.code == (2 if story.level is InteractionLevel.AUTO_DENY else blocked)


@every_run
def test_a_run_reaches_its_cell(folder: Folder, story: CellStory) -> None:
    told = governor(*run(folder, story), "--json")
    assert told.code == EXITS[story.ends], told.json["reason"]
    require_run(story, told.json)


@every_design
def test_a_definition_reaches_its_cell_by_the_library(library: Governor, story: CellStory) -> None:
    """Who deploys without having looked is let pass below DIFF_PREVIEW alone."""
    if story.old:
        library.deploy(load(document(story.old).encode(), file="old.bpmn"), by="ann")
    loaded = load(new(story).encode(), file="new.bpmn")
    require_review(story, library.compare(loaded)["review"])
    given = Agreement(by="ann", may_approve=True)
    if story.level is InteractionLevel.AUTO_DENY:
        with pytest.raises(NotDeployable, match="workingThreshold"):
            library.deploy_as_agreed(loaded, given)
    elif story.level.blocks:
        with pytest.raises(NotAgreed) as refused:
            library.deploy_as_agreed(loaded, given)
        assert refused.value.needs == "look"
    else:
        assert library.deploy_as_agreed(loaded, given).by == "ann"


@every_run
def test_a_run_reaches_its_cell_by_the_library(library: Governor, folder: Folder, story: CellStory) -> None:
    loaded = library.check(new(story).encode())
    result = library.start(loaded, story.variables, starter="ann", settings=settings_of(folder, story))
    require_run(story, result.to_json())


def run(folder: Folder, story: CellStory) -> list[str]:
    arguments = ["run", folder.put("process.bpmn", new(story)), "--db", folder.db]
    if story.variables:
        arguments += ["--vars", folder.put("variables.json", variables(story))]
    if story.handlers:
        arguments += ["--handlers", folder.put("handlers.py", story.handlers)]
    if story.turns:
        arguments += ["--model", f"replay:{folder.put('turns.yaml', story.turns)}"]
    return arguments
