"""The command on a PostgreSQL: the same as on a file, and no password is shown."""

from __future__ import annotations

import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import STEPS, Folder
from tests.engine.models import edges, end, model, start, user
from tests.engine.needs import needs_psycopg


def test_an_instance_lives_in_postgresql(folder: Folder, postgres_url: str) -> None:
    file = folder.put("steps.bpmn", STEPS)
    ran = governor("run", file, "--db", postgres_url, "--json")
    assert (ran.code, ran.json["status"], ran.json["variables"]) == (0, "completed", {"x": 1, "y": 2})
    listed = governor("instances", "--db", postgres_url, "--json").json
    assert [each["id"] for each in listed["instances"]] == [ran.json["instance"]]
    again = governor("show", ran.json["instance"], "--db", postgres_url, "--json")
    assert (again.code, again.json["status"]) == (0, "completed")


def test_what_is_offered_to_be_copied_has_no_password(folder: Folder, postgres_url: str) -> None:
    file = folder.put("asks.bpmn", model(start(), user("u"), end(), edges("s > u > e")).decode())
    url = postgres_url.replace("governor@", "governor:hunter2@")
    ran = governor("run", file, "--db", url)
    assert "hunter2" not in ran.out + ran.err
    assert f"--db {postgres_url}" in ran.out


@pytest.mark.parametrize("arguments", [("instances",), ("resume", "--due"), ("show", "abc")])
def test_a_server_that_is_not_there_is_one_line(arguments: tuple[str, ...]) -> None:
    needs_psycopg()
    told = governor(*arguments, "--db", "postgresql://ann:hunter2@127.0.0.1:1/x")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "see whether the server runs" in told.err
    assert "hunter2" not in told.out + told.err
