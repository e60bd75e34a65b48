"""On PostgreSQL, too, a run is made again from its log, rewound, and its evidence checks itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.cli.command import governor
from tests.samples.folders import SAMPLES, options, process


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_and_all_that_is_kept_of_it(sample: Path, postgres_url: str, tmp_path: Path) -> None:
    db = ("--db", postgres_url)
    run = governor("run", process(sample), *options(sample), *db, "--quiet", "--json")
    instance = run.json["instance"]

    replayed = governor("replay", instance, *db, "--json")
    assert replayed.code == 0, replayed.out
    assert replayed.json["difference"] is None
    assert replayed.json["snapshots"] > 0

    archive = str(tmp_path / "evidence.zip")
    assert governor("evidence", instance, "-o", archive, *db).code == 0
    verified = governor("evidence", "verify", archive, "--json")
    assert (verified.code, verified.json["problems"]) == (0, []), verified.out
    assert verified.json["linked"] == verified.json["events"] > 10
    assert governor("audit", "verify", "--all", *db).code == 0

    first = governor("context", "log", instance, *db, "--json").json["snapshots"][-1]["id"]
    agreed = ("--reason", "once more", "--user", "zoe", "--yes")
    rewound = governor("rewind", instance, "--to", first, *agreed, *db, "--json")
    assert rewound.code == 0, rewound.err
    again = governor("replay", instance, *db, "--json")
    assert (again.code, again.json["difference"]) == (0, None), again.out
