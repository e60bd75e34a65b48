"""The history of an instance: gone through again, gone back in, proved, taken along, and what of it is erased."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import Query, Request
from pydantic import Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from engine.context_names import ContextNames
from engine.evidence.audit import audit_instance
from engine.evidence.evidence import write_evidence
from engine.governor import Governor
from engine.replay.rewinding import Consent
from engine.result import RunResult
from engine.server.api.documents import Given, Json, ResultDocument, Said, Word
from engine.server.api.moving import Moving
from engine.server.api.parts import Admin, Instance, Operator, Viewer, router
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.server.seeing import Looking
from engine.server.services import services_of
from governance.ports import timestamp
from governance.vocabulary import InteractionLevel

routes = router("history")

Snapshot = Annotated[
    str, Query(min_length=1, max_length=2_000, description="The id of a snapshot, its beginning, or a branch.")
]
_ZIP: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}


class Rewind(Said):
    """Lets an instance go on as it stood at a snapshot."""

    snapshot: Word = Field(description="Its id, the beginning of it, or a branch.")
    seen: Word | None = Field(
        default=None, description="Of the plan that was looked at: what was done outside since is agreed to."
    )


class Erase(Given):
    """Erases what an ended instance knows of a person."""

    reason: str = Field(min_length=1, max_length=20_000, pattern=r"^[^\x00]*$")
    keys: list[Word] = Field(default_factory=list, max_length=200, description="None: what its policies call personal.")
    dry_run: bool = Field(default=False, description="Only say what it would erase.")


@routes.get("/instances/{instance}/rewind")
def plan_rewind(request: Request, person: Operator, instance: Instance, snapshot: Snapshot) -> Json:
    """What going back to a snapshot means: what was done outside since, and who has to agree. Nothing changes.

    Who rewinds sends its `seen`. Cost: the instance's history.
    """
    services = services_of(request)
    plan = services.governor.plan_rewind(instance, _snapshot(services.governor, instance, snapshot))
    # Not the hashes: in one of them the digits of something personal would be masked, and nobody could agree to it.
    return {**services.seeing.told(instance, plan.to_json()), "snapshot": plan.snapshot, "seen": plan.seen}


@routes.post("/instances/{instance}/rewind")
async def rewind(moving: Moving, asked: Rewind) -> ResultDocument:
    """Let it go on as it stood at a snapshot; what happened since stays in the log, as a line that was given up.

    What was done outside since is not undone. Where something was, or the policy asks for it, the plan has to have been
    looked at, else it is refused (409) with what was done; an EXPLICIT_APPROVAL takes the role approver and a reason.
    """

    person = moving.person
    consent = Consent(person.name, asked.reason, person.roles, _agreed(person, asked.seen), asked.seen)

    def move(governor: Governor, instance: str) -> RunResult:
        return governor.rewind(instance, _snapshot(governor, instance, asked.snapshot), consent)

    return await moving.made(move)


@routes.post("/instances/{instance}/replay")
async def replay(request: Request, person: Operator, instance: Instance) -> Json:
    """Make every advance again, from the log alone, and compare the snapshots. Nothing is done or stored."""
    services = services_of(request)
    found = await services.moves.run(lambda: services.governor.replay(instance))
    told: Json = services.seeing.told(instance, {**asdict(found), "same": found.difference is None})
    return told


@routes.get("/instances/{instance}/audit")
def audit_log(request: Request, person: Viewer, instance: Instance) -> Json:
    """Whether its log is what was written: `finding` names the first event that is not. Cost: the log."""
    return asdict(audit_instance(services_of(request).governor.store, instance))


@routes.get("/instances/{instance}/evidence", response_class=Response, responses=_ZIP)
def get_evidence(request: Request, governor: Looking, person: Operator, instance: Instance) -> Response:
    """Its evidence as one file, for `governor evidence verify`: what is personal is withheld, and leaves its hash."""
    services = services_of(request)
    personal, at = governor is services.governor, timestamp(services.clock.now())

    def write(path: Path) -> None:
        write_evidence(services.governor.store, instance, path, at, personal=personal)

    return _file(f"{instance}.evidence.zip", write)


@routes.get("/instances/{instance}/archive", response_class=Response, responses=_ZIP)
def get_archive(request: Request, person: Admin, instance: Instance) -> Response:
    """All of it as one file, for `governor import`, with what is personal; it is written down who took it."""
    services = services_of(request)
    services.seeing.unmasked(request)
    return _file(f"{instance}.governor", lambda path: services.governor.store.export(instance, path))


@routes.post("/instances/{instance}/erasure")
async def erase(request: Request, person: Admin, instance: Instance, asked: Erase) -> Json:
    """Erase what an ended instance knows of a person, and whatever tells it. The chain of its log stays whole."""
    services = services_of(request)
    keys, given = asked.keys or None, {"by": person.name, "reason": asked.reason}
    erased = await services.moves.run(
        lambda: services.governor.erase(instance, keys, dry_run=asked.dry_run, **given)
    )
    return {**asdict(erased), "erased": not asked.dry_run}


def _agreed(person: Person, seen: str | None) -> InteractionLevel:
    """Up to which level somebody agrees."""
    if seen is None:
        return InteractionLevel.MICRO_SUGGESTION
    approves = person.may(Role.APPROVER)
    return InteractionLevel.EXPLICIT_APPROVAL if approves else InteractionLevel.DIFF_PREVIEW


def _snapshot(governor: Governor, instance: str, name: str) -> str:
    return ContextNames.of(governor, governor.graph(instance), instance).snapshot(name)


def _file(name: str, write: Callable[[Path], None]) -> Response:
    """What `write` writes; it is gone once it was sent, or could not be written."""
    folder = tempfile.TemporaryDirectory(prefix="governor-")
    path = Path(folder.name) / "file"
    try:
        write(path)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        path, media_type="application/zip", filename=name, background=BackgroundTask(folder.cleanup)
    )
