"""Moves of one instance: beside what only looks, conditional where that is asked for, told without what is personal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Concatenate, ParamSpec

from fastapi import Depends, Request

from engine.governor import Governor
from engine.result import RunResult
from engine.server.api.documents import ResultDocument
from engine.server.api.parts import IfMatch, Instance, Operator, as_seen
from engine.server.identity.port import Person
from engine.server.services import Services, services_of

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class InstanceMoves:
    """What an operator does with an instance. `if_match` is the ETag that they have seen, None: as it stands."""

    services: Services
    person: Person
    instance: str
    if_match: str | None

    @property
    def by(self) -> str:
        """The operator's name."""
        return self.person.name

    async def made(
        self, move: Callable[Concatenate[Governor, str, P], RunResult], *given: P.args, **named: P.kwargs
    ) -> ResultDocument:
        """What a move of it came to. Raises PreconditionNeeded, InstanceChanged, Busy, and what the move raises."""
        governor, seeing = self.services.governor, self.services.seeing

        def step() -> ResultDocument:
            with as_seen(governor, self.instance, self.if_match):
                return ResultDocument.of(seeing.result(move(governor, self.instance, *given, **named)))

        return await self.services.moves.run(step)


async def moving(request: Request, person: Operator, instance: Instance, if_match: IfMatch = None) -> InstanceMoves:
    """A dependency; who moves an instance has to be an operator."""
    return InstanceMoves(services_of(request), person, instance, if_match)


Moving = Annotated[InstanceMoves, Depends(moving)]
"""For a route's parameter: `moving: Moving`."""
