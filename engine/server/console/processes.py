"""The page of processes: deploy a file, look at versions, start instances."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from engine.names import Names
from engine.policy_matrix import policy_rows
from engine.server.api.parts import Viewer
from engine.server.pages import language_of
from engine.server.services import services_of
from engine.server.views.policies import matrix
from engine.words.catalogue import rules

router = APIRouter(include_in_schema=False)


@router.get("/processes")
def processes(request: Request, person: Viewer) -> Response:
    """The last version of each."""
    services = services_of(request)
    given: dict[str, Any] = {"versions": services.governor.definitions(), "rules": rules(language_of(request))}
    return services.pages.show(request, "processes.html.j2", **given)


@router.get("/processes/{process}")
def process(request: Request, person: Viewer, process: Annotated[str, Path(max_length=500)]) -> Response:
    """One process: its versions, and how its activities are governed."""
    services = services_of(request)
    versions = services.governor.versions(process)
    definition = services.governor.definition(versions[0].definition)
    columns, rows = matrix(policy_rows(definition), Names(definition))
    return services.pages.show(request, "process.html.j2", versions=versions, columns=columns, rows=rows)
