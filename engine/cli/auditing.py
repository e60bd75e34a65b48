"""`governor audit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import NamedTuple

from engine.cli.errors import BadOption
from engine.cli.exits import Exit
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.telling.times import moment
from engine.cli.wiring import looking_at
from engine.evidence.audit import Audited, Finding, Pinned, Wrong, audit_instance
from engine.evidence.checkpoints import every_instance, read_checkpoint, take_checkpoint, write_checkpoint
from engine.evidence.signing import Signer, Verifier, make_key
from engine.store.errors import UnknownInstance
from engine.store.port import InstanceStore
from governance.ports import SystemClock, timestamp

NOT_SIGNED = "the checkpoint's signature was not checked: give --public-key"


class Wanted(NamedTuple):
    """What to verify: one instance (its prefix) or all, against a checkpoint or none."""

    instance: str | None
    all: bool
    checkpoint: str | None
    public_key: str | None


def verify_logs(db: str | None, wanted: Wanted, *, as_json: bool) -> Exit:
    """Tell what is wrong with the logs. Raises BadOption, EvidenceError, StoreError."""
    _check(wanted)
    at, pinned = _checkpoint(wanted)
    with looking_at(db) as governor:
        store = governor.store
        one = store.find_instance(wanted.instance) if wanted.instance else None
        audited = [_audited(store, id, pinned.get(id)) for id in ([one] if one else _ids(store, pinned))]
    wrong = [each for each in audited if each.finding is not None]
    if as_json:
        signed = wanted.public_key is not None
        print_json({"intact": not wrong, "checkpoint": at, "signed": signed, "instances": [*map(asdict, audited)]})
    else:
        _tell(output(), audited, wrong, at, unsigned=at is not None and wanted.public_key is None)
    return Exit.FAILED if wrong else Exit.DONE


def make_checkpoint(db: str | None, out: str, key: str | None, *, as_json: bool) -> None:
    """Write a checkpoint, signed if there is a key. Raises EvidenceError, StoreError, OSError."""
    signer = None if key is None else Signer(key)
    with looking_at(db) as governor:
        taken = take_checkpoint(governor.store, timestamp(SystemClock().now()))
    write_checkpoint(out, taken, signer)
    count = len(taken["instances"])
    if as_json:
        print_json({"file": out, "instances": count, "signed": signer is not None, "at": taken["at"]})
    else:
        how = "signed" if signer else "not signed, so that it proves nothing where others can write to it (--key)"
        output().line(f"{out}: {count:,} {'instance' if count == 1 else 'instances'}, {how}")


def make_signing_key(out: str, *, as_json: bool) -> None:
    """Make a key. Raises EvidenceError, OSError."""
    public, fingerprint = make_key(out)
    if as_json:
        print_json({"private": out, "public": public, "fingerprint": fingerprint})
    else:
        output().line(f"{out}: private, keep it away from the database; {public}: public; fingerprint {fingerprint}")


def _check(wanted: Wanted) -> None:
    if (wanted.instance is None) is not wanted.all:
        raise BadOption("--all", "true" if wanted.all else "", "give an INSTANCE, or --all")
    if wanted.public_key is not None and wanted.checkpoint is None:
        raise BadOption("--public-key", wanted.public_key, "it is for a --checkpoint, and there is none")


def _checkpoint(wanted: Wanted) -> tuple[str | None, Mapping[str, Pinned]]:
    if wanted.checkpoint is None:
        return None, {}
    return read_checkpoint(wanted.checkpoint, Verifier(wanted.public_key) if wanted.public_key else None)


def _ids(store: InstanceStore, pinned: Mapping[str, Pinned]) -> Iterator[str]:
    """All instances there are, and those that the checkpoint knows besides."""
    left = dict(pinned)
    for id in every_instance(store):
        left.pop(id, None)
        yield id
    yield from left


def _audited(store: InstanceStore, id: str, pinned: Pinned | None) -> Audited:
    try:
        return audit_instance(store, id, pinned)
    except UnknownInstance:
        message = "the checkpoint has it, the database does not: it was deleted"
        return Audited(id, 0, 0, 0, "", Finding(id, Wrong.GONE, None, message))


def _tell(screen: Screen, audited: list[Audited], wrong: list[Audited], at: str | None, *, unsigned: bool) -> None:
    for each in wrong:
        assert each.finding is not None
        screen.line((f"{each.instance}: ", Style.STRONG), (each.finding.message, Style.BAD))
    events, linked = sum(each.events for each in audited), sum(each.linked for each in audited)
    instances = f"{len(audited)} instances" if len(audited) != 1 else f"instance {audited[0].instance}"
    against = f" since the checkpoint of {moment(at)}" if at is not None else ""
    if wrong:
        screen.line(f"{len(wrong)} of {len(audited)} logs are not what was written{against}")
    else:
        screen.line((f"{instances}: {linked:,} events are what was written{against}", Style.GOOD))
    if events > linked:
        screen.line((f"{events - linked:,} events are from before there was a chain: nothing covers them", Style.WARN))
    erased = sum(each.erased for each in audited)
    if erased:
        screen.line((f"the data of {erased:,} events were erased, on record; the events stand", Style.DIM))
    if at is None and not wrong:
        screen.line(("that nothing was cut off at the end or written anew, only a --checkpoint shows", Style.DIM))
    if unsigned:
        screen.line((NOT_SIGNED, Style.WARN))
