"""An evidence archive says what happened, checks itself offline, and shows whatever was done to it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest

from engine.evidence.archive import FILES, MANIFEST
from engine.evidence.errors import BadArchive
from engine.evidence.reading import open_archive
from engine.evidence.verifying import verify_archive
from tests.engine.cli.command import governor
from tests.engine.cli.files import OUTAGE_ANSWERS, Folder


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evidence of an outage review: agents of code, a conflict that a person decided, an approval."""
    folder = Folder(tmp_path_factory.mktemp("evidence"))
    answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
    run = governor(*folder.outage(), "--answers", answers, "--quiet", "--json")
    assert run.code == 0, run.err
    out = folder.path / "evidence.zip"
    told = governor("evidence", run.json["instance"], "-o", str(out), "--db", folder.db)
    assert told.code == 0, told.err
    return out


def rewritten(archived: Path, out: Path, change: Callable[[dict[str, Any]], None], *, manifest: bool = True) -> Path:
    """The archive with its JSON changed; with the manifest as well, as a forger would."""
    with zipfile.ZipFile(archived) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    parsed = {name: orjson.loads(body) for name, body in files.items() if name.endswith(".json")}
    change(parsed)
    files.update({name: orjson.dumps(content) for name, content in parsed.items() if name != MANIFEST})
    if manifest:
        for name in FILES:
            parsed[MANIFEST]["files"][name] = {"sha256": sha256(files[name]).hexdigest(), "bytes": len(files[name])}
    files[MANIFEST] = orjson.dumps(parsed[MANIFEST])
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return out


def test_it_holds_who_decided_what_on_the_sight_of_what(archived: Path) -> None:
    files = {name: body for name, body in open_archive(str(archived)).files.items() if name.endswith(".json")}
    parts = {name: orjson.loads(body) for name, body in files.items()}
    asked = next(row for row in parts["decisions.json"] if row["kind_of_decision"] == "intervention")
    assert (asked["answer"]["by"], asked["answer"]["reason"]) == ("lea", "the logs are conclusive")
    assert "conflicts" in parts["shown.json"][asked["shown_hash"]]
    done = next(row for row in parts["decisions.json"] if row["kind_of_decision"] == "work_item")
    assert done["completed_by"] == "maria"
    assert {each["element"] for each in parts["versions.json"]["doers"]} == {"collect", "logs", "deploys", "fix"}
    assert {each["effect"] for each in parts["outside.json"]} == {"write"}
    assert parts["policies.json"]["elements"]["approve"] in parts["policies.json"]["policies"]
    assert "folder" not in parts["instance.json"]["settings"]


def test_it_checks_itself_and_says_what_it_does_not_prove(archived: Path) -> None:
    found = verify_archive(str(archived), None)
    assert found.problems == []
    assert found.linked == found.events > 10
    assert any("no signature" in each for each in found.lacks)
    told = governor("evidence", "verify", str(archived))
    assert told.code == 0
    assert "it proves" in told.out
    assert "it does not prove" in told.out


