"""`/v1/definitions` and `/v1/checks`: files, checked and kept as versions of processes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import Response

from bpmn.load import Loaded, load
from engine.people.agreement import Agreement
from engine.people.design_review import review
from engine.policy_matrix import policy_rows
from engine.server.api.documents import (
    Checkable,
    CheckDocument,
    Deploy,
    FindingDocument,
    Json,
    VersionDocument,
    VersionList,
)
from engine.server.api.parts import Designer, Id, Viewer, router
from engine.server.identity.roles import Role
from engine.server.services import services_of

routes = router("definitions")


@routes.post("/checks")
def check(request: Request, person: Viewer, asked: Checkable) -> CheckDocument:
    """Read and check a file: what is wrong with it, and how it is governed. A file that is no BPMN is refused (422)."""
    loaded = _load(asked)
    errors = len(loaded.errors)
    return CheckDocument(
        process=loaded.definition.main,
        errors=errors,
        warnings=len(loaded.findings) - errors,
        findings=[FindingDocument(**finding.to_json()) for finding in loaded.findings],
        review=review(loaded.definition, loaded.findings).to_json(),
        policies=policy_rows(loaded.definition),
    )


@routes.post("/definitions/comparison")
def compare(request: Request, person: Designer, asked: Checkable) -> Json:
    """What deploying a file would change against the last version of its process, and what is asked for before that.

    `review` has the level and its reasons, `changes` the policies that change, `seen` the hash of all that.
    """
    return services_of(request).governor.compare(_load(asked))


@routes.post("/definitions")
def deploy(request: Request, person: Designer, asked: Deploy) -> VersionDocument:
    """Keep a file as the next version of its process. With errors in it, it is refused (422).

    Where policies change, somebody has to have looked at that: without `seen` it is refused (409), and the problem's
    `compared` says what changes. What lowers a level takes the role approver and a `reason`, too.
    """
    given = Agreement(
        by=person.name, may_approve=person.may(Role.APPROVER), seen=asked.seen, reason=asked.reason or None
    )
    return VersionDocument.of(services_of(request).governor.deploy_as_agreed(_load(asked), given))


@routes.get("/definitions")
def list_definitions(
    request: Request,
    person: Viewer,
    process: Annotated[str | None, Query(max_length=500, description="All versions of this process.")] = None,
) -> VersionList:
    """The last version of each process, or all versions of one, the newest first."""
    governor = services_of(request).governor
    found = governor.definitions() if process is None else governor.versions(process)
    return VersionList(versions=[VersionDocument.of(each) for each in found])


@routes.get("/definitions/{id}")
def get_definition(request: Request, person: Viewer, id: Id) -> Json:
    """A definition by its hash: its processes, and the policies of its activities as a matrix."""
    definition = services_of(request).governor.definition(id)
    processes = [{"id": each.id, "name": each.name} for each in definition.processes.values()]
    return {
        "definition": id, "file": definition.file, "process": definition.main, "processes": processes,
        "policies": policy_rows(definition),
    }  # fmt: skip


@routes.get(
    "/definitions/{id}/source",
    response_class=Response,
    responses={200: {"content": {"application/xml": {"schema": {"type": "string"}}}}},
)
def get_source(request: Request, person: Viewer, id: Id) -> Response:
    """The file that a definition was read from."""
    source = services_of(request).governor.store.definition_source(id)
    return Response(source, media_type="application/xml", headers={"content-disposition": "attachment"})


def _load(asked: Checkable) -> Loaded:
    return load(asked.source.encode("utf-8", "surrogatepass"), file=asked.file, process=asked.process)
