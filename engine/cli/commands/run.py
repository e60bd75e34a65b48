"""`governor run`, `resume` and `retry`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from engine.cli.options import (
    Answers,
    Db,
    Decisions,
    File,
    Handlers,
    Instance,
    Json,
    Knowledge,
    Model,
    Plain,
    Process,
    Quiet,
    Report,
    Roles,
    TrustScripts,
    User,
    Var,
    Vars,
    person,
)

if TYPE_CHECKING:
    from engine.cli.running import Runner, RunOptions


Reach = Literal["process", "everywhere", "instance", "told", "off"]
DeadEnds = Annotated[
    Reach | None,
    typer.Option(
        "--dead-ends",
        help="Whose dead ends it knows. Default: those of its process. told: the same, and it refuses nothing.",
        show_default=False,
    ),
]
RunModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        envvar="GOVERNOR_MODEL",
        help="Model of the agents: offline (the default), a provider's such as openai:NAME, or replay:FILE.",
    ),
]
Simulate = Annotated[
    bool, typer.Option("--simulate", help="Nobody does anything: outputs are placeholders, questions are approved.")
]
Tenant = Annotated[
    str | None, typer.Option("--tenant", metavar="NAME", help="Whose it is: workers serve tenants in turn.")
]
Detach = Annotated[
    bool, typer.Option("--detach", help="Only start it: `governor worker` does the work. Needs PostgreSQL.")
]


def run(
    file: File,
    process: Process = None,
    var: Var = None,
    vars_file: Vars = None,
    answers: Answers = None,
    model: RunModel = None,
    handlers: Handlers = None,
    decisions: Decisions = None,
    knowledge: Knowledge = None,
    simulate: Simulate = False,
    trust_scripts: TrustScripts = False,
    dead_ends: DeadEnds = None,
    db: Db = None,
    user: User = None,
    role: Roles = None,
    json: Json = False,
    quiet: Quiet = False,
    plain: Plain = False,
    report: Report = None,
    tenant: Tenant = None,
    detach: Detach = False,
) -> None:
    """Run a process as far as it goes.

    Exit code 0: completed, 1: failed or stalled, 2: bad input, 3: it waits for a person, a message or a timer.
    """
    from engine.cli.running import Runner
    from engine.cli.variables import read_variables

    options = options_of(db, answers, model, handlers, user, role, json, quiet, plain, report, detach)
    variables = read_variables(var or (), vars_file)
    settings = {"simulate": simulate or None, "trust_scripts": trust_scripts or None, "dead_ends": dead_ends}
    more = {**settings, "tenant": tenant}
    raise typer.Exit(
        Runner(options).start(file, process, variables, more, knowledge=knowledge, decisions=decisions or ())
    )


SomeInstance = Annotated[
    str | None, typer.Argument(metavar="INSTANCE", help="Id of an instance, or its beginning.", show_default=False)
]


def resume(
    instance: SomeInstance = None,
    due: Annotated[
        bool, typer.Option("--due", help="Instead: every instance whose timer, or time to answer, is over.")
    ] = False,
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
    """Go on with an instance that waits or was stopped.

    Unfinished work, timers that are due, and what people are asked. Options hold instead of those of the run.
    With --due nobody is asked, and the exit code is 1 if an instance failed, stalled or could not be moved, else 0.
    """
    from engine.cli.errors import BadOption

    if due:
        if instance or answers or report:
            raise BadOption("--due", "", "it goes without INSTANCE, --answers and --report")
        from engine.cli.due import resume_due

        raise typer.Exit(resume_due(options_of(db, None, model, handlers, user, role, json, quiet, plain, None)))
    if instance is None:
        raise BadOption("INSTANCE", "", "say which instance, or --due")
    runner = runner_for(db, answers, model, handlers, user, role, json, quiet, plain, report)
    from engine.cli.running import by_prefix

    raise typer.Exit(runner.go_on(by_prefix(instance), lambda governor, id, _: governor.resume(id)))


def retry(
    instance: Instance,
    element: Annotated[
        str | None, typer.Option("--element", metavar="ID", help="Only this element; default: all that failed.")
    ] = None,
    var: Annotated[
        list[str] | None,
        typer.Option("--var", metavar="NAME=VALUE", help="A variable to set before: JSON, or text. Repeatable."),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")] = "",
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
    """Give what failed another try, with other variables if they are given, and go on."""
    from engine.cli.running import by_prefix
    from engine.cli.variables import read_pair

    runner = runner_for(db, answers, model, handlers, user, role, json, quiet, plain, report)
    variables, by = dict(map(read_pair, var or ())), person(user) or ""
    raise typer.Exit(
        runner.go_on(
            by_prefix(instance),
            lambda governor, id, _: governor.retry(id, element, variables=variables, by=by, reason=reason),
        )
    )


def runner_for(
    db: str | None,
    answers: str | None,
    model: str | None,
    handlers: list[str] | None,
    user: str | None,
    roles: list[str] | None,
    json: bool,
    quiet: bool,
    plain: bool,
    report: str | None,
) -> Runner:
    """What runs instances with these options."""
    from engine.cli.running import Runner

    return Runner(options_of(db, answers, model, handlers, user, roles, json, quiet, plain, report))


def options_of(
    db: str | None,
    answers: str | None,
    model: str | None,
    handlers: list[str] | None,
    user: str | None,
    roles: list[str] | None,
    json: bool,
    quiet: bool,
    plain: bool,
    report: str | None,
    detach: bool = False,
) -> RunOptions:
    """What these options say."""
    from engine.cli.running import RunOptions

    return RunOptions(
        db=db,
        answers=answers,
        model=model,
        handlers=tuple(handlers or ()),
        user=person(user),
        roles=tuple(roles or ()),
        json=json,
        quiet=quiet,
        plain=plain,
        report=report,
        detach=detach,
    )
