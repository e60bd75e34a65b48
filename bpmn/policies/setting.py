"""What a dialect gives: settings, one for each field that it finds written on an element."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bpmn.policies.fields import Value
from bpmn.reader.xml import Xml


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One field as written. `source` says how (`gov:policy`, `gov: attribute`), for messages."""

    name: str
    value: Value
    source: str
    line: int | None


Dialect: TypeAlias = Callable[[Xml], Iterable[Setting]]
"""Reads the settings of one element: its own attributes, and the direct children of its `extensionElements`."""
