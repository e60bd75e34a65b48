"""What a dialect has done beside an element: listeners, and scripts before and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bpmn.parts.data import DataMapping
from bpmn.parts.texts import Script

Moment = Literal["before", "after", "take"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """A script, or a job for a handler, at a moment of an element's; `event` is the dialect's word for it.

    `moment` is None where it is none at which anything is run.
    """

    event: str
    moment: Moment | None = None
    script: Script | None = None
    job_type: str | None = None
    inputs: tuple[DataMapping, ...] = ()
    line: int | None = None
