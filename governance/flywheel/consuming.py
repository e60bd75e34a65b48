"""How much of each item an agent is given, by its attention (Design: flywheel, consume)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from governance.flywheel.item import KnowledgeItem
from governance.flywheel.settings import FlywheelSettings
from governance.layers.limits import INJECTION_TOKENS, fit_injection
from governance.ports import Summariser
from governance.snapshots.canonical import canonical
from governance.tokens import TokenCounter

_SUMMARY_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Injected:
    """An item as it goes into KNOWLEDGE: `value` is the entry, under the item's id."""

    item: KnowledgeItem
    value: Mapping[str, Any]
    confidence: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Injection:
    """What is given and what had to be left out, best first. `form`: `whole`, `core` or `summary`."""

    form: str
    given: Sequence[Injected]
    left_out: Sequence[Injected]


def prepare(
    items: Sequence[KnowledgeItem],
    attention: float,
    query: str,
    settings: FlywheelSettings,
    summariser: Summariser,
    counter: TokenCounter,
) -> Injection:
    """Entries for these items, within the limit of one injection.

    Attention above 0.6 (of the context that receives them): whole; 0.4 to 0.6: the confident core; below: summaries.
    """
    form = _form(attention, settings)
    if form == "core":
        items = [item for item in items if item.confidence > settings.usable_above]
    shown = [_injected(item, form, query, summariser, counter) for item in items]
    given, left_out = fit_injection(shown, INJECTION_TOKENS)
    return Injection(form, given, left_out)


def _form(attention: float, settings: FlywheelSettings) -> str:
    if attention > settings.whole_above:
        return "whole"
    return "core" if attention >= settings.core_from else "summary"


def _injected(
    item: KnowledgeItem, form: str, query: str, summariser: Summariser, counter: TokenCounter
) -> Injected:
    text = item.text
    if form == "summary" and len(text) > _SUMMARY_CHARS:
        text = summariser.summarise(text, query=query, limit=_SUMMARY_CHARS)
    value: dict[str, Any] = {"text": text, "source": item.provenance.source}
    if item.title:
        value["title"] = item.title
    if item.provenance.place:
        value["place"] = item.provenance.place
    if item.standing.value != "usable":
        value["standing"] = item.standing.value
    tokens = counter.count(f"{item.id}: {canonical(value).decode()}")
    return Injected(item, value, item.confidence, tokens)
