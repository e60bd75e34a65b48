"""The panel beneath a run: its path, what is being done and how full its context is, and governance in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Final, TypeAlias

from engine.clean_text import one_line
from engine.cli.screen.port import Span, Style
from engine.cli.telling.conflicts import conflict_spans
from engine.cli.telling.gauge import count, gauge, several
from engine.cli.telling.path import Path, State, Step
from engine.events import Event, EventType
from engine.names import Names

Line: TypeAlias = list[Span]

_MOST_ROWS: Final = 16
_NARROW: Final = 80
"""Columns below which names of steps have less room."""
_INDENT: Final = 2
_GAP: Final = "   "
_VALUE: Final = 24
"""Characters of a value that branches disagreed about."""
_SAID: Final = 1_000
"""So many characters of what a model says are kept."""
_FRAMES: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_PER_SECOND: Final = 10
_MARKS: Final[dict[State, Span]] = {
    State.WAITING: ("?", Style.PERSON),
    State.FAILED: ("✗", Style.BAD),
    State.DONE: ("✓", Style.GOOD),
    State.SPLIT: ("┬", Style.GOVERNANCE),
    State.MERGED: ("┴", Style.GOVERNANCE),
    State.STOPPED: ("-", Style.DIM),
}


class RunPanel:
    """A listener of events, and the lines that a screen draws of them; each may be called on a thread of its own."""

    def __init__(self, path: Path, names: Names | None = None) -> None:
        self.names = names or Names()
        self._path, self._lock = path, Lock()
        self._began = path.clock()
        self._said = ""

    def __call__(self, event: Event) -> None:
        with self._lock:
            self._path(event)
            if event.type in (EventType.MODEL_CALL, EventType.ACTIVITY_COMPLETED):
                self._said = ""

    def say(self, piece: str) -> None:
        """A piece of what a model says, as it comes."""
        with self._lock:
            self._said = (self._said + piece)[-_SAID:]

    def lines(self, width: int, height: int) -> Sequence[Line]:
        """At most `height` lines for so many columns: a headline, the path's end, numbers, the last conflict.

        Where there is little room the headline comes first, then the path.
        """
        with self._lock:
            height = min(height, _MOST_ROWS)
            below = [*self._saying(width), *self._numbers(width), *self._conflict()][: max(height - 2, 0)]
            return [self._headline(width), *self._steps(width, height - 1 - len(below)), *below][:height]

    def _saying(self, width: int) -> list[Line]:
        """The end of what a model is saying."""
        text = " ".join(self._said.split())
        return [[("  » ", Style.DIM), one_line(text[-(width - 6) :], width - 6)]] if text else []

    def _headline(self, width: int) -> Line:
        path = self._path
        parts = [f"{count(path.totals.activities)} done"]
        for state, told in ((State.WORKING, "at work"), (State.WAITING, "waiting"), (State.FAILED, "failed")):
            number = path.count(state)
            parts += [f"{number} {told}"] if number else []
        right = f" {_time(path.clock() - self._began)} ──"
        left = one_line(f"── {self.names.process(path.process)} ── {', '.join(parts)}", width - 2 - len(right)) + " "
        return [(left, Style.NAME), ("─" * (width - 1 - len(left) - len(right)), Style.DIM), (right, Style.DIM)]

    def _steps(self, width: int, most: int) -> list[Line]:
        if most <= 0:
            return []
        steps, before = self._path.last(most)
        if not before:
            return [self._step(step, width) for step in steps]
        steps, before = self._path.last(most - 1)
        return [[(f"  … {several(before, 'step')} more", Style.DIM)], *(self._step(step, width) for step in steps)]

    def _step(self, step: Step, width: int) -> Line:
        indent = " " * (_INDENT * (1 + step.branch.count("/")))
        room = (36 if width >= _NARROW else 26) - len(indent)
        name = one_line(self.names.element(step.element), room)
        is_over = step.ended is not None
        line: Line = [indent, self._mark(step), " ", (f"{name:<{room}}", Style.DIM if is_over else Style.STRONG)]
        if step.about:
            return [*line, f" {step.about}"]
        if step.state in (State.SPLIT, State.MERGED):
            conflicts = f", {several(step.conflicts, 'conflict')}" if step.conflicts else ""
            return [*line, (f" {several(step.branches, 'branch', 'branches')}{conflicts}", Style.DIM)]
        return [*line, " ", *self._measures(step, width - 1 - len(indent) - 3 - room)]

    def _mark(self, step: Step) -> Span:
        frame = int(self._path.clock() * _FRAMES_PER_SECOND) % len(_FRAMES)
        return _MARKS.get(step.state, (_FRAMES[frame], Style.WARN))

    def _measures(self, step: Step, room: int) -> Line:
        """How long it has been going on, how full its context is, tokens and attention, as far as there is room."""
        facts: list[Line] = []
        if step.ended is None:
            facts.append([(_time(self._path.clock() - step.began), Style.WARN)])
        if step.left is not None:
            found = step.pressure is not None and step.pressure != step.left
            facts.append([*gauge(step.left), (f" from {step.pressure:.0%}" if found else "", Style.DIM)])
        if step.tokens is not None:
            facts.append([(f"{count(step.tokens[0])} of {count(step.tokens[1])} tokens", Style.DIM)])
        if step.attention is not None:
            facts.append([(f"attention {step.attention:.2f}", Style.DIM)])
        return _packed(facts, room)[0] if facts else []

    def _numbers(self, width: int) -> list[Line]:
        totals = self._path.totals
        facts = [("D1", f"{totals.compressed} of {totals.looks} compressed")]
        facts += [("D2", several(totals.splits, "split"))] if totals.splits else []
        facts += [("D3", several(totals.merges, "merge"))] if totals.merges else []
        facts += [("conflicts", count(totals.conflicts))] if totals.conflicts else []
        facts += [("questions", count(totals.questions))] if totals.questions else []
        facts += [("notes", count(totals.notes))] if totals.notes else []
        measures = []
        if totals.ungoverned:
            share = f"{totals.sent / totals.ungoverned:.0%}"
            measures.append(("tokens", f"{count(totals.sent)} of {count(totals.ungoverned)} ({share})"))
        if totals.attention is not None and totals.lowest is not None:
            lowest, where = totals.lowest
            measures.append(("attention", f"{totals.attention:.2f}"))
            measures.append(("lowest", f"{lowest:.2f} at {self.names.element(where)}"))
        room = width - 1 - _INDENT
        return [["  ", *line] for each in (facts, measures) for line in _packed([_fact(*one) for one in each], room)]

    def _conflict(self) -> list[Line]:
        """The last that was settled, if any."""
        merge = self._path.merge
        return [] if merge is None else [["  ", *conflict_spans(self.names, merge, _VALUE)]]


def _fact(name: str, text: str) -> Line:
    return [(name, Style.GOVERNANCE), f" {text}"]


def _packed(facts: Sequence[Line], room: int) -> list[Line]:
    """Lines of as many facts as there is room for; one that is too long by itself has a line."""
    lines: list[Line] = []
    left = 0
    for fact in facts:
        size = sum(len(span if isinstance(span, str) else span[0]) for span in fact)
        if lines and size + len(_GAP) <= left:
            lines[-1] += [_GAP, *fact]
            left -= size + len(_GAP)
        else:
            lines.append(list(fact))
            left = room - size
    return lines


def _time(seconds: float) -> str:
    """`7 s`, and from a minute on `1:07`."""
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02}"
