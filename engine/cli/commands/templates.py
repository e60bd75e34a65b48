"""`governor templates`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Json


def templates(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Where to write them; made at need.")],
    json: Json = False,
) -> None:
    """Write what BPMN designers need to know of policies.

    A moddle descriptor for bpmn.io's tools, element templates for Camunda Modeler, an XML schema.
    """
    from engine.cli.templates import write_templates

    write_templates(out, as_json=json)
