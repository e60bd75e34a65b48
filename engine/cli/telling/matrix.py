"""Resolved policies as a matrix, activities by dimensions, with a legend of where they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bpmn.definition import Element
from engine.cli.screen.port import Cell, Screen, Span, Style
from engine.cli.telling.dimensions import DIMENSIONS, NOTHING, Dimension
from engine.names import Names
from governance.policy import Origin, Policy

OWN: Final = "*"
"""Marks what is written on the activity itself; a letter, what it inherits."""


class PolicyMatrix:
    """The policies of some elements of one process."""

    def __init__(self, names: Names, governed: Sequence[Element]) -> None:
        self._names, self._governed = names, governed
        self._marks: dict[str, str] = {}
        """Letter by the id of what is inherited from."""
        self._written: dict[tuple[str, str], dict[str, tuple[str, list[int]]]] = {}
        """By (mark, where): by dimension, the value in full and its lines."""

    def tell(self, screen: Screen) -> None:
        """The dimensions that the file sets as columns; in lines, the defaults of those that it does not."""
        shown = [each for each in DIMENSIONS if any(self._origins(element, each) for element in self._governed)]
        if shown:
            rows = [
                [(self._names.element(element.id), Style.STRONG), *(self._field(element, each) for each in shown)]
                for element in self._governed
            ]
            screen.table(["activity", *(each.title for each in shown)], rows, flexible=0)
            screen.line()
            self._legend(screen)
        self._defaults(screen, [each for each in DIMENSIONS if each not in shown])

    def _defaults(self, screen: Screen, dimensions: Sequence[Dimension]) -> None:
        """What holds by default; where that is nothing, the dimensions alone."""
        policy = self._governed[0].resolved.policy
        values = {each.title: each.full(policy) for each in dimensions}
        hold = [f"{title} {value}" for title, value in values.items() if value != NOTHING]
        if hold:
            screen.line(("default everywhere: ", Style.STRONG), "; ".join(hold))
        unset = [title for title, value in values.items() if value == NOTHING]
        if unset:
            screen.line(("set nowhere: ", Style.STRONG), ", ".join(unset))

    def _field(self, element: Element, dimension: Dimension) -> Cell:
        """The value in brief, with the marks of where it is written; what is inherited is dimmed."""
        policy, origins = element.resolved.policy, self._origins(element, dimension)
        marks = list(dict.fromkeys(self._mark(element, origin) for origin in origins))
        for origin in origins:
            self._note(element, dimension, origin, policy)
        is_own = OWN in marks
        value: Span = dimension.brief(policy) if is_own else (dimension.brief(policy), Style.DIM)
        return [value, *((f" {mark}", Style.GOOD if mark == OWN else Style.WARN) for mark in marks)]

    def _legend(self, screen: Screen) -> None:
        for (mark, where), written in sorted(self._written.items(), key=_own_last):
            screen.line((mark, Style.GOOD if mark == OWN else Style.WARN), " ", (where, Style.STRONG))
            width = max(10, *map(len, written))
            for title, (value, lines) in written.items():
                place = f" ({', '.join(map(str, lines))})" if lines else ""
                screen.line(f"    {title:<{width}} {value}", (place, Style.DIM))
        own, inherited = f"{OWN} written on the activity itself", "a letter: inherited from there"
        screen.line((f"{own}; {inherited}; (line); no mark: default", Style.DIM))

    def _note(self, element: Element, dimension: Dimension, origin: Origin, policy: Policy) -> None:
        where = element.id if origin.kind == "element" else f"{origin.kind} {origin.element}"
        written = self._written.setdefault((self._mark(element, origin), where), {})
        _, lines = written.setdefault(dimension.title, (dimension.full(policy), []))
        if origin.line is not None and origin.line not in lines:
            lines.append(origin.line)

    def _mark(self, element: Element, origin: Origin) -> str:
        if origin.kind == "element":
            return OWN
        return self._marks.setdefault(str(origin.element), _letter(len(self._marks)))

    @staticmethod
    def _origins(element: Element, dimension: Dimension) -> list[Origin]:
        """Where the dimension is written, nothing for a default."""
        origins = element.resolved.origins
        found = (origins[field] for field in dimension.fields if field in origins)
        return [origin for origin in found if origin.element is not None]


def _letter(number: int) -> str:
    """a to z, then aa, ab and so on."""
    rest, last = divmod(number, 26)
    return (_letter(rest - 1) if rest else "") + chr(ord("a") + last)


def _own_last(item: tuple[tuple[str, str], object]) -> tuple[bool, int, str]:
    mark = item[0][0]
    return mark == OWN, len(mark), mark
