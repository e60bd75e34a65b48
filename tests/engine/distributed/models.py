"""Processes for workers."""

from __future__ import annotations

from tests.engine.models import edges, end, model, service, start

HELD = model(
    start(), service("first", "first"), service("hold", "hold"), service("last", "last"), end(),
    edges("s > first > hold > last > e"),
)  # fmt: skip
SHORT = model(start(), service("first", "first"), service("last", "last"), end(), edges("s > first > last > e"))
