"""What the inbox shows of a question or a task: what would change, word by word, and what can be answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.governor import Governor
from engine.json_text import compact
from engine.names import Names
from engine.people.hunks import hunks_of
from engine.people.waiting import Item
from engine.people.work_item import WorkItem
from engine.report.model.people import Asked, asked_of_people
from engine.report.words import key_name, value_text
from engine.told import told
from governance.human_loop.diff import Hunk
from governance.human_loop.intervention import Intervention
from governance.merging.paths import spoken

_REMOVED: Final = told("(removed)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """An output that is proposed. `parts` are stretches of the text before (None) and numbered changes of it."""

    name: str
    text: str
    is_json: bool
    before: str | None
    parts: Sequence[tuple[int | None, str, str]] = ()
    """Number of the change from 1, what it removes, what it adds; None: this stays, and stands in the first text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A place about which branches disagree, and what each left there."""

    id: str
    place: str
    base: str | None
    sides: Sequence[tuple[str, str, str, float]]
    """Branch, what people call it, its value as text, its confidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One item, whole. `lowered` are entries that a compression would show in less, `released` what could be given up.
    """

    item: Item
    asked: Asked
    process: str
    outputs: Sequence[Output] = ()
    choices: Sequence[Choice] = ()
    lowered: Sequence[str] = ()
    released: Sequence[str] = ()
    fields: Sequence[Mapping[str, Any]] = field(default_factory=tuple)

    @property
    def is_question(self) -> bool:
        return isinstance(self.item, Intervention)


def detail(governor: Governor, item: Item) -> Detail:
    """One of them, open or not."""
    record = governor.store.instance(item.instance)
    names = Names(governor.definition(record.definition))
    process = names.process(record.process)
    if isinstance(item, WorkItem):
        [asked] = asked_of_people([], [item], names)
        return Detail(item=item, asked=asked, process=process, fields=list(_fields(item.form)))
    [asked] = asked_of_people([item], [], names)
    shown: Any = item.shown if isinstance(item.shown, Mapping) else {}
    return Detail(
        item=item,
        asked=asked,
        process=process,
        outputs=[_output(shown, name, value) for name, value in shown.get("outputs", {}).items()],
        choices=[_choice(each, names) for each in shown.get("conflicts", ())],
        lowered=[str(each["key"]) for each in shown.get("changes", ())],
        released=[str(name) for name in shown.get("release", {})],
    )


def _output(shown: Mapping[str, Any], name: str, value: Any) -> Output:
    hunks, before = hunks_of(shown, name), shown.get("before", {}).get(name)
    is_text = isinstance(value, str)
    return Output(
        name=name,
        text=value if is_text else compact(value),
        is_json=not is_text,
        before=None if name not in shown.get("before", {}) else value_text(before),
        parts=() if hunks is None else tuple(_parts(str(before), hunks)),
    )


def _parts(before: str, hunks: Sequence[Hunk]) -> Iterator[tuple[int | None, str, str]]:
    place = 0
    for number, hunk in enumerate(hunks, 1):
        if hunk.start > place:
            yield None, before[place : hunk.start], ""
        yield number, hunk.removed, hunk.added
        place = hunk.end
    if place < len(before):
        yield None, before[place:], ""


def _choice(conflict: Mapping[str, Any], names: Names) -> Choice:
    sides = [
        (
            str(each["branch"]),
            names.branch(each["branch"]),
            value_text(each.get("value", _REMOVED)),
            float(each.get("confidence", 1.0)),
        )
        for each in conflict["values"]
    ]
    base = value_text(conflict["base"]) if "base" in conflict else None
    place = spoken(key_name(conflict["key"]), conflict.get("path") or "")
    return Choice(id=str(conflict["id"]), place=place, base=base, sides=sides)


def _fields(form: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
    """The fields of a form: name, title, what to show it as, and what it may be."""
    properties: Mapping[str, Any] = (form or {}).get("properties", {})
    required = set((form or {}).get("required", ()))
    for name, schema in properties.items():
        known = schema if isinstance(schema, Mapping) else {}
        yield {
            "name": name,
            "title": known.get("title") or name,
            "description": known.get("description", ""),
            "shape": _shape(known),
            "choices": list(known.get("enum", ())),
            "required": name in required,
            "default": known.get("default"),
            "minimum": known.get("minimum"),
            "maximum": known.get("maximum"),
            "longest": known.get("maxLength"),
        }


def _shape(schema: Mapping[str, Any]) -> str:
    """choice, yes-no, whole, number, date, text, json, or any: JSON, and what is none is text."""
    kind = schema.get("type")
    if schema.get("enum"):
        return "choice"
    if kind == "string":
        return "date" if schema.get("format") == "date" else "text"
    if kind is None:
        return "any"
    return {"boolean": "yes-no", "integer": "whole", "number": "number"}.get(str(kind), "json")
