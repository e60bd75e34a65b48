"""What people were asked and told: interventions and tasks, what each showed, who answered, when and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from engine.names import Names
from engine.people.work_item import WorkItem
from engine.report.model.activities import seconds_between
from engine.report.model.differences import Piece, pieces
from engine.report.words import key_name, value_text
from governance.human_loop.intervention import Intervention, InterventionAnswer
from governance.human_loop.rights import TIMEOUT
from governance.merging.conflicts import names_of
from governance.merging.paths import spoken

_LEVELS: Final = {
    "MICRO_SUGGESTION": "told, the process went on",
    "DIFF_PREVIEW": "the process waits until somebody has looked",
    "EXPLICIT_APPROVAL": "the process waits for an approval",
}
_REMOVED: Final = "(removed)"
_SHORT: Final = 140
_DECISIONS: Final = {"approve": "approved", "deny": "refused", "resolve": "decided", "edit": "changed and approved"}


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that a question showed: its name, a word on it, and its text with what changed."""

    name: str
    note: str
    text: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question or a task.

    `answered`: what was decided, "" while nothing is. `given`: what the answer put in place; `settled`: the same in
    short, by name. `seconds`: how long it took; None while it is open.
    """

    id: str
    kind: Literal["question", "task"]
    element: str
    title: str
    message: str
    level: str
    trigger: str
    at: str
    whom: str
    due: str | None
    status: str
    shown: tuple[Shown, ...]
    answered: str = ""
    by: str = ""
    answered_at: str = ""
    reason: str = ""
    seconds: float | None = None
    given: tuple[Shown, ...] = ()
    settled: Mapping[str, str] = field(default_factory=dict)


def asked_of_people(
    interventions: Sequence[Intervention], work_items: Sequence[WorkItem], names: Names
) -> list[Asked]:
    """Every question and task, oldest first."""
    found = [_question(each, names) for each in interventions] + [_task(item, names) for item in work_items]
    return sorted(found, key=lambda each: (each.at, each.id))


def _question(asked: Intervention, names: Names) -> Asked:
    answer = asked.answer
    return Asked(
        id=asked.id,
        kind="question",
        element=asked.element,
        title=names.element(asked.element),
        message=asked.message,
        level=_LEVELS.get(asked.level.value, asked.level.value),
        trigger=asked.trigger.value.lower().replace("_", " "),
        at=asked.created_at,
        whom=asked.delegate or " or ".join(asked.asked_roles) or "anybody",
        due=asked.due,
        status=asked.status,
        shown=tuple(_shown(asked, answer, names)),
        answered=_DECISIONS.get(answer.decision, answer.decision) if answer else "",
        by="nobody in time: the stated default" if answer and answer.by == TIMEOUT else answer.by if answer else "",
        answered_at=answer.at if answer else "",
        reason=answer.reason if answer else "",
        seconds=seconds_between(asked.created_at, answer.at) if answer else None,
        given=tuple(_given(asked, answer, names)) if answer else (),
        settled=_settled(asked, answer) if answer else {},
    )


def _task(item: WorkItem, names: Names) -> Asked:
    inputs = item.shown.get("inputs", {})
    return Asked(
        id=item.id,
        kind="task",
        element=item.element,
        title=item.name,
        message=item.shown.get("documentation", ""),
        level="a task of the process",
        trigger="task",
        at=item.created_at,
        whom=" or ".join(item.whom) or "anybody",
        due=item.due,
        status=item.status,
        shown=tuple(_plain(name, value) for name, value in inputs.items()),
        answered="done" if item.status == "completed" else "",
        by=item.completed_by or "",
        answered_at=item.completed_at or "",
        seconds=seconds_between(item.created_at, item.completed_at) if item.completed_at else None,
        given=tuple(_plain(name, value) for name, value in (item.outputs or {}).items()),
        settled={name: value_text(value, _SHORT) for name, value in (item.outputs or {}).items()},
    )


def _shown(asked: Intervention, answer: InterventionAnswer | None, names: Names) -> Iterator[Shown]:
    shown: Any = asked.shown
    if not isinstance(shown, Mapping):
        yield _plain("shown", shown)
    elif "conflicts" in shown:
        for conflict in shown["conflicts"]:
            for value in conflict["values"]:
                sure = f", confidence {value['confidence']:.2f}" if value["confidence"] < 1 else ""
                note = f"{names.branch(value['branch'])}{sure}"
                text = value_text(value.get("value", _REMOVED))
                yield Shown(spoken(key_name(conflict["key"]), conflict.get("path") or ""), note, (Piece("same", text),))
    elif "outputs" in shown:
        yield from _outputs(shown, dict(answer.values or {}) if answer and answer.decision == "edit" else {})
    elif "changes" in shown:
        yield from _lowered(shown)
    else:
        for name, value in shown.items():
            yield _plain(str(name), value)


def _outputs(shown: Mapping[str, Any], edited: Mapping[str, Any]) -> Iterator[Shown]:
    """Outputs as proposed against what stood there; one that a person changed, as proposed against as changed."""
    for problem in shown.get("problems", ()):
        yield Shown("problem", "", (Piece("same", str(problem)),))
    before = shown.get("before", {})
    for name, value in shown["outputs"].items():
        proposed = value_text(value)
        if name in edited:
            changed = tuple(pieces(proposed, value_text(edited[name])))
            yield Shown(name, "what the person changed in the proposal", changed)
        elif name in before:
            yield Shown(name, "proposed, against what stood there", tuple(pieces(value_text(before[name]), proposed)))
        else:
            yield Shown(name, "proposed, new", (Piece("same", proposed),))


def _lowered(shown: Mapping[str, Any]) -> Iterator[Shown]:
    for change in shown["changes"]:
        note = f"models would see it as {change['to']}"
        yield Shown(key_name(change["key"]), note, tuple(pieces(str(change["before"]), str(change["after"]))))
    for name, chars in shown.get("release", {}).items():
        yield Shown(str(name), "kept; could be released", (Piece("same", f"{chars:,} characters"),))


def _given(asked: Intervention, answer: InterventionAnswer, names: Names) -> Iterator[Shown]:
    """What an answer put in place; what was edited stands in the comparison already."""
    if answer.decision == "edit":
        return
    for name, value in (answer.values or {}).items():
        taken = value.get("take") if asked.kind == "conflict" and isinstance(value, Mapping) else None
        if taken is not None:
            text = value_text(_taken(asked, name, str(taken)))
            yield Shown(_short_name(name), f"taken from {names.branch(str(taken))}", (Piece("same", text),))
        else:
            yield _plain(_short_name(name), _given_value(value))


def _settled(asked: Intervention, answer: InterventionAnswer) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in (answer.values or {}).items():
        taken = value.get("take") if asked.kind == "conflict" and isinstance(value, Mapping) else None
        content = _given_value(value) if taken is None else _taken(asked, name, str(taken))
        found[_short_name(name)] = "" if answer.decision == "edit" else value_text(content, _SHORT)
    return found


def _taken(asked: Intervention, place: str, branch: str) -> Any:
    """The value of a conflict that a branch left."""
    shown: Any = asked.shown
    for conflict in shown.get("conflicts", ()):
        if place in names_of(conflict["id"], conflict["key"], conflict.get("path")):
            for value in conflict["values"]:
                if value["branch"] == branch:
                    return value.get("value", _REMOVED)
    return f"what {branch} left"


def _given_value(value: Any) -> Any:
    """An answer's value, which may be wrapped to say what it is."""
    if isinstance(value, Mapping) and value == {"delete": True}:
        return _REMOVED
    return value["value"] if isinstance(value, Mapping) and set(value) == {"value"} else value


def _short_name(place: str) -> str:
    """A place without its space."""
    return place.partition("/")[2] or place if place.startswith("WORKING") else place


def _plain(name: str, value: Any) -> Shown:
    return Shown(name, "", (Piece("same", value_text(value)),))
