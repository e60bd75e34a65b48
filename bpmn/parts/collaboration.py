"""Pools, and the message flows between them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A pool; `process` is None for a black box."""

    id: str
    name: str | None = None
    process: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFlow:
    """A message flow between pools or their elements."""

    id: str
    source: str
    target: str
    name: str | None = None
    message: str | None = None
    line: int | None = None
