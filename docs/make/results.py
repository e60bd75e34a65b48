"""The page about the object that a run ends with: its parts, and the fields of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from docs.make.markdown import code, page, table

PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "": {
        "instance": "its id",
        "status": "`completed`, `waiting`, `failed`, `stalled`; `running` only if it was killed and not resumed",
        "reason": "why it failed or stalled, else `null`",
        "variables": "the process variables by name, in full; without those that branches differ about",
        "differing": "of an instance with branches that have not come together, the variables that they wrote "
        "differently: by name a list of `branch` with `value` or `deleted`",
        "decisions": "an object with the lists `D1`, `D2` and `D3`, oldest first",
        "conflicts": "every conflict of every join, and how it ended",
        "dead_ends": "what failed and is not done again, and what was refused or told because of it",
        "interventions": "what people were asked, then what they were told",
        "waiting": "what it waits for",
        "incidents": "what failed and was not given another try",
        "measures": "numbers over the whole instance",
    },
    "decisions.D1[]": {
        "at": "when, UTC",
        "activity": "id of the coming activity",
        "branch": "name of the branch, empty for the main one",
        "band": "`none`, `light`, `medium` or `forced`; the fields after `compressed` are there with a band only",
        "reason": "why, in one line",
        "before": "`pressure` and `usage`; with a band also `chars` and `tokens`",
        "after": "the same after it",
        "compressed": "whether less is shown than before",
        "run": "the activity run",
        "snapshot_before": "the snapshot to go back to",
        "snapshot_after": "the new one",
        "changes": "what fell, in this order: `key`, `from`, `to`, `chars_before`, `chars_after`",
        "passes": "how often it went over the entries",
        "held": "how many entries were kept, by what kept them",
        "warning": "whether 80 % of the threshold were reached",
        "overflow": "what could be released, if what may not be shortened does not fit; else `null`",
        "decided_by": "`rules`",
    },
    "decisions.D2[]": {
        "at": "when, UTC",
        "element": "id of what split the token",
        "branch": "the branch that split",
        "reason": "why, in one line",
        "branches": "names of the new branches",
        "before": "the snapshot that was split",
        "after": "the snapshots of the branches, each once",
    },
    "decisions.D3[]": {
        "at": "when, UTC",
        "element": "id of the join",
        "branch": "the branch that goes on",
        "reason": "why, in one line",
        "branches": "names of the branches that came together",
        "before": "their snapshots, in the same order",
        "after": "the merged snapshot",
        "bases": "the snapshots at which the branches parted",
        "conflicts": "if there are any: what the rules made of them, before people answered",
        "record": "the same: what HISTORY keeps of it, with the values that lost",
        "decided_by": "if people decided: who",
    },
    "conflicts[]": {
        "element": "id of the join",
        "at": "when, UTC",
        "id": "what an answer names it by",
        "key": "the entry, as `WORKING/name`",
        "path": "the place inside the value; `null`: the whole value",
        "base": "what stood there when the branches parted; left out if nothing did",
        "values": "oldest first: `branch`, `value` (or `deleted`), `created_at`, `confidence`, `activity`",
        "strategy": "the strategy that applied",
        "status": "`settled`, `open` or `denied`",
        "reason": "why, in one line",
        "winner": "settled: the branch whose value stands, `null` for one that was put together",
        "value": "settled: the value that stands; `deleted` instead if none does",
        "decided_by": "settled: `rule` or `person`",
        "lost": "settled: the values that do not stand",
    },
    "interventions[]": {
        "trigger": "`RUNTIME`, `QUALITY` or `CONFLICT`",
        "level": "how far people are involved",
        "element": "id of the activity or join",
        "branch": "name of the branch",
        "created_at": "when, UTC",
        "message": "one line",
        "status": "`told`, or of a question `open`, `answered`, `expired`, `withdrawn`; the fields below are there for "
        "questions only, but for `to` and `about`",
        "to": "told: whom the policy wants informed, if that is why",
        "about": "told to them: `completed`, `failed` or `asked`",
        "id": "what it is answered under",
        "instance": "the instance",
        "kind": "[what it asks about](answers.md#kind)",
        "shown": "what the person sees",
        "shown_hash": "the hash that an answer is bound to",
        "options": "the decisions it takes",
        "default": "the decision that stands when nobody answers until `due`",
        "due": "until when",
        "roles": "who may answer; empty: everybody",
        "escalate_to": "the role that is asked, too, once `due` has passed",
        "escalated_at": "when that was, or `null`",
        "delegations": "who handed it to whom: `by`, `to`, `at`, `reason`",
        "four_eyes": "whether the person who started the instance may not",
        "answer": "`decision`, `by`, `at`, `reason`, `values`, `shown_hash`; `null` without one",
    },
    "dead_ends[]": {
        "at": "when, UTC",
        "element": "id of the activity",
        "branch": "name of the branch",
        "what": "`registered`, `refused`, `told` or `worked`",
        "id": "the dead end",
        "action": "what was done: `activity:ID`, `tool:NAME`, `outputs:ID` or `strategy:VARIABLE`",
        "reason": "why it failed",
        "failed": "how often",
        "instead": "what worked instead, if that is known",
        "similarity": "refused, told: how alike what was about to be done is",
    },
    "waiting[]": {
        "kind": "`work_item`, `intervention`, `message`, `signal` or `timer`",
        "element": "id of the element that waits",
        "id": "task, intervention: what it is answered under",
        "name": "task, message, signal: its name",
        "form": "task: JSON Schema of its outputs, or `null`",
        "assignee": "task: whose it is, or `null`",
        "users": "task: candidate users",
        "groups": "task: candidate groups, or the lane",
        "restricted": "task: whether only these may do it",
        "due": "task, intervention, timer: until when or when, or `null`",
        "level": "intervention: how far people are involved",
        "roles": "intervention: who may answer; empty: everybody",
        "delegate": "intervention: who alone may answer, for it was delegated to them, or `null`",
        "message": "intervention: one line",
        "options": "intervention: the decisions it takes",
    },
    "incidents[]": {
        "element": "id of the element",
        "error": "what went wrong",
        "kind": "the kind of error",
    },
    "measures": {
        "attention": "a measure for each finished activity and passed gateway",
        "attention_lowest": "the lowest score, `null` without any",
        "activities": "how many activities were finished",
        "model_calls": "how often models were called",
        "tokens_assembled": "tokens of all prompts, as counted here",
        "tokens_reported": "tokens of the same prompts, as the models report them",
        "tokens_answered": "tokens of the answers, as the models report them",
        "cost": "US dollars, of the calls whose price is known",
        "model_use": "the same for each element that called a model, chains of governance too",
        "tokens_without_governance": "tokens that they would have had with every entry in full",
        "compression_ratio": "the former by the latter; 1 without a prompt",
    },
    "measures.model_use[]": {
        "element": "id of the activity, or of the join whose conflicts a model judged",
        "calls": "how often",
        "tokens": "of its prompts, as counted here",
        "reported": "of the same prompts, as the models report them",
        "answered": "of the answers, as the models report them",
        "cost": "US dollars, of the calls whose price is known",
    },
    "measures.attention[]": {
        "at": "when, UTC",
        "element": "id of the activity or gateway",
        "branch": "name of the branch",
        "score": "-0.5 to 1",
        "vector": "`capacity`, `duplication`, `knowledge`, `branch`, `conflict`",
        "action": "[what the score asks for](../concepts/attention.md)",
    },
}
"""By place in the object (`.` a field, `[]` each item of a list), what its fields hold."""

SOMETIMES: Final[Mapping[str, str]] = {"conflicts[]": "deleted", "interventions[]": "keys"}
"""Fields that are told with another one."""


def write() -> str:
    parts = [_part(place or "The object", fields) for place, fields in PARTS.items()]
    return page(
        "The result of a run",
        "`governor run FILE --json` ends with one JSON object on standard output; so do `resume`, `retry`, `message`, "
        "`show`, `inbox answer`, `context restore` and `context system`. In Python it is "
        "[`RunResult`](../howto/embed.md), whose `to_json()` gives it.",
        "`governor show --json` has `process`, `definition`, `starter`, `created_at`, `updated_at` and `settings` "
        "besides, and with `--events` [the event log](events.md) as `events`. [Exit codes](cli.md#exit-codes) say the "
        'status in short. What cannot be done ends with `{"error": {"type", "message", ...}}` and exit code 2.',
        *parts,
    )


def _part(title: str, fields: Mapping[str, str]) -> str:
    return f"## {title}\n\n" + table(["field", "holds"], [[code(name), says] for name, says in fields.items()])


def objects(document: Mapping[str, Any], place: str) -> Iterator[Mapping[str, Any]]:
    """The objects that stand at a place of a result."""
    found: Iterable[Any] = [document]
    for step in filter(None, place.split(".")):
        name = step.removesuffix("[]")
        found = [each[name] for each in found]
        if step != name:
            found = [item for items in found for item in items]
    yield from found
