"""Files for designers: what they need to offer policies, and to keep them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from bpmn.designer.moddle import moddle
from bpmn.designer.templates import camunda_7, camunda_8
from bpmn.designer.xsd import xsd
from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.json_text import pretty

FILES: Final[Mapping[str, tuple[str, Callable[[], str]]]] = {
    "governor.moddle.json": ("moddle descriptor for bpmn-js and its relatives", lambda: pretty(moddle()) + "\n"),
    "governor-camunda-8.json": ("element templates for Camunda 8", lambda: pretty(camunda_8()) + "\n"),
    "governor-camunda-7.json": (
        "element template for Camunda 7, Operaton and CIB seven; it overwrites what an element has",
        lambda: pretty(camunda_7()) + "\n",
    ),
    "governor.xsd": ("XML schema", xsd),
}
"""By name: what a file is, and its text."""


def write_templates(out: str, *, as_json: bool) -> None:
    """Write all of them into a folder. Raises BadOption where that cannot be done."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, (_, text) in FILES.items():
            (folder / name).write_text(text(), encoding="utf-8")
    except OSError as error:
        raise BadOption("--out", out, error.strerror or str(error)) from error
    if as_json:
        print_json({"files": [str(folder / name) for name in FILES]})
        return
    screen, width = output(), max(map(len, FILES)) + 2
    for name, (what, _) in FILES.items():
        screen.fact((name, Style.STRONG), what, width=width)
