"""The page about files of prepared answers, made of the fields they may have."""

from __future__ import annotations

from typing import Final, get_args

from docs.make.markdown import code, codes, page, table
from engine.people.answers import PreparedAnswer
from governance.human_loop.intervention import Decision, Kind
from governance.vocabulary import Trigger

SAYS: Final = {
    "element": "id of the user or manual task, or of the element that asks; required",
    "outputs": "does a task: its outputs by name",
    "decision": f"answers an intervention: {codes(get_args(Decision))}; `deny` needs a `reason`, `edit` and `resolve` "
    "need `values`",
    "values": "by key, what `edit` or `resolve` puts in place: see below",
    "reason": "why; kept with the answer",
    "by": "who answers; left out: `--user`, else `USER`",
    "kind": f"only for interventions of this kind: {codes(get_args(Kind))}",
    "trigger": f"only for interventions raised by this: {codes(each.value for each in Trigger)}",
    "roles": "the roles of who answers, a name or a list; left out: those of `--role`",
    "shown": "the hash of what was seen (`shown_hash`), or its beginning, 8 characters at least: an answer to anything "
    "else is refused",
    "times": "how often it may be used: a number, or `always`; left out: once",
}
_KINDS: Final = {
    "retained_overflow": "what the policy retains does not fit: `approve` goes on as it is, or releases "
    "keys: `values: {release: [key]}`",
    "usage_overflow": "the prompt does not fit the model's window",
    "d1_preview": "a compression that somebody is to see; `deny` takes it back",
    "output_preview": "outputs that somebody is to see before they count",
    "quality": "outputs that are doubtful, missing or mistyped",
    "conflict": "branches that disagree",
    "emergency": "attention below 0.2",
    "system_write": "a change of SYSTEM while an instance runs",
    "operation": "something that an operator wants to do to an instance",
    "budget": "tokens, cost or minutes that are used up; `approve` raises the budget by as much again",
    "dead_end": "an activity that failed before in the same way; `approve` does it anyway",
    "tool": "a tool that an agent calls, or what the agent itself asks by `human_confirm`",
}


def write() -> str:
    names = [name for name in PreparedAnswer.__dataclass_fields__ if name not in ("file", "line")]
    return page(
        "Answers from a file",
        "A YAML list. Each entry does a task or answers an intervention; entries for the same element are used in the "
        "order of the file. `--answers FILE` of `run`, `resume` and `retry` reads it: "
        "[how to](../howto/answer-from-a-script.md).",
        table(["field", "says"], [[code(name), SAYS[name]] for name in names]),
        "An entry has either `outputs` or a `decision`. An unknown field, an element that the process does not have "
        "and an answer that does not fit what is asked are errors that name file and line (exit code 2); entries that "
        "were not used are told when the command ends.",
        "## kind\n\n" + table(["kind", "asks about"], [[code(kind), _KINDS[kind]] for kind in get_args(Kind)]),
        "## values\n\n"
        "For `resolve`, by the name of the variable, or a place inside one: `claim.total`, or `claim/total` (or the "
        "`id` of the conflict that `governor inbox show` tells): "
        "`{take: BRANCH}`, where a branch may be named by the element that it led to; `{value: VALUE}` or the value "
        "itself; `{delete: true}`. For `edit`, the outputs as they are to be, by name; those left out stay. "
        "Of a text that changes, `{hunks: [1, 3]}` takes these changes alone, by the numbers that `governor inbox "
        "show` tells, `{hunks: []}` none. For `approve` of a compression, `keep: [name]` leaves entries as they were.",
        "YAML is read as JSON values: `no` and `2026-01-01` are text; aliases are refused.",
    )
