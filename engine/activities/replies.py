"""Reading what a model answered: outputs, a decision, a confidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.activities.work import DeadEndNote, Finding
from engine.models.base import ModelAnswer
from governance.summaries.clipping import clip
from governance.summaries.sentences import sentences

_OUTPUTS, _DECISION, _CONFIDENCE, _FINDINGS = "outputs", "decision", "confidence", "findings"
_MOST_FINDINGS: Final = 20
_LONGEST_FINDING: Final = 2_000
_DEAD_ENDS: Final = "dead_ends"
_LONGEST_DECISION: Final = 200
_MOST_FAILURES: Final = 1_000
"""So many braces that begin no object are looked at; a text of braces alone costs no more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, read. `outputs` is None if there is no JSON object in it."""

    outputs: Mapping[str, Any] | None
    decision: str | None
    confidence: float | None
    findings: tuple[Finding, ...] = ()
    dead_ends: tuple[DeadEndNote, ...] = ()


def read_text(answer: ModelAnswer, name: str) -> Reply:
    """The answer of an activity that declares no outputs: its text is the one output, called `name`."""
    text = answer.text.strip()
    value = text or answer.outputs
    return Reply({name: value} if value else None, _first_sentence(text), _share(answer.confidence))


def read_outputs(answer: ModelAnswer, schema: Mapping[str, Any]) -> Reply:
    """The answer of an activity with declared outputs, whether the model filled them in or wrote JSON.

    JSON is `{"outputs": {...}, "decision": ..., "confidence": ...}` or the outputs alone, with or without text around.
    """
    if answer.outputs is not None:
        return Reply(answer.outputs, _first_sentence(answer.text), _share(answer.confidence))
    found = _last_object(answer.text)
    if found is None:
        return Reply(None, _first_sentence(answer.text), _share(answer.confidence))
    inner = found.get(_OUTPUTS)
    if not isinstance(inner, dict) or (_OUTPUTS in schema.get("properties", {}) and _OUTPUTS not in inner):
        return Reply(found, None, _share(answer.confidence))
    decision = found.get(_DECISION)
    confidence = _share(answer.confidence)
    return Reply(
        inner,
        _one_line(decision) if isinstance(decision, str) else None,
        _share(found.get(_CONFIDENCE)) if confidence is None else confidence,
        tuple(_findings(found.get(_FINDINGS))),
        tuple(_dead_ends(found.get(_DEAD_ENDS), schema)),
    )


def _findings(given: Any) -> Iterator[Finding]:
    """What the model says it found out; what is not of the form asked for is left out."""
    for each in given[:_MOST_FINDINGS] if isinstance(given, list) else ():
        text = each.get("text") if isinstance(each, dict) else each
        if isinstance(text, str) and text.strip():
            stated = _share(each.get(_CONFIDENCE)) if isinstance(each, dict) else None
            yield Finding(clip(text.strip(), _LONGEST_FINDING), 1.0 if stated is None else stated)


def _dead_ends(given: Any, schema: Mapping[str, Any]) -> Iterator[DeadEndNote]:
    """Values of outputs that the model says led nowhere; what is not of the form asked for is left out."""
    for each in given[:_MOST_FINDINGS] if isinstance(given, list) else ():
        if isinstance(each, dict) and each.get("output") in schema.get("properties", {}) and "value" in each:
            reason = _one_line(str(each.get("reason") or ""))
            yield DeadEndNote(str(each["output"]), each["value"], reason or "the model says that it led nowhere")


def _share(value: Any) -> float | None:
    """A confidence in [0, 1]; None for whatever is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0.0 <= value <= 1.0 else None


def _first_sentence(text: str) -> str | None:
    spans = sentences(text.strip()[: 10 * _LONGEST_DECISION], _LONGEST_DECISION)
    return _one_line(text.strip()[spans[0].start : spans[0].end]) if spans else None


def _one_line(text: str) -> str | None:
    return clip(" ".join(text.split()), _LONGEST_DECISION) or None


def _last_object(text: str) -> dict[str, Any] | None:
    """The last JSON object in the text: a model that thinks aloud ends with its answer."""
    found, failures, at = None, 0, text.find("{")
    while at >= 0 and failures < _MOST_FAILURES:
        try:
            found, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            failures, end = failures + 1, at + 1
        at = text.find("{", end)
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)
