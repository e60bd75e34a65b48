"""The page about the event log, made of the events of real instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs.make.markdown import code, codes, page, table
from engine.events import EventType

SAYS: Final[Mapping[str, str]] = {
    "instance_started": "an instance was made",
    "activity_started": "an activity that a handler or a model does was handed out",
    "activity_completed": "its outputs were written; `head` is the new snapshot, `round` how many rounds of "
    "its loop were over, `instances` how many of its instances there were, whose outputs it has collected",
    "sla_missed": "the activity that was completed took longer than its policy allows: since it was `ready`",
    "D1": "a context was compressed, or found nearly full",
    "recalled": "entries are shown in full again",
    "zones": "for a model call HISTORY and KNOWLEDGE are shown by zone; so many entries are in each",
    "D2": "a token split up",
    "D3": "tokens came together, or could not (`conflicts` with `status` denied)",
    "attention": "attention was measured by itself; otherwise it stands in the event of what was measured",
    "gateway": "a gateway sent a token on",
    "interrupted": "an event interrupted an activity; `lost` are the snapshots that were put aside",
    "intervention_raised": "a person is asked, and a token waits",
    "intervention_delegated": "somebody handed it to one person",
    "intervention_escalated": "nobody answered in time, and another role is asked, too",
    "intervention_answered": "it was answered, or its default came into force",
    "work_item_created": "a user or manual task waits for a person",
    "work_item_completed": "a person did it",
    "message_received": "a message came from outside",
    "chat_turn": "somebody said something into the process; `turn` is the variable that holds it",
    "model_call": "a model was called, or its answer recalled from before a crash; no text of either",
    "tool_call": "an agent called a tool, or somebody one of governance's; `arguments` is their hash, `public` those"
    " to be shown, `edited`: by a person",
    "knowledge_injected": "items of knowledge were brought in for an activity, or one `precise`ly in place of others",
    "knowledge_feedback": "the items that a model was shown rose or fell by what it made of them",
    "knowledge_found": "an activity found something out; `result` says what became of it",
    "chain": "a model thought about a compression, a branch or a merge; `fallback` says why the rule finished it",
    "notice": "people are told something; nothing waits; `to`: those whom a policy wants informed, `about` what",
    "refused": "AUTO_DENY: refused without asking anybody",
    "incident": "an element failed; the rest of the instance goes on",
    "incident_resolved": "it gets another try, or an operator passes over it: `how` is retry or skip",
    "skill_learned": "an activity went well often enough: what worked is shown to agents from now on",
    "dead_end": "`what` is `registered` (it failed), `refused`, `told` (much like one), `worked` (it is none any more)",
    "data_erased": "what it knew of a person was erased: so many values, events and decisions; `shared` values are "
    "held by other instances, too, and go with the last of them",
    "rewound": "the instance goes on from an earlier snapshot: so many advances are given up; `done` is what was done "
    "outside since, by key and effect, and is not undone",
    "context_restored": "a context was put back to an earlier snapshot",
    "variables_edited": "an operator has changed `variables`",
    "budget_raised": "a person has raised a budget, by so much and until then",
    "taint_lifted": "an operator takes entries for clean that came from outside, or derive from what did",
    "token_moved": "an operator has taken a token elsewhere: what that left `undone`, `passed_over`, and does `again`",
    "instance_migrated": "it goes on with another definition (hashes `before` and `definition`); `mapped` are elements "
    "with tokens or waiting events, `dropped` events that wait no more, `not_armed` those that do not wait yet",
    "instance_suspended": "an operator has stopped it: nothing moves",
    "instance_unsuspended": "an operator lets it go on; `approved_by` who had to agree to that, as below and above",
    "instance_cancelled": "an operator has ended it; `undone` is what was going on: kind and element",
    "instance_completed": "every token has reached an end",
    "instance_stalled": "nothing can move, and nothing can come from outside",
    "instance_failed": "only failed elements are left",
}

DATA: Final[Mapping[str, str]] = {
    "instance_started": "process, file, variables",
    "activity_started": "attempt",
    "activity_completed": "attention, head, outputs, d1, by, decision, tokens, round, instances",
    "sla_missed": "sla, ready, due",
    "D1": "activity, run, branch, band, reason, before, after, snapshot_before, snapshot_after, changes, "
    "passes, held, compressed, warning, overflow, decided_by",
    "recalled": "reason, keys, before, after",
    "zones": "before, after, raised, lowered, keep, compress, drop",
    "D2": "reason, branches, before, after",
    "D3": "reason, branches, before, after, bases, conflicts, record, decided_by",
    "attention": "attention",
    "gateway": "taken, attention",
    "interrupted": "interrupted, lost, head",
    "intervention_raised": "id, trigger, level, kind, message, shown_hash",
    "intervention_delegated": "id, by, to, reason",
    "intervention_escalated": "id, to, due",
    "intervention_answered": "id, decision, by, reason, status, shown_hash",
    "work_item_created": "id, shown_hash",
    "work_item_completed": "id, by",
    "message_received": "message, by",
    "chat_turn": "by, turn",
    "model_call": "model, request, turn, tokens, reported, tokens_ungoverned, chars, prefix_chars, recalled, "
    "tools, cost, tries, chain, templates",
    "chain": "chain, path, calls, fallback, keys, refused, left",
    "tool_call": "tool, turn, effect, arguments, public, by, edited, chars, failed",
    "knowledge_injected": "reason, form, items, left_out, tokens",
    "knowledge_feedback": "score, cited, steps",
    "knowledge_found": "id, result, confidence, other",
    "notice": "trigger, level, message, keys, to, about",
    "refused": "trigger, level, message",
    "incident": "error, kind",
    "incident_resolved": "how, by, reason, approved_by",
    "skill_learned": "id, line",
    "dead_end": "what, id, action, reason, failed, instead, similarity",
    "context_restored": "snapshot, before, by",
    "data_erased": "by, reason, keys, values, events, decisions, shared",
    "rewound": "snapshot, lost, by, reason, abandoned, done",
    "variables_edited": "by, reason, approved_by, variables",
    "budget_raised": "budget, by, reason, tokens, cost, minutes, until",
    "taint_lifted": "by, reason, approved_by, variables",
    "token_moved": "by, reason, approved_by, to, undone, passed_over, again",
    "instance_migrated": "by, reason, approved_by, before, definition, mapped, dropped, not_armed, added, removed",
    "instance_suspended": "by, reason",
    "instance_unsuspended": "by, reason, approved_by",
    "instance_cancelled": "by, reason, approved_by, undone",
    "instance_completed": "reason, head",
    "instance_stalled": "reason, head",
    "instance_failed": "reason, head",
}
"""The fields of an event's data; those that say nothing are left out of an event."""


def write() -> str:
    rows = [[code(each.value), SAYS[each], codes(fields(each))] for each in EventType]
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


def fields(type: EventType) -> list[str]:
    """The names of the data of an event."""
    return DATA[type].split(", ")
