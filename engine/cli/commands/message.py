"""`governor message`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.commands.run import runner_for
from engine.cli.options import Answers, Db, Handlers, Instance, Json, Model, Plain, Quiet, Report, Roles, User, person

Key = Annotated[str | None, typer.Option("--key", metavar="VALUE", help="Its correlation key: JSON, or text.")]
Keep = Annotated[
    str | None, typer.Option("--keep", metavar="DURATION", help="Keep it so long if nothing waits for it yet: PT1H.")
]


def message(
    instance: Instance,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The message's name.")],
    var: Annotated[
        list[str] | None,
        typer.Option("--var", metavar="NAME=VALUE", help="A variable that it brings: JSON, or text. Repeatable."),
    ] = None,
    vars_file: Annotated[
        str | None, typer.Option("--vars", metavar="FILE", help="JSON or YAML file with variables that it brings.")
    ] = None,
    key: Key = None,
    keep: Keep = None,
    answers: Answers = None,
    model: Model = None,
    handlers: Handlers = None,
    db: Db = None,
    user: User = None,
    role: Roles = None,
    json: Json = False,
    quiet: Quiet = False,
    plain: Plain = False,
    report: Report = None,
) -> None:
    """Give a message to an instance that waits for it, and go on.

    It goes to the event or task that has waited for it longest, and whose key is the same where both have one.
    """
    from engine.cli.running import by_prefix
    from engine.cli.variables import json_or_text, read_duration, read_variables

    correlation = None if key is None else json_or_text(key)
    lasting = None if keep is None else read_duration("--keep", keep)
    payload = read_variables(var or (), vars_file)
    runner = runner_for(db, answers, model, handlers, user, role, json, quiet, plain, report)
    by = person(user)
    raise typer.Exit(
        runner.go_on(
            by_prefix(instance),
            lambda governor, id, _: governor.correlate(id, name, payload, key=correlation, keep=lasting, by=by),
        )
    )


def signal(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The signal's name.")],
    var: Annotated[
        list[str] | None,
        typer.Option("--var", metavar="NAME=VALUE", help="A variable that it brings: JSON, or text. Repeatable."),
    ] = None,
    vars_file: Annotated[
        str | None, typer.Option("--vars", metavar="FILE", help="JSON or YAML file with variables that it brings.")
    ] = None,
    model: Model = None,
    handlers: Handlers = None,
    db: Db = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Send a signal to all instances that wait for it now, and run them on. Those that are suspended get none.

    Exit code 1: one of them failed, stalled or could not be moved, else 0.
    """
    from engine.cli.commands.run import options_of
    from engine.cli.signalling import send_signal
    from engine.cli.variables import read_variables

    payload = read_variables(var or (), vars_file)
    options = options_of(db, None, model, handlers, None, None, json, False, plain, None)
    raise typer.Exit(send_signal(options, name, payload))
