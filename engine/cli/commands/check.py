"""`governor check`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from engine.cli.options import Decisions, File, Handlers, Json, Process

Format = Literal["text", "json", "github", "sarif"]

def check(
    file: File,
    process: Process = None,
    handlers: Handlers = None,
    decisions: Decisions = None,
    format: Annotated[
        Format, typer.Option("--format", help="github: annotations for GitHub Actions; sarif: for code scanning.")
    ] = "text",
    against: Annotated[
        str | None, typer.Option("--against", metavar="OLD", help="Compare its policies to the file it replaces.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            metavar="CODE",
            envvar="GOVERNOR_RULES",
            help="A rule that is off by default, too: accountable. Repeatable.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check a file: can it be run? A .dmn file: can its decisions be asked?

    Exit code 2 if there are errors, 0 if there are only warnings; with --against 3 if a person has to look at it.
    """
    from engine.cli.checking import Checked, write

    checked = Checked.of(file, process, tuple(handlers or ()), tuple(decisions or ()), against, tuple(rules or ()))
    write(checked, "json" if json else format)
    raise typer.Exit(checked.exit)
