"""An advance as rows of tables."""

from __future__ import annotations

from engine.people.work_item import WorkItem
from engine.store.advance import Advance
from engine.store.checkpoints import entries_held, entries_in
from engine.store.documents import dump, dump_bytes, dump_time
from engine.store.incidents import is_incident
from engine.store.packing import pack
from engine.store.plain import Row
from governance.human_loop.intervention import Intervention
from governance.snapshots.commits import dump_commit

_NO_CHARACTER = "\ufffd"
"""Stands for NUL, which no text of PostgreSQL may hold, in what a failed handler says."""


def state_row(advance: Advance) -> Row:
    """How the instance stands after it, and what the compare-and-set asks for."""
    checkpoint = advance.checkpoint
    return {
        "of_version": advance.version,
        "of_epoch": advance.epoch,
        "status": str(advance.status),
        "reason": None if advance.reason is None else advance.reason.replace("\x00", _NO_CHARACTER),
        "head": None if advance.head is None else bytes.fromhex(advance.head),
        "due": dump_time(advance.due),
        "counters": dump(advance.counters),
        "updated_at": advance.at,
        "protocol": advance.protocol,
        "kept": 1 if checkpoint is None else 0,
        "counted": entries_in(advance.commits) if checkpoint is None else -entries_held(checkpoint[1]),
    }


def value_rows(advance: Advance) -> list[Row]:
    """In one order for all, so that two transactions with the same values do not wait for each other."""
    return [{"hash": bytes.fromhex(value_hash), "body": pack(body)} for value_hash, body in sorted(advance.values)]


def commit_rows(number: int, advance: Advance) -> list[Row]:
    return [
        {
            "instance": number,
            "generation": commit.generation,
            "id": bytes.fromhex(commit.id),
            "body": pack(dump_commit(commit)),
        }
        for commit in advance.commits
    ]


def checkpoint_rows(number: int, advance: Advance) -> list[Row]:
    if advance.checkpoint is None:
        return []
    snapshot, contents = advance.checkpoint
    return [{"instance": number, "snapshot": bytes.fromhex(snapshot), "body": pack(dump_bytes(contents))}]


def event_rows(number: int, advance: Advance) -> list[Row]:
    return [
        {
            "instance": number,
            "seq": event.seq,
            "at": event.at,
            "type": event.type.value,
            "element": event.element,
            "branch": event.branch,
            "data": pack(dump_bytes(event.data)),
        }
        for event in advance.events
    ]


def live_rows(number: int, advance: Advance) -> list[Row]:
    return [
        {"instance": number, "key": key, "body": body.decode(), "incident": int(is_incident(key, body))}
        for key, body in advance.live_upserts
    ]


def intervention_json(intervention: Intervention) -> str:
    return intervention.model_dump_json(exclude_defaults=True)


def listed(number: int, record: WorkItem | Intervention, body: str) -> Row:
    """What lists are made of is in columns; the record is in the body."""
    return {
        "id": record.id,
        "instance": number,
        "status": record.status,
        "created_at": record.created_at,
        "body": body,
    }
