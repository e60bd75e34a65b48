"""`governor tool`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, User, person


def tool(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="context_inspect, context_compress, context_branch or human_confirm."),
    ],
    instance: Instance,
    args: Annotated[str, typer.Option("--args", metavar="JSON", help="The arguments: a JSON object.")] = "{}",
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="The branch, where several go on.")
    ] = None,
    user: User = None,
    db: Db = None,
) -> None:
    """Call one of governance's tools, as an agent does; prints what it gives, as JSON."""
    from engine.cli.tools import use_tool

    use_tool(db, name, instance, args, branch, person(user))
