"""Where the branches of an instance stand, asked of a Governor."""

from __future__ import annotations

import pytest

from engine.cli.wiring import governor_on
from engine.store.errors import UnknownInstance
from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE_ANSWERS, STEPS, Folder


def test_a_held_join_stands_on_the_snapshots_of_its_branches(folder: Folder) -> None:
    instance = governor(*folder.outage(), "--json").json["instance"]
    with governor_on(folder.db) as opened:
        heads = opened.heads(instance)
        graph = opened.graph(instance)
        assert [branch.rpartition(".")[2] for branch in heads] == ["deploys", "logs"]
        assert [graph.get(head).meta.activity for head in heads.values()] == ["deploys", "logs"]


def test_no_handlers_are_needed_to_ask(folder: Folder) -> None:
    instance = governor(*folder.outage(), "--json").json["instance"]
    (folder.path / "handlers.py").unlink()
    with governor_on(folder.db) as opened:
        assert len(opened.heads(instance)) == 2


def test_an_instance_that_has_ended_stands_nowhere(folder: Folder) -> None:
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    instance = governor(*folder.outage(), "--answers", answers, "--json").json["instance"]
    with governor_on(folder.db) as opened:
        assert opened.heads(instance) == {}


def test_an_unknown_instance_is_an_error(folder: Folder) -> None:
    governor("run", folder.put("steps.bpmn", STEPS), "--db", folder.db)
    with governor_on(folder.db) as opened, pytest.raises(UnknownInstance):
        opened.heads("zzz")
