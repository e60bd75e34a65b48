"""Checks an evidence archive offline, with no database: that all in it fits together, and with a key whose it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from engine.evidence.chain import ERASED, GENESIS
from engine.evidence.errors import BadArchive
from engine.evidence.log import LoggedEvent
from engine.evidence.reading import Opened, broken_files, open_archive, parse
from engine.evidence.signing import Verifier
from governance.snapshots.canonical import canonical, digest
from governance.snapshots.commits import load_commit

NOT_PROVEN: Final = (
    "that the log was complete when the archive was made: compare its last link with a signed checkpoint",
    "that times are right: they are those of the machine's clock",
    "that people are who they said they were",
    "that models, services and people told the truth, or that nothing was done outside that is not in the log",
)


@dataclass(slots=True)
class Verified:
    """What a check came to: `problems` in words; `proves` and `lacks` are what follows from it and what does not."""

    instance: str
    at: str
    signed_by: str | None
    events: int = 0
    linked: int = 0
    head: str = GENESIS.hex()
    snapshots: int = 0
    values: int = 0
    withheld: int = 0
    decisions: int = 0
    problems: list[str] = field(default_factory=list)
    proves: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)


def verify_archive(path: str, verifier: Verifier | None) -> Verified:
    """Check an archive. Raises BadArchive for what is none, OSError."""
    opened = open_archive(path)
    manifest = opened.manifest
    found = Verified(str(manifest["instance"]), str(manifest.get("at")), None)
    found.problems += [f"{name} is not what the manifest says" for name in broken_files(opened)]
    _signature(opened, verifier, found)
    parts = {name: parse(path, name, body) for name, body in opened.files.items() if name.endswith(".json")}
    checks: tuple[Callable[[], Iterator[str]], ...] = (
        lambda: _definition(parts, opened.files["source.bpmn"]),
        lambda: _events(parts, found),
        lambda: _snapshots(parts, found),
        lambda: _values(parts, found),
        lambda: _decisions(parts, found),
    )
    for check in checks:
        try:
            found.problems += check()
        except Exception as error:  # whatever it is: somebody else wrote this file
            found_instead = f"its content is not what an evidence archive holds ({type(error).__name__})"
            raise BadArchive(path, found_instead) from error
    _conclusions(found)
    return found


def _signature(opened: Opened, verifier: Verifier | None, found: Verified) -> None:
    if verifier is None:
        return
    if verifier.holds(canonical(opened.manifest), opened.signature):
        found.signed_by = verifier.fingerprint
    else:
        found.problems.append("it is not signed" if opened.signature is None else "its signature is not by this key")


def _definition(parts: Mapping[str, Any], source: bytes) -> Iterator[str]:
    # The hash is that of the JSON as it was kept: what a later version makes of it does not count.
    definition = {name: value for name, value in parts["definition.json"].items() if name != "file"}
    if sha256(canonical(definition)).hexdigest() != parts["instance.json"]["definition"]:
        yield "the definition is not the one that the instance ran"
    if definition["source_hash"] != sha256(source).hexdigest():
        yield "source.bpmn is not the file that the definition was read from"
    for hash, policy in parts["policies.json"]["policies"].items():
        if digest(canonical(policy)) != hash:
            yield f"policy {hash[:12]} is not what its hash says"


def _events(parts: Mapping[str, Any], found: Verified) -> Iterator[str]:
    """The chain, from its first link on; each event is told of that is not what its link says."""
    head, expected = GENESIS, 0
    instance = parts["instance.json"]["id"]
    if instance != found.instance:
        yield "the manifest is of another instance"
    for row in parts["events.json"]:
        event = LoggedEvent(row["seq"], row["at"], row["type"], row["element"], row["branch"], row["data"])
        found.events += 1
        if event.seq != expected:
            yield f"event {expected} is missing"
        expected = event.seq + 1
        if "link" not in row:
            if found.linked:
                yield f"event {event.seq} has no link"
            continue
        found.linked += 1
        found.withheld += event.erased
        if event.link(head, instance, bytes.fromhex(row["salt"])) != bytes.fromhex(row["link"]):
            yield f"event {event.seq} is not what was written at its place"
        head = bytes.fromhex(row["link"])
    found.head = head.hex()


def _snapshots(parts: Mapping[str, Any], found: Verified) -> Iterator[str]:
    snapshots = parts["snapshots.json"]
    found.snapshots = len(snapshots)
    for id, body in snapshots.items():
        commit = load_commit(body)
        if commit.id != id:
            yield f"snapshot {id[:12]} is not what its id says"
        if any(parent not in snapshots for parent in commit.parents):
            yield f"snapshot {id[:12]} grew from one that is missing"
    for row in parts["events.json"]:
        for name in ("head", "snapshot_before", "snapshot_after"):
            named = row["data"].get(name)
            if isinstance(named, str) and named not in snapshots:
                yield f"event {row['seq']} names snapshot {named[:12]}, which is missing"


def _values(parts: Mapping[str, Any], found: Verified) -> Iterator[str]:
    for hash, value in parts["values.json"].items():
        if isinstance(value, dict) and value.keys() == {ERASED}:
            found.withheld += 1
            continue
        found.values += 1
        if digest(canonical(value)) != hash:
            yield f"value {hash[:12]} is not what its hash says"


def _decisions(parts: Mapping[str, Any], found: Verified) -> Iterator[str]:
    """Decisions against the log: who decided what, on the sight of what."""
    shown, told = parts["shown.json"], {
        str(row["data"].get("id")): row["data"]
        for row in parts["events.json"]
        if row["type"] in ("intervention_answered", "work_item_completed")
    }  # fmt: skip
    hidden = any(row["data"].keys() == {ERASED} for row in parts["events.json"])
    for hash, content in shown.items():
        if not (isinstance(content, dict) and content.keys() == {ERASED}) and digest(canonical(content)) != hash:
            yield f"what was shown as {hash[:12]} is not what its hash says"
    for row in parts["decisions.json"]:
        found.decisions += 1
        answer, said = row.get("answer"), told.get(row["id"])
        if row["shown_hash"] not in shown:
            yield f"{row['id']}: what was shown is missing"
        if answer is not None and said is not None and "decision" in said:
            for name in ("decision", "by", "reason"):
                if answer[name] != said[name]:
                    yield f"{row['id']}: {name} is {answer[name]!r}, the log says {said[name]!r}"
        if answer is not None and said is None and not hidden:
            yield f"{row['id']}: it was answered, and the log says nothing of it"
        if row.get("completed_by") and said is not None and said.get("by") not in (None, row["completed_by"]):
            yield f"{row['id']}: done by {row['completed_by']!r}, the log says {said['by']!r}"


def _conclusions(found: Verified) -> None:
    """What follows if nothing is wrong."""
    found.lacks = list(NOT_PROVEN)
    if found.problems:
        return
    found.proves = [
        "definition, source file, policies, snapshots, values and what was shown are those that the log names",
        f"events {found.events - found.linked} to {found.events - 1} are as they were linked, in that order",
        "each decision is the one in the log, made on the sight of what is shown here",
    ]
    if found.events > found.linked:
        found.lacks.insert(0, f"events 0 to {found.events - found.linked - 1}: from before there was a chain")
    if found.signed_by is None:
        found.lacks.insert(0, "who made it: no signature was checked, and whoever makes all of it anew is not noticed")
    else:
        found.proves.append(f"it is what the owner of key {found.signed_by} signed at {found.at}")
    if found.withheld:
        found.lacks.append(f"what {found.withheld} erased or masked contents were")
