"""`governor decide`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Json, Var, Vars


def decide(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A .dmn file.")],
    decision: Annotated[
        str | None,
        typer.Option(
            "--decision", metavar="ID|NAME", help="The decision or decision service; needed if there are several."
        ),
    ] = None,
    var: Var = None,
    vars_file: Vars = None,
    decisions: Annotated[
        list[str] | None,
        typer.Option(
            "--decisions", metavar="FILE", help="A .dmn file that FILE imports, beside those in its folder. Repeatable."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Ask a decision of a DMN file.

    Prints its result as JSON; with --json as `result`, with the `notes` that say what was null on the way, and why.
    """
    from engine.cli.deciding import decide_file
    from engine.cli.variables import read_variables

    decide_file(file, decision, read_variables(var or (), vars_file), tuple(decisions or ()), as_json=json)
