"""`governor worker` and `governor workers`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Handlers, Json, Model


def worker(
    db: Db = None,
    slots: Annotated[int, typer.Option("--slots", min=1, help="How many instances it moves at once.")] = 8,
    model: Model = None,
    handlers: Handlers = None,
    rate: Annotated[
        list[str] | None,
        typer.Option(
            "--rate",
            metavar="MODEL=N/UNIT",
            help="How often all workers together may call a model, such as openai:NAME=60/min. Repeatable.",
        ),
    ] = None,
    beat: Annotated[
        float, typer.Option("--beat", min=0.05, metavar="SECONDS", help="How often it says that it lives.")
    ] = 5.0,
    lease: Annotated[
        float, typer.Option("--lease", min=0.2, metavar="SECONDS", help="After how long a silence one is dead.")
    ] = 20.0,
    grace: Annotated[
        float, typer.Option("--grace", min=0, metavar="SECONDS", help="How long it may take to end when told to.")
    ] = 30.0,
    poll: Annotated[
        float, typer.Option("--poll", min=0.01, metavar="SECONDS", help="How often it looks for work.")
    ] = 0.2,
) -> None:
    """Move instances of a PostgreSQL database, beside other workers: until a SIGTERM or SIGINT.

    What was started with `--detach`, what people answered, timers that are due, what another worker left when it died.
    Exit code 0: stopped; 1: taken for dead, start it again; 2: it cannot work here.
    """
    from engine.cli.working import WorkerOptions, work

    given = {"slots": slots, "beat": beat, "lease": lease, "grace": grace, "poll": poll}
    options = WorkerOptions(db=db, model=model, handlers=tuple(handlers or ()), rates=tuple(rate or ()), given=given)
    raise typer.Exit(work(options))


def workers(db: Db = None, json: Json = False) -> None:
    """List the workers of a database, and the instances that they could not move."""
    from engine.cli.working import show_workers

    show_workers(db, as_json=json)
