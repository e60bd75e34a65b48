"""Tells what branches disagreed about, and who won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cli.screen.port import Screen, Span, Style
from engine.cli.telling.gauge import several
from engine.cli.telling.values import brief
from engine.names import Names
from engine.result import settlement
from governance.merging.paths import spoken
from governance.snapshots.model import name_of
from governance.vocabulary import MergeStrategy

VALUE_WIDTH: Final = 60
REMOVED: Final = "(removed)"


def tell_conflict(
    screen: Screen, names: Names, merge: Mapping[str, Any], conflict: Mapping[str, Any], depth: int = 0
) -> None:
    """A line for the outcome and one for each value that lost. `merge` is the data of a D3 event."""
    settled = settlement(merge, conflict)
    values: Sequence[Mapping[str, Any]] = conflict["values"]
    head: list[Span] = [(place(conflict), Style.STRONG), ": "]
    if settled is None:
        said = "; ".join(f"{value_of(each)} of {names.branch(each['branch'])}" for each in values)
        screen.item(("conflict", Style.BAD), *head, f"{said}; {conflict['reason']}", depth=depth)
        return
    winner = settled.get("winner")
    by = "a person" if settled.get("decided_by") == "person" else conflict["strategy"] or "rule"
    if by == MergeStrategy.MODEL:
        by = settled["reason"]
    if winner is None:
        head += [(value_of(settled), Style.GOOD), f", {several(len(values), 'write')} put together by {by}"]
    else:
        won = next((each for each in values if each["branch"] == winner), settled)
        head += [(value_of(settled), Style.GOOD), f" of {names.branch(winner)} wins{sure_of(won)}, by {by}"]
    screen.item(("conflict", Style.WARN), *head, depth=depth)
    for lost in settled.get("lost", ()):
        told = f"over {value_of(lost)} of {names.branch(lost['branch'])}{sure_of(lost)}"
        screen.item("", (told, Style.DIM), depth=depth)


def conflict_spans(names: Names, merge: Mapping[str, Any], width: int) -> list[Span]:
    """One of a merge's conflicts in one line, values at most `width` long: the last that has a winner, if any has."""
    ended = [(each, settlement(merge, each)) for each in merge["conflicts"]]
    conflict, settled = next(
        ((each, one) for each, one in reversed(ended) if one is not None and one.get("winner") is not None), ended[-1]
    )
    line: list[Span] = [("conflict", Style.WARN), " ", (place(conflict), Style.STRONG), ": "]
    if settled is None:
        return [*line, f"{several(len(conflict['values']), 'value')}, open"]
    line.append((value_of(settled, width), Style.GOOD))
    if settled.get("winner") is None:
        return [*line, f", {several(len(conflict['values']), 'write')} put together"]
    lost = " and ".join(f"{value_of(each, width)} of {names.branch(each['branch'])}" for each in settled["lost"])
    return [*line, f" of {names.branch(settled['winner'])} won", (f" over {lost}" if lost else "", Style.DIM)]


def place(conflict: Mapping[str, Any]) -> str:
    """The variable, and the part of it, that a conflict is about."""
    return spoken(name_of(conflict["key"]), conflict.get("path") or "")


def value_of(part: Mapping[str, Any], width: int = VALUE_WIDTH) -> str:
    """A value in one line; `part` is one as conflicts are dumped."""
    if part.get("deleted") or "value" not in part:
        return REMOVED
    return brief(part["value"], width)


def sure_of(part: Mapping[str, Any]) -> str:
    """How sure a writer was, unless it was certain."""
    confidence = part.get("confidence", 1.0)
    return "" if confidence == 1.0 else f" (confidence {confidence:.2f})"
