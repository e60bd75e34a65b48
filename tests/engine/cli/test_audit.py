"""`governor audit`, from the command line."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import orjson
import pytest

from tests.engine.cli.command import governor
from tests.engine.cli.files import STEPS, Folder
from tests.engine.evidence.logs import meddle

TAKE_OUT = "DELETE FROM gov_event WHERE seq = 2"
CUT_OFF = (
    "DELETE FROM gov_event WHERE seq >= 2",
    "DELETE FROM gov_seal",
    "UPDATE gov_instance SET version = 0",
)


@pytest.fixture
def db(folder: Folder) -> str:
    """A database with a finished instance."""
    file, db = folder.put("steps.bpmn", STEPS), folder.db
    assert governor("run", file, "--db", db, "--quiet").code == 0
    return db


@pytest.fixture
def key(tmp_path: Path) -> str:
    pytest.importorskip("cryptography", reason="signatures need the extra `evidence`")
    made = governor("audit", "key", "-o", str(tmp_path / "key"), "--json")
    assert made.code == 0
    return str(made.json["private"])


def test_an_intact_log(db: str) -> None:
    told = governor("audit", "verify", "--all", "--db", db)
    assert told.code == 0
    assert "events are what was written" in told.out
    assert "only a --checkpoint shows" in told.out


def test_the_first_bad_event_is_named(db: str) -> None:
    meddle(Path(db), TAKE_OUT)
    told = governor("audit", "verify", "--all", "--db", db)
    assert told.code == 1
    assert "event 2 is missing" in told.out
    as_json = governor("audit", "verify", "--all", "--db", db, "--json")
    assert (as_json.code, as_json.json["intact"]) == (1, False)
    assert as_json.json["instances"][0]["finding"]["seq"] == 2


def test_a_signed_checkpoint_finds_what_the_chain_alone_cannot(db: str, key: str, tmp_path: Path) -> None:
    out = str(tmp_path / "checkpoint.json")
    assert governor("audit", "checkpoint", "-o", out, "--key", key, "--db", db).code == 0
    verify = ("audit", "verify", "--all", "--db", db, "--checkpoint", out, "--public-key", f"{key}.pub")
    assert governor(*verify).code == 0
    meddle(Path(db), *CUT_OFF)
    told = governor(*verify)
    assert told.code == 1
    assert "it was cut off" in told.out
    meddle(Path(db), *(f"DELETE FROM {name}" for name in ("gov_event", "gov_live", "gov_snapshot", "gov_checkpoint",
           "gov_work_item", "gov_intervention", "gov_taint", "gov_waiting", "gov_instance")))  # fmt: skip
    assert "it was deleted" in governor(*verify).out


@pytest.mark.parametrize("change", ["content", "signature", "unsigned", "other key"])
def test_a_checkpoint_that_was_altered_is_refused(db: str, key: str, tmp_path: Path, change: str) -> None:
    out = tmp_path / "checkpoint.json"
    signing = () if change == "unsigned" else ("--key", key)
    governor("audit", "checkpoint", "-o", str(out), *signing, "--db", db)
    document = orjson.loads(out.read_bytes())
    public = f"{key}.pub"
    if change == "content":
        next(iter(document["instances"].values()))["events"] -= 1
    elif change == "signature":
        document["signature"]["signature"] = "AAAA"
    elif change == "other key":
        public = governor("audit", "key", "-o", str(tmp_path / "second"), "--json").json["public"]
    out.write_bytes(orjson.dumps(document))
    told = governor("audit", "verify", "--all", "--db", db, "--checkpoint", str(out), "--public-key", public)
    assert told.code == 2
    assert "sign" in told.err


def test_a_private_key_is_its_owners_alone_and_never_written_over(key: str) -> None:
    assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
    before = Path(key).read_bytes()
    told = governor("audit", "key", "-o", key)
    assert (told.code, Path(key).read_bytes()) == (2, before)
    assert "is there already" in told.err


def test_a_private_key_is_never_told(db: str, key: str, tmp_path: Path) -> None:
    out = str(tmp_path / "checkpoint.json")
    secret = Path(key).read_text().splitlines()[1]
    told = governor("audit", "checkpoint", "-o", out, "--key", key, "--db", db, "--json")
    assert secret not in told.out + told.err + Path(out).read_text()
    assert secret.encode() not in Path(db).read_bytes()
    wrong = governor("audit", "verify", "--all", "--db", db, "--checkpoint", out, "--public-key", key)
    assert wrong.code == 2
    assert secret not in wrong.err


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"format":"governor-checkpoint","version":1}'])
def test_what_is_no_checkpoint_is_bad_input(db: str, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "checkpoint.json"
    file.write_bytes(content)
    told = governor("audit", "verify", "--all", "--db", db, "--checkpoint", str(file))
    assert told.code == 2
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("given", [(), ("x", "--all"), ("--all", "--public-key", "k")])
def test_contradictory_options(db: str, given: tuple[str, ...]) -> None:
    assert governor("audit", "verify", *given, "--db", db).code == 2
