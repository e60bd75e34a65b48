"""A model without a model: it picks out what the prompt already says. Deterministic, no network.

It exists so that any process can run anywhere. It decides nothing: each output is the fact of that name, a value read
from a sentence, or a placeholder, and its confidence is the support of the weakest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.models.base import ModelAnswer, ModelRequest
from engine.models.offline.facts import MARK, Facts
from engine.models.offline.finding import GUESSED, READ, Finder, Found
from governance.snapshots.canonical import canonical
from governance.tokens import EstimatingCounter

_ANSWER_CHARS: Final = 600
_ANSWER_SENTENCES: Final = 4


class OfflineModel:
    """Extracts; says so in every answer. Tokens it reports are estimates."""

    name: Final = "offline"

    def __init__(self) -> None:
        self._counter = EstimatingCounter()

    def answer(self, request: ModelRequest) -> ModelAnswer:
        schema = request.outputs_schema
        finder = Finder(Facts(request.messages), request.task, schema or {}, _fitting(schema or {}))
        if schema is None:
            text, support = self._text(finder, request.task)
            outputs = None
        else:
            found = _found(finder, schema)
            outputs = {name: each.value for name, each in found.items()}
            text = _told(found)
            support = min((each.support for each in found.values()), default=READ)
        said = text if outputs is None else text + canonical(outputs).decode()
        return ModelAnswer(
            text=text,
            outputs=outputs,
            confidence=support,
            tokens_in=sum(map(self._counter.count, request.texts())),
            tokens_out=self._counter.count(said),
            model=self.name,
        )

    def _text(self, finder: Finder, task: str) -> tuple[str, float]:
        found = finder.text(task, limit=_ANSWER_CHARS, most=_ANSWER_SENTENCES)
        if found is None:
            return f"{MARK}There is no text in the context.", GUESSED
        return found.value, found.support


def _found(finder: Finder, schema: Mapping[str, Any]) -> dict[str, Found]:
    """A value for every required output, and for those optional ones that are supported."""
    required = set(schema.get("required", ()))
    found = {name: finder.find(name, part) for name, part in schema.get("properties", {}).items()}
    return {name: each for name, each in found.items() if name in required or each.support > GUESSED}


def _told(found: Mapping[str, Found]) -> str:
    """One sentence: what was found, and what is a placeholder."""
    extracted = [name for name, each in found.items() if each.support > GUESSED]
    guessed = [name for name, each in found.items() if each.support <= GUESSED]
    parts = [f"extracted {', '.join(extracted)} from the context" if extracted else "found nothing in the context"]
    if guessed:
        parts.append(f"placeholders for {', '.join(guessed)}")
    return f"{MARK}{'; '.join(parts)}."


def _fitting(root: Mapping[str, Any]) -> Callable[[Any, Any], bool]:
    """Whether a value fits a part of the schema; the part's references lead into the whole."""
    from jsonschema import Draft202012Validator

    definitions = {name: root[name] for name in ("$defs", "definitions") if name in root}
    validators: dict[int, Draft202012Validator] = {}

    def fits(value: Any, part: Any) -> bool:
        if not isinstance(part, Mapping):
            return part is not False
        if id(part) not in validators:
            validators[id(part)] = Draft202012Validator({**definitions, **part})
        return bool(validators[id(part)].is_valid(value))

    return fits
