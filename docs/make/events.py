"""The page about the event log, made of the events of real instances."""

from __future__ import annotations

from typing import Final

from docs.make.markdown import code, codes, page, table
from engine.events import EventType

SAYS: Final = {
    EventType.INSTANCE_STARTED: "an instance was made",
    EventType.ACTIVITY_STARTED: "an activity that a handler or a model does was handed out",
    EventType.ACTIVITY_COMPLETED: "its outputs were written; `head` is the new snapshot",
    EventType.D1: "a context was compressed, or found nearly full",
    EventType.D2: "a token split up",
    EventType.D3: "tokens came together, or could not (`conflicts` with `status` denied)",
    EventType.ATTENTION: "not written in this version: measures stand in the events of what was measured",
    EventType.GATEWAY: "a gateway sent a token on",
    EventType.INTERRUPTED: "an event interrupted an activity; `lost` are the snapshots that were put aside",
    EventType.INTERVENTION_RAISED: "a person is asked, and a token waits",
    EventType.INTERVENTION_ANSWERED: "it was answered, or its default came into force",
    EventType.WORK_ITEM_CREATED: "a user or manual task waits for a person",
    EventType.WORK_ITEM_COMPLETED: "a person did it",
    EventType.MESSAGE_RECEIVED: "a message came from outside",
    EventType.MODEL_CALL: "a model was called, or its answer recalled from before a crash; no text of either",
    EventType.NOTICE: "people are told something; nothing waits",
    EventType.INCIDENT: "an element failed; the rest of the instance goes on",
    EventType.INCIDENT_RESOLVED: "it gets another try",
    EventType.CONTEXT_RESTORED: "a context was put back to an earlier snapshot",
    EventType.INSTANCE_COMPLETED: "every token has reached an end",
    EventType.INSTANCE_STALLED: "nothing can move, and nothing can come from outside",
    EventType.INSTANCE_FAILED: "only failed elements are left",
}

DATA: Final = {
    EventType.INSTANCE_STARTED: "process, file, variables",
    EventType.ACTIVITY_STARTED: "attempt",
    EventType.ACTIVITY_COMPLETED: "attention, head, outputs, d1, by, decision, tokens",
    EventType.D1: "activity, run, branch, band, reason, before, after, snapshot_before, snapshot_after, changes, "
    "passes, held, compressed, warning, overflow, decided_by",
    EventType.D2: "reason, branches, before, after",
    EventType.D3: "reason, branches, before, after, bases, conflicts, record, decided_by",
    EventType.ATTENTION: "",
    EventType.GATEWAY: "taken, attention",
    EventType.INTERRUPTED: "interrupted, lost, head",
    EventType.INTERVENTION_RAISED: "id, trigger, level, kind, message",
    EventType.INTERVENTION_ANSWERED: "id, decision, by, reason, status",
    EventType.WORK_ITEM_CREATED: "id",
    EventType.WORK_ITEM_COMPLETED: "id, by",
    EventType.MESSAGE_RECEIVED: "message",
    EventType.MODEL_CALL: "model, request, turn, tokens, reported, tokens_ungoverned, chars, prefix_chars, recalled",
    EventType.NOTICE: "trigger, level, message, keys",
    EventType.INCIDENT: "error, kind",
    EventType.INCIDENT_RESOLVED: "how",
    EventType.CONTEXT_RESTORED: "snapshot, before, by",
    EventType.INSTANCE_COMPLETED: "reason",
    EventType.INSTANCE_STALLED: "reason",
    EventType.INSTANCE_FAILED: "reason",
}
"""The fields of an event's data; those that say nothing are left out of an event."""


def write() -> str:
    rows = [[code(each.value), SAYS[each], codes(_fields(each)) or "-"] for each in EventType]
    return page(
        "The event log",
        "An instance's events are numbered from 0 and never changed. "
        "`governor show INSTANCE --events` tells them; with `--json` each is an object:",
        table(
            ["field", "holds"],
            [
                [code("seq"), "its number"],
                [code("at"), "when, UTC; all events of an advance have the same time"],
                [code("type"), "see below"],
                [code("element"), "id of the element it is about, or `null`"],
                [code("branch"), "name of the branch, empty for the main one"],
                [code("data"), "an object with the fields below; what an event has nothing to say about is left out"],
            ],
        ),
        "Prompts and answers are not in the log, nor are variables: `outputs` maps names to hashes, `head` and "
        "`snapshot_...` name snapshots (`governor context show INSTANCE SNAPSHOT`). What is in it besides is one-line "
        "decisions and reasons, and in `D3` the values that branches disagreed about.",
        table(["type", "means", "data"], rows),
    )


def _fields(type: EventType) -> list[str]:
    return [name for name in DATA[type].split(", ") if name]
