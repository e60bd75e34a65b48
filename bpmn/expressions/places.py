"""Where an expression stands, for messages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Where:
    """The place of an expression or script in its file."""

    file: str
    element: str
    """Id of the element or flow that holds the text."""
    line: int | None = None
    """1-based line of the file on which the text begins; None: not known."""


@dataclass(frozen=True, slots=True)
class Site:
    """One part of an expression's text: what an error points at."""

    where: Where
    line: int | None
    text: str
    """The part as written; long parts are cut."""
    operands: tuple[str, ...] = ()
    """The texts of the values that the part works on, in order."""
