"""What is to be erased of an instance: plain data, no database in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention

ERASED_VALUE: Final = b'"[erased]"'
"""What is stored in the place of a value that was erased: the only body that need not be what its hash says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What is erased of an instance: values by hash, the data of events by number; the rest is put in its place."""

    instance: str
    values: Sequence[str] = ()
    events: Sequence[int] = ()
    interventions: Sequence[Intervention] = ()
    work_items: Sequence[WorkItem] = ()
    causes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """What advances were made by, by version."""
