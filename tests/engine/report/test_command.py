"""`governor report`."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from engine.cli.app import app
from engine.embedding import open_governor
from tests.engine.models import edges, end, model, script, start
from tests.engine.report.stories import ran


@pytest.fixture
def database(tmp_path: Path) -> tuple[str, str]:
    """A database, and the instance in it."""
    path = str(tmp_path / "runs.db")
    governor = open_governor(path)
    instance = ran(governor, model(start(), script("t", "x = 1"), end(), edges("s > t > e"))).instance
    governor.close()
    return path, instance


def command(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["report", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_page_is_in_the_language_that_is_asked_for(database: tuple[str, str], tmp_path: Path) -> None:
    path, instance = database
    out = tmp_path / "run.html"
    command(instance, "--out", str(out), "--db", path, "--lang", "zh")
    assert '<html lang="zh-CN">' in out.read_text(encoding="utf-8")
    refused = CliRunner().invoke(app, ["report", instance, "--db", path, "--lang", "de"])
    assert refused.exit_code == 2
    assert "--lang de: allowed: en, zh" in refused.output


def test_the_page_is_written_where_it_is_wanted(database: tuple[str, str], tmp_path: Path) -> None:
    path, instance = database
    out = tmp_path / "run.html"
    told = command(instance[:6], "--out", str(out), "--db", path)
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert told == f"{out}: {out.stat().st_size:,} bytes\n"


def test_what_was_written_is_told_as_json(database: tuple[str, str], tmp_path: Path) -> None:
    path, instance = database
    out = tmp_path / "run.html"
    told = orjson.loads(command(instance, "-o", str(out), "--db", path, "--json"))
    assert told == {"instance": instance, "file": str(out), "bytes": out.stat().st_size}


def test_an_instance_that_is_not_there_is_an_error(database: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "run.html"
    result = CliRunner().invoke(app, ["report", "nothing", "--out", str(out), "--db", database[0]])
    assert result.exit_code == 2
    assert not out.exists()


@pytest.mark.parametrize("way", [(), ("--json",)])
def test_a_run_may_end_with_its_page(way: tuple[str, ...], tmp_path: Path) -> None:
    file, out = tmp_path / "m.bpmn", tmp_path / "run.html"
    file.write_bytes(model(start(), script("t", "x = 1 / 0"), end(), edges("s > t > e")))
    database = str(tmp_path / "runs.db")
    ran = CliRunner().invoke(app, ["run", str(file), "--db", database, "--report", str(out), *way])
    assert (ran.exit_code, "division by zero" in out.read_text(encoding="utf-8")) == (1, True)
    out.unlink()
    (instance,) = orjson.loads(CliRunner().invoke(app, ["instances", "--db", database, "--json"]).stdout)["instances"]
    for again in ("retry", "resume"):
        CliRunner().invoke(app, [again, instance["id"], "--db", database, "--report", str(out), *way])
        assert "division by zero" in out.read_text(encoding="utf-8")
        out.unlink()


def test_a_page_that_cannot_be_written_is_an_error_and_the_run_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "m.bpmn"
    file.write_bytes(model(start(), script("t", "x = 1"), end(), edges("s > t > e")))
    arguments = ["--db", str(tmp_path / "runs.db"), "--report", str(tmp_path / "none" / "run.html")]
    ran = CliRunner().invoke(app, ["run", str(file), *arguments])
    assert (ran.exit_code, "none/run.html" in ran.stderr, "completed" in ran.stdout) == (2, True, True)
