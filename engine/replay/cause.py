"""What an advance was made by, kept with it: enough to make it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engine.operations.operation import Operation
from engine.post import Post
from governance.human_loop.intervention import InterventionAnswer
from governance.snapshots.values import ValueStore


class Kind(StrEnum):
    """What moved an instance."""

    MOVE = "move"
    WORKED = "worked"
    DONE = "done"
    DELIVER = "deliver"
    RECEIVE = "receive"
    SIGNAL = "signal"
    BEGIN = "begin"
    ANSWER = "answer"
    DELEGATE = "delegate"
    RESTORE = "restore"
    OPERATE = "operate"
    TOOL = "tool"
    CHAT = "chat"
    SYSTEM = "system"
    REWIND = "rewind"
    OTHER = "other"


class Cause(NamedTuple):
    """`data` is JSON; what people, services and models said stands in it as hashes of stored values (`*_hash`, and
    those in `outputs`), so that it can be erased."""

    kind: Kind
    data: Mapping[str, Any]


NOT_KEPT: Final = Cause(Kind.OTHER, {})
"""Something that is not kept: nothing after it can be made again."""


def kept(values: ValueStore, named: Mapping[str, Any]) -> dict[str, str]:
    """Values by name, as hashes."""
    return {name: values.put(value) for name, value in named.items()}


def dump_post(values: ValueStore, post: Post) -> dict[str, Any]:
    """A post, its payload by hash."""
    row = {name: value for name, value in asdict(post).items() if value is not None and name != "payload"}
    return {**row, "payload": kept(values, post.payload)}


def load_post(values: ValueStore, row: Mapping[str, Any]) -> Post:
    payload = {name: values.get(each) for name, each in row["payload"].items()}
    topics = tuple((kind, name) for kind, name in row["topics"])
    return Post(**{**row, "payload": payload, "topics": topics})


def dump_answer(values: ValueStore, given: InterventionAnswer) -> dict[str, Any]:
    """An answer; reason and values by hash."""
    row = given.model_dump(mode="json", exclude={"values", "reason"})
    row["reason_hash"] = values.put(given.reason)
    return row if given.values is None else {**row, "values_hash": values.put(dict(given.values))}


def load_answer(values: ValueStore, row: Mapping[str, Any]) -> InterventionAnswer:
    plain = {name: value for name, value in row.items() if not name.endswith("_hash")}
    plain["reason"] = values.get(row["reason_hash"])
    plain["shown_hash"] = row["shown_hash"]
    plain["values"] = values.get(row["values_hash"]) if "values_hash" in row else None
    return InterventionAnswer.model_validate(plain)


def dump_operation(values: ValueStore, wanted: Operation) -> dict[str, Any]:
    """What an operator wants; variables by hash."""
    row = wanted.dump()
    return {**row, "values": kept(values, wanted.values)} if wanted.values else row


def load_operation(values: ValueStore, row: Mapping[str, Any]) -> Operation:
    variables = {name: values.get(each) for name, each in row.get("values", {}).items()}
    return Operation.load({"by": "", **row, "values": variables})
