"""A run as one self-contained HTML page: nothing is fetched, and no text of the run is taken for markup or template."""

from __future__ import annotations

import os
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from jinja2 import Environment
from markupsafe import Markup

from engine.personal.masked_store import masked
from engine.report.drawings import Drawings
from engine.report.environment import ASSETS, TEMPLATES, environment
from engine.report.model.report import make_report
from engine.report.run import Run, read_run
from engine.store.port import InstanceStore
from engine.words.catalogue import ENGLISH, translator

_STYLES: Final = ("drawing.css", "page.css")
_SCRIPT: Final = "page.js"


def report_page(run: Run, language: str = ENGLISH) -> str:
    """The page, in one of the `LANGUAGES`. Cost: the events, the commits and the elements of the file."""
    report = make_report(run)
    script, t = _asset(_SCRIPT), translator(language)
    return _environment().get_template("page.html.j2").render(
        report=report,
        draw=Drawings(report, t),
        t=t,
        language=language,
        style=Markup("\n".join(map(_asset, _STYLES))),
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
    )


def write_report(
    store: InstanceStore,
    instance: str,
    path: str | os.PathLike[str],
    *,
    personal: bool = False,
    language: str = ENGLISH,
) -> int:
    """Write the page of an instance to a file; how many bytes it has. What policies call personal is masked, unless
    `personal`.

    Raises StoreError, OSError.
    """
    run = read_run(store if personal else masked(store), instance)
    page = report_page(run, language).encode("utf-8", "backslashreplace")
    Path(path).write_bytes(page)
    return len(page)


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    return environment([TEMPLATES])
