"""The parts of a JUEL expression, each with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """From where to where a part goes, in characters of the whole text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Literal:
    span: Span
    value: Any


@dataclass(frozen=True, slots=True)
class Name:
    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """`base.name`."""

    span: Span
    base: Part
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """`base[key]`."""

    span: Span
    base: Part
    key: Part


@dataclass(frozen=True, slots=True)
class Call:
    """`base.name(arguments)`; without a base a function, `name(arguments)` or `prefix:name(arguments)`."""

    span: Span
    base: Part | None
    name: str
    arguments: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Unary:
    """`!x`, `-x`, `empty x`."""

    span: Span
    operator: str
    operand: Part


@dataclass(frozen=True, slots=True)
class Binary:
    span: Span
    operator: str
    left: Part
    right: Part


@dataclass(frozen=True, slots=True)
class Choice:
    """`test ? then : otherwise`."""

    span: Span
    test: Part
    then: Part
    otherwise: Part


Part: TypeAlias = "Literal | Name | Field | Item | Call | Unary | Binary | Choice"
