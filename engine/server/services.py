"""What handlers work with, put together once when the server starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request

from engine.governor import Governor
from engine.server.assets import Assets
from engine.server.claims import Claims
from engine.server.identity.local import LocalIdentity
from engine.server.live import Heard
from engine.server.memories import Memories
from engine.server.moves import Moves
from engine.server.pages import Pages
from engine.server.seeing import Seeing
from engine.server.views.instance import Drawn
from engine.server.views.naming import Naming
from engine.store.access import AccessTables
from engine.store.ids import Ids
from engine.store.replies import Replies
from governance.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """`assets` and `pages` are for the browser. Handlers make one call into the `governor` each.

    What they show comes from `seeing`, or from the Governor that a request looks through.
    """

    governor: Governor
    identity: LocalIdentity
    clock: Clock
    assets: Assets
    pages: Pages
    heard: Heard
    ids: Ids
    settings: Mapping[str, Any]
    """Of instances that are started here: model, handlers, folder."""
    memories: Memories
    naming: Naming
    claims: Claims
    seeing: Seeing
    moves: Moves = field(default_factory=Moves)
    drawn: Drawn = field(default_factory=Drawn)

    @property
    def access(self) -> AccessTables:
        return self.governor.store.access

    @property
    def replies(self) -> Replies:
        return self.governor.store.replies


def services_of(request: Request) -> Services:
    """For handlers."""
    return services_in(request.app)


def services_in(app: FastAPI) -> Services:
    """Those of an application."""
    found: Services = app.state.services
    return found
