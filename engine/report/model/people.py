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
from engine.told import joined, recorded, told
from governance.human_loop.intervention import Intervention, InterventionAnswer
from governance.human_loop.rights import TIMEOUT
from governance.merging.conflicts import names_of
from governance.merging.paths import spoken

_LEVELS: Final = {
    "MICRO_SUGGESTION": "told, the process went on",
    "DIFF_PREVIEW": "the process waits until somebody has looked",
    "EXPLICIT_APPROVAL": "the process waits for an approval",
}
_REMOVED: Final = told("(removed)")
_SHORT: Final = 140
_PLACES: Final = ("from", "to", "element")
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
        message=recorded(asked.message),
        level=told(_LEVELS.get(asked.level.value, asked.level.value)),
        trigger=told(asked.trigger.value.lower().replace("_", " ")),
        at=asked.created_at,
        whom=asked.delegate or joined(asked.asked_roles, " or ") or told("anybody"),
        due=asked.due,
        status=asked.status,
        shown=tuple(_shown(asked, answer, names)),
        answered=told(_DECISIONS.get(answer.decision, answer.decision)) if answer else "",
        by=_who(answer) if answer else "",
        answered_at=answer.at if answer else "",
        reason=recorded(answer.reason or "") if answer else "",
        seconds=seconds_between(asked.created_at, answer.at) if answer else None,
        given=tuple(_given(asked, answer, names)) if answer else (),
        settled=_settled(asked, answer) if answer else {},
    )


def _who(answer: InterventionAnswer) -> str:
    return told("nobody in time: the stated default") if answer.by == TIMEOUT else told(answer.by)


def _task(item: WorkItem, names: Names) -> Asked:
    inputs = item.shown.get("inputs", {})
    return Asked(
        id=item.id,
        kind="task",
        element=item.element,
        title=item.name,
        message=item.shown.get("documentation", ""),
        level=told("a task of the process"),
        trigger=told("task"),
        at=item.created_at,
        whom=joined(item.whom, " or ") or told("anybody"),
        due=item.due,
        status=item.status,
        shown=tuple(_plain(name, value) for name, value in inputs.items()),
        answered=told("done") if item.status == "completed" else "",
        by=item.completed_by or "",
        answered_at=item.completed_at or "",
        seconds=seconds_between(item.created_at, item.completed_at) if item.completed_at else None,
        given=tuple(_plain(name, value) for name, value in (item.outputs or {}).items()),
        settled={name: value_text(value, _SHORT) for name, value in (item.outputs or {}).items()},
    )


def _shown(asked: Intervention, answer: InterventionAnswer | None, names: Names) -> Iterator[Shown]:
    shown: Any = asked.shown
    if not isinstance(shown, Mapping):
        yield _plain(told("shown"), shown)
    elif "conflicts" in shown:
        for conflict in shown["conflicts"]:
            for value in conflict["values"]:
                sure, branch = value["confidence"], names.branch(value["branch"])
                note = told("{branch}, confidence {sure:.2f}", branch=branch, sure=sure) if sure < 1 else branch
                text = value_text(value.get("value", _REMOVED))
                yield Shown(spoken(key_name(conflict["key"]), conflict.get("path") or ""), note, (Piece("same", text),))
    elif "outputs" in shown:
        yield from _outputs(shown, dict(answer.values or {}) if answer and answer.decision == "edit" else {})
    elif "changes" in shown:
        yield from _lowered(shown)
    elif asked.kind == "operation":
        yield from _operation(shown, names)
    else:
        for name, value in shown.items():
            yield _plain(str(name), value)


def _operation(shown: Mapping[str, Any], names: Names) -> Iterator[Shown]:
    """What an operator wants to do, without the operation itself, which is for programs."""
    for name, value in shown.items():
        listed = isinstance(value, list | tuple) and all(isinstance(each, str | Mapping) for each in value)
        if name == "operation" or value in (None, "", [], ()):
            continue
        text = joined(_place(each, names) for each in value) if listed else value_text(value)
        if name in _PLACES:
            text = names.element(str(value))
        yield Shown(told(str(name).replace("_", " ")), "", (Piece("same", text),))


def _place(each: Any, names: Names) -> str:
    if isinstance(each, Mapping):
        found = told(str(each.get("kind", "")))
        return told("{element} ({kind})", element=names.element(str(each.get("element"))), kind=found)
    return names.element(str(each))


def _outputs(shown: Mapping[str, Any], edited: Mapping[str, Any]) -> Iterator[Shown]:
    """Outputs as proposed against what stood there; one that a person changed, as proposed against as changed."""
    for problem in shown.get("problems", ()):
        yield Shown(told("problem"), "", (Piece("same", recorded(problem)),))
    before = shown.get("before", {})
    for name, value in shown["outputs"].items():
        proposed = value_text(value)
        if name in edited:
            changed = tuple(pieces(proposed, value_text(edited[name])))
            yield Shown(name, told("what the person changed in the proposal"), changed)
        elif name in before:
            changed = tuple(pieces(value_text(before[name]), proposed))
            yield Shown(name, told("proposed, against what stood there"), changed)
        else:
            yield Shown(name, told("proposed, new"), (Piece("same", proposed),))


def _lowered(shown: Mapping[str, Any]) -> Iterator[Shown]:
    for change in shown["changes"]:
        note = told("models would see it as {fidelity}", fidelity=told(change["to"]))
        yield Shown(key_name(change["key"]), note, tuple(pieces(str(change["before"]), str(change["after"]))))
    for name, chars in shown.get("release", {}).items():
        size = told("{count:,} characters", count=chars)
        yield Shown(str(name), told("kept; could be released"), (Piece("same", size),))


def _given(asked: Intervention, answer: InterventionAnswer, names: Names) -> Iterator[Shown]:
    """What an answer put in place; what was edited stands in the comparison already."""
    if answer.decision == "edit":
        return
    for name, value in (answer.values or {}).items():
        taken = value.get("take") if asked.kind == "conflict" and isinstance(value, Mapping) else None
        if taken is not None:
            text = value_text(_taken(asked, name, str(taken)))
            note = told("taken from {branch}", branch=names.branch(str(taken)))
            yield Shown(_short_name(name), note, (Piece("same", text),))
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
    return told("what {branch} left", branch=branch)


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
