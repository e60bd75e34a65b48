"""`/v1/work-items` and `/v1/interventions`: what waits for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import TypeAdapter
from starlette.responses import JSONResponse, Response

from engine.people.answering import AlreadyDone
from engine.people.work_item import WorkItem
from engine.server.api.documents import Answer, ClaimDocument, Complete, Delegate, Json, ResultDocument
from engine.server.api.parts import Approver, Id, Limit, Viewer, router
from engine.server.seeing import Looking
from engine.server.services import services_of
from governance.human_loop.intervention import Intervention, require_open

routes = router("inbox")

_WORK_ITEM: TypeAdapter[WorkItem] = TypeAdapter(WorkItem)
Where = Annotated[str | None, Query(max_length=200, description="Only those of this instance.")]
Which = Annotated[Literal["open", "all"], Query(description="Those that wait, or all there were.")]
After = Annotated[
    str | None, Query(max_length=500, pattern=r"^[^/\x00]+/[^\x00]+$", description="The `next` of the page before.")
]


@routes.get("/work-items")
def list_work_items(
    governor: Looking,
    person: Viewer,
    instance: Where = None,
    which: Which = "open",
    after: After = None,
    limit: Limit = 100,
) -> Json:
    """User and manual tasks, the oldest first; `next` is the `after` of the page after this one."""
    status, behind = "open" if which == "open" else None, _place(after)
    found = governor.store.work_items(instance=instance, status=status, after=behind, limit=limit + 1)
    return {"work_items": [_item(each) for each in found[:limit]], "next": _next(found, limit)}


@routes.get("/work-items/{id}")
def get_work_item(request: Request, person: Viewer, id: Id) -> Json:
    """A task: its form is the JSON Schema of its outputs, `shown` what a person is to see.

    Whoever may do it sees all of it, while it is open; for others what is personal is masked.
    """
    return _item(services_of(request).seeing.task(id, person))


@routes.post("/work-items/{id}/claim")
def claim_work_item(request: Request, person: Approver, id: Id) -> ClaimDocument:
    """Say that you are at a task, so that nobody else begins it (409 for them); after half an hour it is forgotten.

    It binds nobody: whoever completes the task first has done it.
    """
    services = services_of(request)
    require_waiting(services.governor.store.work_item(id))
    return ClaimDocument(**asdict(services.claims.claim(id, person.name)))


@routes.delete("/work-items/{id}/claim")
def release_work_item(request: Request, person: Approver, id: Id) -> Json:
    """Say that you are no longer at it."""
    services_of(request).claims.release(id, person.name)
    return {}


@routes.post("/work-items/{id}/completion")
async def complete_work_item(request: Request, person: Approver, id: Id, asked: Complete) -> ResultDocument:
    """Do a task, and run its instance on. Of two people the first one did it; the other is told who that was (409)."""
    services = services_of(request)
    given: Mapping[str, Any] = {"by": person.name, "roles": person.roles}
    result = await services.moves.run(lambda: services.governor.complete(id, asked.outputs, **given))
    return ResultDocument.of(services.seeing.result(result))


@routes.get("/interventions")
def list_interventions(
    governor: Looking,
    person: Viewer,
    instance: Where = None,
    which: Which = "open",
    after: After = None,
    limit: Limit = 100,
) -> Json:
    """Questions to people, the oldest first; `next` is the `after` of the page after this one."""
    status, behind = "open" if which == "open" else None, _place(after)
    found = governor.store.interventions(instance=instance, status=status, after=behind, limit=limit + 1)
    return {"interventions": [each.model_dump(mode="json") for each in found[:limit]], "next": _next(found, limit)}


@routes.get("/interventions/{id}", response_model=Intervention)
def get_intervention(request: Request, person: Viewer, id: Id) -> Response:
    """A question: what it shows, which decisions it takes, who may answer and until when.

    Whoever may answer sees all of it, while it is open; for others what is personal is masked.
    """
    # As it is: its hash is that of what was shown, not of what is left of that behind masks.
    return JSONResponse(services_of(request).seeing.question(id, person).model_dump(mode="json"))


@routes.post("/interventions/{id}/claim")
def claim_intervention(request: Request, person: Approver, id: Id) -> ClaimDocument:
    """Say that you are at a question, as of a task. To bind it to somebody, delegate it."""
    services = services_of(request)
    require_open(services.governor.store.intervention(id))
    return ClaimDocument(**asdict(services.claims.claim(id, person.name)))


@routes.delete("/interventions/{id}/claim")
def release_intervention(request: Request, person: Approver, id: Id) -> Json:
    """Say that you are no longer at it."""
    services_of(request).claims.release(id, person.name)
    return {}


@routes.post("/interventions/{id}/answer")
async def answer_intervention(request: Request, person: Approver, id: Id, asked: Answer) -> ResultDocument:
    """Answer a question, and run its instance on. Of two answers the first one stands (409 for the other)."""
    services = services_of(request)

    def move() -> ResultDocument:
        result = services.governor.answer(
            id, asked.decision, by=person.name, reason=asked.reason, values=asked.values, roles=person.roles,
            shown_hash=asked.shown_hash,
        )  # fmt: skip
        return ResultDocument.of(services.seeing.result(result))

    return await services.moves.run(move)


@routes.post("/interventions/{id}/delegation")
async def delegate_intervention(request: Request, person: Approver, id: Id, asked: Delegate) -> ResultDocument:
    """Hand a question to one person, who alone may answer it then."""
    services = services_of(request)
    given: Mapping[str, Any] = {"by": person.name, "reason": asked.reason, "roles": person.roles}
    result = await services.moves.run(lambda: services.governor.delegate(id, asked.to, **given))
    return ResultDocument.of(services.seeing.result(result))


def require_waiting(item: WorkItem) -> None:
    """Raises AlreadyDone."""
    if item.status != "open":
        raise AlreadyDone(item)


def _item(item: WorkItem) -> Json:
    document: Json = _WORK_ITEM.dump_python(item, mode="json")
    return document


def _place(after: str | None) -> tuple[str, str] | None:
    made, _, id = (after or "").partition("/")
    return (made, id) if id else None


def _next(found: Sequence[WorkItem | Intervention], limit: int) -> str | None:
    """Where the page after this one begins; None: this is the last."""
    if len(found) <= limit:
        return None
    last = found[limit - 1]
    return f"{last.created_at}/{last.id}"
