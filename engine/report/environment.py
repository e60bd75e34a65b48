"""How templates of pages are read: everything of a run is escaped, and no text of it is ever a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from engine.clean_text import clean
from engine.report.words import clock, lasting, moment, percent, score_text, several, times
from engine.told import Told, recorded
from engine.words.catalogue import ENGLISH, translator
from governance.attention.bands import health_of

TEMPLATES: Final = Path(__file__).parent / "templates"
"""Those of the report, of which other pages include sections."""
ASSETS: Final = Path(__file__).parent / "assets"


def environment(folders: Sequence[Path]) -> Environment:
    """Reads templates from these folders, the first that has one."""
    made = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(_FILTERS)
    made.globals.update(t=translator(ENGLISH), said=recorded)
    return made


@pass_context
def _cleaned(context: Context, value: Any) -> Any:
    """What a template writes, in the language of its page, without characters that would move or hide others."""
    if isinstance(value, Told):
        value = context["t"](value)
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
