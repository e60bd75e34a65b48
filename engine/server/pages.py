"""Makes pages from templates: in the reader's language, with what every page has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from starlette.responses import HTMLResponse

from engine.report.environment import TEMPLATES, environment
from engine.server.assets import Assets
from engine.server.identity.guard import person_of
from engine.words.catalogue import LANGUAGES, choose, translator

LANGUAGE_COOKIE: Final = "governor_language"


class Pages:
    """Templates in `folders`, before those of the report, of which pages include sections."""

    def __init__(self, folders: Sequence[Path], assets: Assets) -> None:
        self._environment = environment([*folders, TEMPLATES])
        self._environment.globals.update(asset=assets.address, languages=LANGUAGES)

    def show(self, request: Request, template: str, *, status: int = 200, **given: Any) -> HTMLResponse:
        """A page. A template sees `t`, which translates, `language`, `person` (None: nobody is signed in), `path`."""
        return HTMLResponse(self.text(request, template, **given), status)

    def text(self, request: Request, template: str, **given: Any) -> str:
        """The same as text."""
        language = language_of(request)
        return self._environment.get_template(template).render(
            t=translator(language), language=language, person=person_of(request), path=request.url.path, **given
        )


def language_of(request: Request) -> str:
    """The language of who reads."""
    asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    return choose(asked, request.headers.get("accept-language", ""))
