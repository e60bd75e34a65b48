"""What handlers work with, put together once when the server starts."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from engine.governor import Governor
from engine.server.assets import Assets
from engine.server.identity.local import LocalIdentity
from engine.server.pages import Pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """`assets` and `pages` are for the browser."""

    governor: Governor
    identity: LocalIdentity
    assets: Assets
    pages: Pages


def services_of(request: Request) -> Services:
    """For handlers."""
    found: Services = request.app.state.services
    return found
