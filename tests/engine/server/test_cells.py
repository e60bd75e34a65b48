"""All 20 cells of the human loop are reached over REST."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docs.make.human_loop_cells import CellStory, document
from engine.governor import Governor
from governance.vocabulary import InteractionLevel
from tests.engine.cli.files import Folder
from tests.engine.human_loop.cells import every_design, every_run, new, require_review, require_run, settings_of
from tests.engine.server.clients import Server, TestClient, served


@pytest.fixture
def client(server: Server) -> TestClient:
    return server.client("ada", "operator", "designer", "approver")


def deploy(client: TestClient, source: str) -> Any:
    return client.post("/v1/definitions", json={"file": "process.bpmn", "source": source})


@every_design
def test_a_definition_reaches_its_cell(client: TestClient, story: CellStory) -> None:
    if story.old:
        assert deploy(client, document(story.old)).status_code == 200
    else:
        checked = client.post("/v1/checks", json={"source": new(story)}).json()
        require_review(story, checked["review"])
    compared = client.post("/v1/definitions/comparison", json={"source": new(story)}).json()
    require_review(story, compared["review"])
    denied, blocked = story.level is InteractionLevel.AUTO_DENY, story.level.blocks
    assert deploy(client, new(story)).status_code == (422 if denied else 409 if blocked else 200)


@every_run
def test_a_run_reaches_its_cell(governor: Governor, tmp_path: Path, story: CellStory) -> None:
    server = served(governor, settings=settings_of(Folder(tmp_path), story))
    client = server.client("ada", "operator", "designer", "approver")
    assert deploy(client, new(story)).status_code == 200
    begun = client.post("/v1/instances", json={"process": "p", "variables": story.variables})
    assert begun.status_code == 201
    instance = begun.json()["instance"]
    require_run(story, client.get(f"/v1/instances/{instance}/result").json())
    open_ = client.get("/v1/interventions", params={"instance": instance}).json()["interventions"]
    waits = [each for each in open_ if (each["trigger"], each["level"]) == (story.trigger, story.level)]
    assert len(waits) == (story.ends == "waiting")
