"""`governor export-log`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from engine.cli.options import Db, Json


def export_log(
    instances: Annotated[
        list[str] | None, typer.Argument(metavar="[INSTANCE]...", help="Ids, or their beginnings; default: all.")
    ] = None,
    format: Annotated[
        Literal["xes", "ocel"], typer.Option("--format", help="XES (IEEE 1849), or OCEL 2.0 as JSON.")
    ] = "xes",
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")] = "-",
    process: Annotated[
        str | None, typer.Option("--process", metavar="ID", help="Only instances of this process.")
    ] = None,
    pseudonyms: Annotated[bool, typer.Option("--pseudonyms", help="Number people instead of naming them.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write the logs of instances for process mining.

    Who did what to which activity, when; no variables and no reasons.
    """
    from engine.cli.mining import Wanted, export

    export(db, Wanted(tuple(instances or ()), format, out, process, pseudonyms), as_json=json)
