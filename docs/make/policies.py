"""The page about the fields of a policy, made of the models and of the names they have in XML."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel

from bpmn.policies.fields import FIELDS, camel
from bpmn.policies.own import CHILDREN
from bpmn.policies.places import BEARERS
from bpmn.reader.kinds import ACTIVITIES, EVENTS, GATEWAYS
from docs.make.markdown import code, codes, page, table
from governance.policy import Approval, KnowledgeRequirement, Policy
from governance.vocabulary import CompressStrategy, InteractionLevel, MergeStrategy, SplitStrategy

_FIELD_OF: Final = {
    "split": "branchStrategy.split",
    "merge": "branchStrategy.merge",
    "merge_keys": "branchStrategy.keys",
}
"""The XML names of fields that are not named after them."""

_SAYS: Final = {
    "working_threshold": "how many characters of WORKING an agent is shown at most; D1's pressure is measured by it",
    "retain_keys": "variables that D1 never shortens, by name or glob (`*`, `?`, `[...]`); at a join a person decides "
    "about them unless a strategy is declared",
    "compress_strategy": "how far D1 lowers entries in its medium band",
    "interaction_level": "the least that a person is involved: a floor, never a ceiling",
    "knowledge_requirements": "[knowledge](../concepts/knowledge.md) to be looked for before the activity",
    "split": "what the agents of a branch see of the context before the split (D2)",
    "merge": "how a join settles what branches wrote differently (D3)",
    "merge_keys": "the same for single variables, by name, by a place inside one (`claim.total`, or `claim/total`), or "
    "by glob",
    "approval": "who may answer what the activity asks, and by when",
    "budget": "what the model calls of an activity run may use at most; on the process, with `instance.`, those of "
    "all its activities together: [Budgets](../concepts/budgets.md)",
    "personal_keys": "variables about a person, by name or glob, also inside objects (`customer.name`): "
    "[masked and erasable](../concepts/personal-data.md), in all of the instance",
    "qts_preset": "what counts how much when D1 asks [how relevant](../concepts/cda.md#qts) an entry is",
    "zones": "whether [zones](../concepts/cda.md#zones) grade what models are shown of HISTORY and KNOWLEDGE; "
    "`auto`: from 20 % of the window or 50 records on",
    "accountable": "the person who answers for what is done; `governor check --rule accountable` finds agents without "
    "one",
    "risk_class": "how much harm it can do when it goes wrong; an agent's activity that is `high` and that no person "
    "has to look at is a [finding](rules/risk-class.md)",
    "retention": "on the process: how long after an instance has ended [`governor gc`](../concepts/store.md) keeps it; "
    "then `gc` removes it",
    "informed": "people and roles who are told when the activity was completed, failed or somebody is asked about it: "
    "a `notice` each",
    "sla": "how long a task may take from being ready to being completed: when it took longer, `sla_missed` is "
    "recorded, and a person's task that has no due time of its own is due then",
    "window_tokens": "tokens that the model's window holds; D1's usage is measured by it",
}
_APPROVAL: Final = {
    "roles": "any of them may answer; none: everybody",
    "four_eyes": "not the person who started the instance",
    "due": "ISO 8601 duration from the question on (`PT4H`)",
    "default": "the decision that stands when nobody answered until then; recorded as a timeout",
    "escalate_to": "the role that is asked, too, when nobody answered until `due`; the `default` waits as long again",
}
_KNOWLEDGE: Final = {
    "type": "kind of knowledge",
    "query": "what to look for",
    "count": "how many items",
    "min_confidence": "how sure they are at least, 0 to 1",
}
_COMPRESS: Final = {
    CompressStrategy.SUMMARY: "a summary of at most 30 % of the size, marked `[Compressed]`",
    CompressStrategy.AGGRESSIVE: "the key and at most 80 characters",
    CompressStrategy.ARCHIVE: "not shown; one line says how many keys are archived",
}
_SPLIT: Final = {
    SplitStrategy.INHERIT_ALL: "all that stands",
    SplitStrategy.INHERIT_RETAINED: "retained keys, and entries with a confidence above 0.7",
    SplitStrategy.ISOLATED: "SYSTEM and PROCESS alone",
}
_MERGE: Final = {
    MergeStrategy.LAST_WRITE: "the latest write stands",
    MergeStrategy.HIGHEST_CONFIDENCE: "the surest value stands; of equally sure ones the latest, or a person decides "
    "from `DIFF_PREVIEW` on",
    MergeStrategy.HUMAN: "a person decides",
    MergeStrategy.MODEL: "a model chooses with a reason; below 0.7 confidence, or without a model, a person decides",
    MergeStrategy.SUM: "the base and what each write added to it",
    MergeStrategy.APPEND: "the list and what each write appended to it",
    MergeStrategy.UNION: "the items of all lists, each once",
    MergeStrategy.MIN: "the least value",
    MergeStrategy.MAX: "the greatest value",
}
_LEVEL: Final = {
    InteractionLevel.AUTO_ALLOW: "nobody is asked or told",
    InteractionLevel.MICRO_SUGGESTION: "people are told, and the token goes on",
    InteractionLevel.DIFF_PREVIEW: "the token waits until somebody has seen the difference",
    InteractionLevel.EXPLICIT_APPROVAL: "the token waits for somebody's approval",
    InteractionLevel.AUTO_DENY: "refused; written as an activity's floor it only tells, in this version",
}


def write() -> str:
    return page(
        "The fields of a policy",
        "How policies are written and inherited: [Policies](../concepts/policies.md).",
        table(["in XML", "allowed", "default", "says"], [_row(name) for name in Policy.model_fields]),
        _forms(),
        f"## compressStrategy\n\n{_choices(CompressStrategy, _COMPRESS)}",
        f"## interactionLevel\n\nLowest first.\n\n{_choices(InteractionLevel, _LEVEL)}",
        f"## branchStrategy.split\n\n{_choices(SplitStrategy, _SPLIT)}",
        f"## branchStrategy.merge and mergeKey\n\n{_choices(MergeStrategy, _MERGE)}\n\n{_NO_STRATEGY}",
        f"## approval\n\n{_parts(Approval, _APPROVAL)}",
        f"## knowledgeRequirement\n\n{_parts(KnowledgeRequirement, _KNOWLEDGE)}",
    )


_NO_STRATEGY: Final = (
    "Without a strategy, a person decides about retained variables and those that a condition after the join reads; "
    "of all others the last write stands, and people are told."
)


def _row(name: str) -> list[str]:
    written = _FIELD_OF.get(name, camel(name))
    allowed = FIELDS[written].allowed
    told = codes(allowed) if all(each.isupper() for each in allowed) else "; ".join(allowed)
    default = Policy.model_fields[name].get_default(call_default_factory=True)
    return [code(written), told, _default(default), _SAYS[name]]


def _default(value: Any) -> str:
    if isinstance(value, BaseModel) or value in (None, "", (), {}):
        return "-"
    if isinstance(value, bool):
        return code(str(value).lower())
    return code(f"{value:,}" if isinstance(value, int) else value)


def _choices(words: Any, says: Any) -> str:
    return table(["value", "means"], [[code(word.value), says[word]] for word in words])


def _parts(model: type[BaseModel], says: dict[str, str]) -> str:
    fields = model.model_fields.items()
    rows = [
        [code(camel(name)), "required" if each.is_required() else _default(each.default), says[name]]
        for name, each in fields
    ]
    return table(["attribute", "default", "says"], rows)


def _forms() -> str:
    others = sorted(BEARERS - ACTIVITIES - EVENTS - GATEWAYS)
    return (
        "## Where and how\n\n"
        f"On activities, events and gateways, and on {codes(others)}; on a sequence flow it is read and has "
        "no effect in this version. Each field by itself, in one of these forms; the namespace is "
        "`urn:bpmn-governor:governance:1.0`:\n\n"
        "- an attribute of the element: `gov:workingThreshold=\"8000\"`\n"
        "- `<gov:setting name=\"workingThreshold\" value=\"8000\"/>` in its `extensionElements`\n"
        "- a property of a vendor's (`camunda:property`, `zeebe:property`, those of Operaton, Flowable, Activiti and "
        "SpiffWorkflow), a `zeebe:header`, a `zeebe:input`, a `camunda:inputParameter`, a `flowable:field`, or a "
        "`spiffworkflow:taskMetadataValue`, named `gov:workingThreshold`, `gov.workingThreshold` or "
        "`gov_workingThreshold`\n"
        f"- `<gov:policy workingThreshold=\"8000\">` there, with the children {codes(CHILDREN)}"
    )