def first(rows: list[dict[str, Any]], type: str) -> dict[str, Any]:
    return next(row for row in rows if row["type"] == type)


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "an event": (lambda p: p["events.json"][3].update(at="2020"), "event 3 is not what was written"),
    "an event is taken out": (lambda p: p["events.json"].pop(2), "event 2 is missing"),
    "an answer in the log": (
        lambda p: first(p["events.json"], "intervention_answered")["data"].update(by="eve"),
        "is not what was written",
    ),
    "an answer": (
        lambda p: next(r for r in p["decisions.json"] if r.get("answer"))["answer"].update(by="eve"),
        "by is 'eve', the log says 'lea'",
    ),
    "who did a task": (
        lambda p: next(r for r in p["decisions.json"] if r.get("completed_by")).update(completed_by="eve"),
        "done by 'eve', the log says 'maria'",
    ),
    "what was shown": (
        lambda p: p["shown.json"].update({key: {"nothing": "to see"} for key in p["shown.json"]}),
        "is not what its hash says",
    ),
    "what was shown is taken out": (lambda p: p["shown.json"].clear(), "what was shown is missing"),
    "a value": (
        lambda p: p["values.json"].update({next(iter(p["values.json"])): "another"}),
        "is not what its hash says",
    ),
    "a snapshot": (
        lambda p: p["snapshots.json"][p["instance.json"]["head"]].update(t="2020"),
        "is not what its id says",
    ),
    "a snapshot is taken out": (
        lambda p: p["snapshots.json"].pop(p["instance.json"]["head"]),
        "which is missing",
    ),
    "the definition": (
        lambda p: p["definition.json"].update(source_hash="0" * 64),
        "is not the one that the instance ran",
    ),
    "a policy": (
        lambda p: next(iter(p["policies.json"]["policies"].values())).update(origins={}),
        "is not what its hash says",
    ),
    "the instance": (lambda p: p["instance.json"].update(id="other"), "another instance"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_changed_is_found(archived: Path, tmp_path: Path, what: str) -> None:
    change, message = CHANGES[what]
    forged = rewritten(archived, tmp_path / "forged.zip", change)
    told = governor("evidence", "verify", str(forged))
    assert told.code == 1, told.out + told.err
    assert message in told.out
    honest = rewritten(archived, tmp_path / "changed.zip", change, manifest=False)
    assert "is not what the manifest says" in "".join(verify_archive(str(honest), None).problems)


def test_a_signature_says_whose_it_is(archived: Path, tmp_path: Path) -> None:
    pytest.importorskip("cryptography", reason="signatures need the extra `evidence`")
    folder = archived.parent
    key = governor("audit", "key", "-o", str(tmp_path / "key"), "--json").json["private"]
    instance = verify_archive(str(archived), None).instance
    out = str(tmp_path / "signed.zip")
    governor("evidence", instance, "-o", out, "--key", key, "--db", str(folder / "governor.db"))
    verify = ("evidence", "verify", "--public-key", f"{key}.pub")
    assert governor(*verify, out).code == 0
    assert governor(*verify, str(archived)).code == 1, "that one is not signed"
    forged = rewritten(Path(out), tmp_path / "forged.zip", lambda p: p["events.json"].pop())
    told = governor(*verify, str(forged))
    assert told.code == 1
    assert "its signature is not by this key" in told.out


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return made.getvalue()


WHOLE = {
    **dict.fromkeys(FILES, b"{}"),
    MANIFEST: b'{"format":"governor-evidence","version":1,"instance":"i","files":{}}',
}
STRANGERS: dict[str, bytes] = {
    "nothing": b"",
    "no zip": b"PK\x03\x04 and no more",
    "a path upwards": zipped({**WHOLE, "../evil.json": b"{}"}),
    "an absolute path": zipped({**WHOLE, "/etc/passwd": b"{}"}),
    "something lacks": zipped({MANIFEST: WHOLE[MANIFEST]}),
    "no JSON": zipped({**WHOLE, "events.json": b"{"}),
    "another shape": zipped(WHOLE),
    "deep": zipped({**WHOLE, "events.json": b"[" * 100_000}),
    "another format": zipped({**WHOLE, MANIFEST: b'{"format":"other"}'}),
    "a large manifest": zipped({**WHOLE, MANIFEST: b" " * 2_000_000 + b"{}"}),
}


@pytest.mark.parametrize("what", STRANGERS)
def test_what_is_no_archive_is_bad_input(tmp_path: Path, what: str) -> None:
    file = tmp_path / "strange.zip"
    file.write_bytes(STRANGERS[what])
    told = governor("evidence", "verify", str(file))
    assert told.code == 2
    assert told.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [file], "nothing was extracted"


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.evidence.reading.MOST", 1_000_000)
    file = tmp_path / "bomb.zip"
    file.write_bytes(zipped({**WHOLE, "values.json": b" " * 5_000_000}))
    with pytest.raises(BadArchive, match="unpacks to more than"):
        open_archive(str(file))
    monkeypatch.setattr("engine.evidence.reading.MOST_PACKED", 10)
    with pytest.raises(BadArchive, match="has more than"):
        open_archive(str(file))


def test_a_file_that_is_longer_than_it_says(tmp_path: Path) -> None:
    raw = zipped({**WHOLE, "values.json": b" " * 5_000})
    lying = raw.replace((5_000).to_bytes(4, "little"), (50).to_bytes(4, "little"))
    file = tmp_path / "lying.zip"
    file.write_bytes(lying)
    with pytest.raises(BadArchive):
        open_archive(str(file))
