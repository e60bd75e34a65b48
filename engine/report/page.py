"""A run as one self-contained HTML page: nothing is fetched, and no text of the run is taken for markup or template."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from engine.clean_text import clean
from engine.report.drawings import Drawings
from engine.report.model.report import make_report
from engine.report.run import Run, read_run
from engine.report.words import clock, lasting, moment, percent, score_text, several, times
from engine.store.port import InstanceStore
from governance.attention.bands import health_of

_HERE: Final = Path(__file__).parent
_STYLES: Final = ("drawing.css", "page.css")
_SCRIPT: Final = "page.js"


def report_page(run: Run) -> str:
    """The page. Cost: the events, the commits and the elements of the file."""
    report = make_report(run)
    script = _asset(_SCRIPT)
    return _environment().get_template("page.html.j2").render(
        report=report,
        draw=Drawings(report),
        style=Markup("\n".join(map(_asset, _STYLES))),
        script=Markup(script),
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
    )


def write_report(store: InstanceStore, instance: str, path: str | os.PathLike[str]) -> int:
    """Write the page of an instance to a file; how many bytes it has. Raises StoreError, OSError."""
    page = report_page(read_run(store, instance)).encode("utf-8", "backslashreplace")
    Path(path).write_bytes(page)
    return len(page)


def _asset(name: str) -> str:
    return (_HERE / "assets" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(_FILTERS)
    return environment


def _cleaned(value: Any) -> Any:
    """What a template writes, without characters that would move or hide others."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "clock": clock,
    "count": lambda number: f"{number:,}",
    "health": lambda score: health_of(score).value,
    "lasting": lasting,
    "moment": moment,
    "percent": percent,
    "score": score_text,
    "several": several,
    "times": times,
}
