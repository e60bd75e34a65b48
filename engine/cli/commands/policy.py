"""`governor policy FILE` and `governor policy set`."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from engine.cli.options import File, Json, Process


class ShowByDefault(TyperGroup):
    """`governor policy FILE` is `governor policy show FILE`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # An option before the file would be taken for one of the group.
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=ShowByDefault,
    help="What holds for each activity's context and people. FILE alone shows it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def show(file: File, process: Process = None, json: Json = False) -> None:
    """Show the policies of a file, resolved.

    What holds for each activity, and where each part of it is written.
    """
    from engine.cli.policies import show_policies

    show_policies(file, process, as_json=json)


@app.command(name="set")
def set_(
    file: File,
    element: Annotated[str, typer.Argument(metavar="ELEMENT", help="Id of the element.")],
    fields: Annotated[
        list[str], typer.Argument(metavar="FIELD=VALUE...", help="What to write; a blank value takes a field away.")
    ],
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write there instead of changing the file.")
    ] = None,
    json: Json = False,
) -> None:
    """Write a policy into a file, and leave the rest of it, byte for byte, alone."""
    from engine.cli.policies import set_policy

    set_policy(file, element, fields, out, as_json=json)
