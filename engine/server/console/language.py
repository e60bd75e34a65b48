"""Chooses the language of pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from engine.server.pages import LANGUAGE_COOKIE
from engine.words.catalogue import ENGLISH, LANGUAGES

router = APIRouter(include_in_schema=False)
_YEAR = 365 * 24 * 60 * 60


@router.get("/language/{code}")
def language(request: Request, code: str, next: Annotated[str, Query()] = "/") -> Response:
    """Remember it, and go back."""
    answer = RedirectResponse(local(next), 303)
    chosen = code if code in LANGUAGES else ENGLISH
    answer.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR, samesite="lax", secure=request.url.scheme == "https")
    return answer


def local(address: str) -> str:
    """An address on this server, the first page in place of any other."""
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"
