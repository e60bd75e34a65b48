"""Processes for workers."""

from __future__ import annotations

from tests.engine.models import catch, edges, end, gateway, message, model, service, start, timer, user

HELD = model(
    start(), service("first", "first"), service("hold", "hold"), service("last", "last"), end(),
    edges("s > first > hold > last > e"),
)  # fmt: skip
SHORT = model(start(), service("first", "first"), service("last", "last"), end(), edges("s > first > last > e"))
DEADLY = model(start(), service("die", "die"), end(), edges("s > die > e"))
TIMED = model(start(), catch("wait", timer("PT1S")), service("last", "last"), end(), edges("s > wait > last > e"))
RECEIVES = model(
    start(), catch("wait", message()), service("last", "last"), end(), edges("s > wait > last > e"),
    beside='<message id="m" name="m"/>',
)  # fmt: skip

BRANCHES = model(
    start(), gateway("g"), service("hold", "hold"), user("look"), service("first", "first"), gateway("j"),
    service("last", "last"), end(), edges("s > g > hold > j > last > e", "g > look > first > j"),
)  # fmt: skip
