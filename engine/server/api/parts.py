"""What the routes of the API share: who may call them, paging, conditions."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Annotated, Final

from fastapi import APIRouter, Header, Path, Query

from engine.governor import Governor
from engine.server.errors import PreconditionNeeded
from engine.server.idempotency import OnceRoute
from engine.server.identity.guard import needs
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.store.advance import InstanceRecord

Viewer = Annotated[Person, needs(Role.VIEWER)]
Operator = Annotated[Person, needs(Role.OPERATOR)]
Designer = Annotated[Person, needs(Role.DESIGNER)]
Approver = Annotated[Person, needs(Role.APPROVER)]
Admin = Annotated[Person, needs(Role.ADMIN)]

API: Final = "/v1"
_ID: Final = r"^[^\x00-\x1f]{1,200}$"
Id = Annotated[str, Path(pattern=_ID, description="An id.")]
Instance = Annotated[str, Path(pattern=_ID, description="The id of an instance.")]
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most.")]
IfMatch = Annotated[
    str | None,
    Header(description="The ETag of the instance as you saw it: where it has changed since, nothing is done (412)."),
]
BIGGEST: Final = 2**53
"""The largest number of an event that JSON can tell for sure."""


def router(tag: str) -> APIRouter:
    """A router of one resource."""
    return APIRouter(prefix=API, tags=[tag], route_class=OnceRoute)


def etag_of(record: InstanceRecord) -> str:
    """Changes with every advance of an instance."""
    return f'"{record.epoch}.{record.version}"'


def expected_version(given: str | None) -> tuple[int, int] | None:
    """Epoch and version of an `If-Match`; None: any. Raises PreconditionNeeded for what is no ETag of ours."""
    if given is None or given.strip() == "*":
        return None
    try:
        epoch, version = (int(part) for part in given.strip().strip('"').split("."))
    except ValueError as error:
        raise PreconditionNeeded("If-Match", given) from error
    return epoch, version


def as_seen(governor: Governor, instance: str, given: str | None) -> AbstractContextManager[None]:
    """For a `with` statement around a move: `given` is an `If-Match`, None: as it stands. Raises PreconditionNeeded."""
    expected = expected_version(given)
    return nullcontext() if expected is None else governor.expecting(instance, expected)
