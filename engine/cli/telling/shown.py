"""Shows what an intervention is about, so that a person can decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.cli.screen.port import Cell, Screen, Span, Style
from engine.cli.telling.conflicts import place, value_of
from engine.cli.telling.diffs import text_diff
from engine.cli.telling.times import moment
from engine.cli.telling.values import brief, spoken
from engine.context_view import value_text
from engine.names import Names
from engine.people.hunks import hunks_of
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention
from governance.snapshots.model import name_of

_BASE_WIDTH: Final = 40
_HASH_WIDTH: Final = 8
_INPUT_WIDTH: Final = 200
_VALUE_WIDTH: Final = 400


def tell_work_item(screen: Screen, item: WorkItem) -> None:
    """The task, for whom, and what it works with."""
    whom = " or ".join(item.whom) or "anybody"
    screen.line()
    screen.line(("? ", Style.PERSON), (item.name, Style.NAME), f", to be done by {whom}")
    screen.line((f"  {item.id}" + (f"; due {moment(item.due)}" if item.due else ""), Style.DIM))
    if item.shown.get("documentation"):
        screen.line(f"  {item.shown['documentation']}")
    for name, value in item.shown.get("inputs", {}).items():
        screen.line("  ", (name, Style.STRONG), f": {spoken(value, _INPUT_WIDTH)}")


def tell_intervention(screen: Screen, names: Names, asked: Intervention) -> None:
    """The question, and what it shows: a diff, the outputs, or the values in conflict."""
    screen.line()
    screen.line(("? ", Style.PERSON), (names.element(asked.element), Style.NAME), f": {asked.message}")
    about = f"  {asked.trigger.value}, {asked.level.value}; {asked.id}{_terms(asked)}"
    screen.line((f"{about}; shows {asked.shown_hash[:_HASH_WIDTH]}", Style.DIM))
    shown = asked.shown if isinstance(asked.shown, Mapping) else {"value": asked.shown}
    if "conflicts" in shown:
        _conflicts(screen, names, shown["conflicts"])
    elif "outputs" in shown:
        _outputs(screen, shown)
    elif "changes" in shown:
        _lowered(screen, shown)
    elif "operation" in shown:
        _operation(screen, names, shown)
    elif "tool" in shown:
        _call(screen, shown)
    else:
        screen.line(f"  {value_text(asked.shown)}")


def _terms(asked: Intervention) -> str:
    """Whose it is, and by when."""
    if asked.delegate is not None:
        whom = f"; for {asked.delegate}, delegated by {asked.delegations[-1].by}"
    else:
        whom = f"; for {', '.join(asked.asked_roles)}" if asked.asked_roles else ""
    late = f"; escalated to {asked.escalate_to}" if asked.escalated_at else ""
    after = f"escalates to {asked.escalate_to}" if asked.escalates else f"then {asked.default}" if asked.default else ""
    due = f"; due {moment(asked.due)}{f', {after}' if after else ''}" if asked.due else ""
    return whom + late + due


def _conflicts(screen: Screen, names: Names, conflicts: Any) -> None:
    rows: list[list[Cell]] = []
    for conflict in conflicts:
        base = brief(conflict["base"], _BASE_WIDTH) if "base" in conflict else "-"
        for number, value in enumerate(conflict["values"], 1):
            first = number == 1
            rows.append(
                [
                    (place(conflict), Style.STRONG) if first else "",
                    (base, Style.DIM) if first else "",
                    str(number),
                    names.branch(value["branch"]),
                    value_of(value, _VALUE_WIDTH),
                    f"{value['confidence']:.2f}",
                    names.element(value["activity"]),
                ]
            )
    screen.table(["key", "before", "#", "branch", "value", "sure", "written by"], rows, flexible=4)


def _outputs(screen: Screen, shown: Mapping[str, Any]) -> None:
    for problem in shown.get("problems", ()):
        screen.line("  ", (f"problem: {problem}", Style.BAD))
    before = shown.get("before", {})
    for name, value in shown["outputs"].items():
        text = value_text(value)
        is_new = name not in before
        by_number = hunks_of(shown, name) is not None
        spans: list[Span] = (
            [(text, Style.ADDED)] if is_new else text_diff(value_text(before[name]), text, numbered=by_number)
        )
        screen.item((name, Style.STRONG), *spans)


def _call(screen: Screen, shown: Mapping[str, Any]) -> None:
    """A tool's call, with its arguments until it is answered."""
    screen.line("  ", (str(shown["tool"]), Style.STRONG), (f"  effect: {shown['effect']}", Style.DIM))
    for name, value in shown.get("arguments", {}).items():
        screen.item((name, Style.STRONG), value_text(value))


def _operation(screen: Screen, names: Names, shown: Mapping[str, Any]) -> None:
    """What an operator wants to do, and what that will change."""
    for name, change in shown.get("variables", {}).items():
        before, after = (value_text(each["value"]) if "value" in each else "-" for each in change.values())
        screen.item((name, Style.STRONG), *text_diff(before, after))
    for failed in shown.get("failed", ()):
        screen.line("  ", (names.element(failed["element"]), Style.BAD), f": {failed['error']}")
    for what in ("undone", "passed_over", "again", "goes_on"):
        told = [names.element(each["element"] if isinstance(each, dict) else each) for each in shown.get(what, ())]
        if told:
            screen.line("  ", (what.replace("_", " "), Style.STRONG), f": {', '.join(told)}")
    for line in shown.get("mapped", ()):
        screen.line(f"  {line}")


def _lowered(screen: Screen, shown: Mapping[str, Any]) -> None:
    for change in shown["changes"]:
        screen.line("  ", (name_of(change["key"]), Style.STRONG), (f" falls to {change['to']}", Style.DIM))
        screen.line("    ", *text_diff(change["before"], change["after"]))
    for name, chars in shown.get("release", {}).items():
        screen.line("  ", (name, Style.STRONG), f": {chars:,} characters, kept")
