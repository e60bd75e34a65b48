"""Moves of one instance: beside what only looks, conditional where that is asked for, told without what is personal."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request

from engine.governor import Governor
from engine.result import RunResult
from engine.server.api.documents import ResultDocument
from engine.server.api.parts import as_seen
from engine.server.services import services_of


async def moved(
    request: Request, instance: str, if_match: str | None, move: Callable[[Governor], RunResult]
) -> ResultDocument:
    """What it came to. Raises PreconditionNeeded, InstanceChanged, Busy, and what the move raises."""
    services = services_of(request)

    def step() -> ResultDocument:
        with as_seen(services.governor, instance, if_match):
            return ResultDocument.of(services.seeing.result(move(services.governor)))

    return await services.moves.run(step)
