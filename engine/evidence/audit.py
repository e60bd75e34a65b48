"""Is the event log of an instance what was written? Whatever was done to it, the first bad event is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.events import EventType
from engine.evidence.chain import BOUND, GENESIS, LENGTH, SALT, Seal, is_bound
from engine.evidence.log import LoggedEvent

if TYPE_CHECKING:
    from engine.store.causes import KeptCause
    from engine.store.port import InstanceStore


class Wrong(StrEnum):
    CHANGED = "changed"
    """An event is not what was written, or another one stands in its place."""
    MISSING = "missing"
    """An event was taken out."""
    INSERTED = "inserted"
    """An event was put in."""
    SEAL = "seal"
    """The chain itself was altered."""
    TRUNCATED = "truncated"
    """The end was cut off."""
    REWRITTEN = "rewritten"
    """The chain holds, and is another one than at the checkpoint."""
    CAUSE = "cause"
    """What an advance was made by is not what was written."""
    GONE = "gone"
    """There is no such instance any more."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a log, and the number of the first event that it is wrong with (None: not of one event)."""

    instance: str
    wrong: Wrong
    seq: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit of one instance came to.

    `events` are all there are, `linked` those that the chain covers: events from before there were chains come first,
    and are not covered. `erased` of them have lost their data, on record. `head` is the last link, hexadecimal.
    """

    instance: str
    events: int
    linked: int
    erased: int
    head: str
    finding: Finding | None = None

    @property
    def unlinked(self) -> int:
        """Events from before there were chains."""
        return self.events - self.linked


@dataclass(frozen=True, slots=True)
class Pinned:
    """What a checkpoint says of an instance: how many events its log had then, and the link of the last of them."""

    instance: str
    events: int
    head: str


def audit(
    instance: str,
    seals: Sequence[Seal],
    events: Iterable[LoggedEvent],
    version: int,
    pinned: Pinned | None = None,
    causes: Sequence[KeptCause] | None = None,
) -> Audited:
    """Look at a log whole. `version` is the instance's, `pinned` what a checkpoint says of it, `causes` what its
    advances were made by (None: not looked at).

    The chain is walked on the stored links, so that one bad event does not spoil those after it.
    """
    logged = list(events)
    begin = seals[0].first if seals else len(logged)
    found = _seals(instance, seals, version) or _events(instance, seals, logged, begin)
    if found is None and causes is not None:
        found = _causes(instance, seals, logged, causes)
    if found is None and pinned is not None:
        found = _pinned(instance, seals, begin, pinned)
    return Audited(
        instance=instance,
        events=len(logged),
        linked=sum(event.seq >= begin for event in logged),
        erased=sum(event.erased for event in logged),
        head=(seals[-1].head if seals else GENESIS).hex(),
        finding=found,
    )


def audit_instance(store: InstanceStore, instance: str, pinned: Pinned | None = None) -> Audited:
    """Look at the log of a stored instance. Raises UnknownInstance."""
    version = store.instance(instance).version
    log = store.log
    return audit(instance, log.seals(instance), log.events(instance), version, pinned, store.causes(instance))


def _seals(instance: str, seals: Sequence[Seal], version: int) -> Finding | None:
    """Whether the seals are whole and follow one another up to the instance's version."""
    for before, seal in zip([None, *seals], seals, strict=False):
        whole = len(seal.links) == max(seal.length, 1) * LENGTH and len(seal.salts) in (SALT, BOUND, seal.length * SALT)
        if not whole:
            return Finding(instance, Wrong.SEAL, seal.first, f"the seal of advance {seal.version} is damaged")
        if before and (seal.version, seal.first) != (before.version + 1, before.first + before.length):
            message = f"after the seal of advance {before.version} comes that of {seal.version}: one was cut out"
            return Finding(instance, Wrong.SEAL, before.first + before.length, message)
    if seals and seals[-1].version != version:
        last = seals[-1]
        message = f"the instance made {version} advances, its chain ends at advance {last.version}: its end was cut off"
        return Finding(instance, Wrong.TRUNCATED, last.first + last.length, message)
    return None


def _events(instance: str, seals: Sequence[Seal], logged: Sequence[LoggedEvent], begin: int) -> Finding | None:
    """Whether the events are those of the seals, one by one."""
    by_seq = {event.seq: event for event in logged}
    for seq in range(begin):
        if seq not in by_seq:
            return Finding(instance, Wrong.MISSING, seq, f"event {seq}, from before there was a chain, is missing")
    head = GENESIS
    for seal in seals:
        for seq in range(seal.first, seal.first + seal.length):
            event = by_seq.pop(seq, None)
            if event is None:
                return Finding(instance, Wrong.MISSING, seq, f"event {seq} is missing")
            if event.link(head, instance, seal.salt(seq)) != seal.link(seq):
                message = f"event {seq} ({event.type}, {event.at}) is not what was written at its place"
                return Finding(instance, Wrong.CHANGED, seq, message)
            head = seal.link(seq)
        if seal.head != head:
            return Finding(instance, Wrong.SEAL, seal.first, f"the seal of advance {seal.version} was altered")
    more = sorted(seq for seq in by_seq if not 0 <= seq < begin)
    if more:
        return Finding(instance, Wrong.INSERTED, more[0], f"event {more[0]} was put in: the chain does not have it")
    return None


def _causes(
    instance: str, seals: Sequence[Seal], logged: Sequence[LoggedEvent], causes: Sequence[KeptCause]
) -> Finding | None:
    """Whether what advances were made by is what was bound to them. Of one without events nothing is bound for good."""
    kept = {each.version: each for each in causes}
    erased = any(event.type == EventType.DATA_ERASED.value for event in logged)
    for seal in seals:
        cause, place = kept.get(seal.version), seal.first if seal.length else None
        if seal.bound is None:
            if seal.lost and not erased:
                message = f"the seal of advance {seal.version} is that of one with something erased, and nothing was"
                return Finding(instance, Wrong.SEAL, place, message)
            continue
        told = ("", None) if cause is None else (cause.at, cause.cause)
        if not is_bound(seal.bound, seal.version, *told):
            message = f"what advance {seal.version} was made by is not what was written"
            return Finding(instance, Wrong.CAUSE, place, message)
    return None


def _pinned(instance: str, seals: Sequence[Seal], begin: int, pinned: Pinned) -> Finding | None:
    """Whether the chain has, at its place, the link of the checkpoint."""
    if pinned.events == 0 or pinned.events <= begin:
        return None
    seq = pinned.events - 1
    held = next((seal for seal in seals if seal.first <= seq < seal.first + seal.length), None)
    if held is None:
        end = seals[-1].first + seals[-1].length if seals else 0
        message = f"the log ends before event {end}; at the checkpoint it had {pinned.events} events: it was cut off"
        return Finding(instance, Wrong.TRUNCATED, end, message)
    if held.link(seq).hex() != pinned.head:
        message = f"the chain up to event {seq} is another one than at the checkpoint: it was written anew"
        return Finding(instance, Wrong.REWRITTEN, None, message)
    return None
