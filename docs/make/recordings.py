"""The page about recorded turns of models, made of the models that read them."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel

from docs.make.markdown import code, page, table
from engine.models.recording import RecordedAnswer, RecordedTurn

_TURN: Final = {
    "activity": "id of the activity; required",
    "branch": "glob over the branch's name; left out: any",
    "visit": "the activity's first, second ... run in the instance",
    "attempt": "the attempt of that run; 2 after a retry, or when a person sent the outputs back",
    "turn": "the model call of that attempt; 2 after tools were called, or after outputs that did not fit",
    "repeat": "`true`: serves every later call, too",
    "chain": "for a chain of governance at this element (`D1_model`, `D2_model`, `D3_conflict`), not for its agent",
    "answer": "what the model says; either this or `fail`",
    "fail": "the message that the model fails with",
}
_ANSWER: Final = {
    "text": "prose; its first sentence is the decision in the record, and without declared outputs it is the output",
    "tool_calls": "calls of tools, each `{name: ..., arguments: {...}}`",
    "outputs": "the declared outputs by name",
    "confidence": "how sure, 0 to 1; left out: 0.7 is taken",
    "tokens_in": "as the provider reported it; left out: estimated",
    "tokens_out": "the same for the answer",
    "cost": "US dollars, as the provider's price list has it",
    "tries": "how many calls it took",
}


def write() -> str:
    return page(
        "Recorded turns",
        "`--model replay:FILE` answers model calls from a YAML file, `{turns: [...]}`: [how to](../howto/models.md). "
        "A turn:",
        _fields(RecordedTurn, _TURN),
        "An `answer`:",
        _fields(RecordedAnswer, _ANSWER),
        "Of an activity's turns those that fit the call are looked at, the most exact first. What a turn leaves out is "
        "counted in file order: of two turns for an activity that name no `visit`, the second serves the second visit, "
        "or the second attempt or turn of the first. A call that no turn is left for is an incident that names "
        "activity, visit, attempt, turn and file; `governor retry` goes on once it is recorded.",
    )


def _fields(model: type[BaseModel], says: dict[str, str]) -> str:
    return table(["field", "says"], [[code(name), says[name]] for name in model.model_fields])
