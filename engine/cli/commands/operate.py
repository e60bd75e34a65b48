"""`governor suspend`, `unsuspend`, `cancel`, `skip`, `edit`, `untaint` and `move`: what operators do to instances."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.commands.run import runner_for
from engine.cli.options import Answers, Db, Handlers, Instance, Json, Model, Plain, Quiet, Roles, User, person, somebody

if TYPE_CHECKING:
    from engine.cli.running import Move
    from engine.governor import Governor
    from engine.result import RunResult

Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record.")]
Branch = Annotated[str | None, typer.Option("--branch", metavar="BRANCH", help="Whose, if several branches go on.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--var", metavar="NAME=VALUE", help="A variable to set: JSON, or text. Repeatable."),
]


def suspend(
    instance: Instance, reason: Reason = "", db: Db = None, user: User = None, json: Json = False, quiet: Quiet = False
) -> None:
    """Stop an instance: nothing in it moves, no timer fires, and nobody's answer is taken.

    Its end is `governor unsuspend`.
    """
    _operate(instance, db, user, json, quiet, lambda governor, id, by: governor.suspend(id, by=by, reason=reason))


def unsuspend(
    instance: Instance,
    reason: Reason = "",
    answers: Answers = None,
    model: Model = None,
    handlers: Handlers = None,
    db: Db = None,
    user: User = None,
    role: Roles = None,
    json: Json = False,
    quiet: Quiet = False,
    plain: Plain = False,
) -> None:
    """Let a suspended instance go on. Timers whose time has come meanwhile fire now, once."""
    from engine.cli.running import by_prefix

    runner = runner_for(db, answers, model, handlers, user, role, json, quiet, plain, None)
    move = _by(person(user), lambda governor, id, by: governor.unsuspend(id, by=by, reason=reason))
    raise typer.Exit(runner.go_on(by_prefix(instance), move))


def cancel(
    instance: Instance, reason: Reason = "", db: Db = None, user: User = None, json: Json = False, quiet: Quiet = False
) -> None:
    """End an instance before its end. What it has done outside is not undone."""
    _operate(instance, db, user, json, quiet, lambda governor, id, by: governor.cancel(id, by=by, reason=reason))


def edit(
    instance: Instance,
    var: Set = None,
    delete: Annotated[
        list[str] | None, typer.Option("--delete", metavar="NAME", help="A variable to take away. Repeatable.")
    ] = None,
    branch: Branch = None,
    reason: Reason = "",
    db: Db = None,
    user: User = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Change variables of an instance. What people are asked about them is asked anew."""
    from engine.cli.errors import BadOption
    from engine.cli.running import branch_of
    from engine.cli.variables import read_pair

    values, gone = dict(map(read_pair, var or ())), tuple(delete or ())
    if not values and not gone:
        raise BadOption("--var", "", "say what to change: --var NAME=VALUE, or --delete NAME")

    def move(governor: Governor, id: str, by: str) -> RunResult:
        whose = branch_of(governor, id, branch)
        return governor.edit(id, values, delete=gone, branch=whose, by=by, reason=reason)

    _operate(instance, db, user, json, quiet, move)


def untaint(
    instance: Instance,
    name: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="A variable, HISTORY/RECORD, KNOWLEDGE/ID: what is clean.")
    ],
    branch: Branch = None,
    reason: Reason = "",
    db: Db = None,
    user: User = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Lift the taint of what came from outside, since a person has looked at it. It needs a reason."""
    from engine.cli.running import branch_of

    def lift(governor: Governor, id: str, by: str) -> RunResult:
        whose = branch_of(governor, id, branch)
        return governor.untaint(id, name, branch=whose, by=by, reason=reason)

    _operate(instance, db, user, json, quiet, lift)


def skip(
    instance: Instance,
    element: Annotated[str, typer.Argument(metavar="ELEMENT", help="Id of the activity or event that failed.")],
    var: Annotated[
        list[str] | None,
        typer.Option("--var", metavar="NAME=VALUE", help="An output in the place of its own. Repeatable."),
    ] = None,
    branch: Branch = None,
    reason: Reason = "",
    answers: Answers = None,
    model: Model = None,
    handlers: Handlers = None,
    db: Db = None,
    user: User = None,
    role: Roles = None,
    json: Json = False,
    quiet: Quiet = False,
    plain: Plain = False,
) -> None:
    """Pass over an activity or event that failed, and go on behind it."""
    from engine.cli.running import branch_of, by_prefix
    from engine.cli.variables import read_pair

    outputs = dict(map(read_pair, var or ()))

    def move(governor: Governor, id: str, by: str) -> RunResult:
        whose = branch_of(governor, id, branch)
        return governor.skip(id, element, outputs=outputs, branch=whose, by=by, reason=reason)

    runner = runner_for(db, answers, model, handlers, user, role, json, quiet, plain, None)
    raise typer.Exit(runner.go_on(by_prefix(instance), _by(person(user), move)))


def move(
    instance: Instance,
    element: Annotated[str, typer.Argument(metavar="ELEMENT", help="Id of the element where the token stands.")],
    to: Annotated[str, typer.Option("--to", metavar="ELEMENT", help="Id of the element where it goes, in its scope.")],
    branch: Branch = None,
    reason: Reason = "",
    answers: Answers = None,
    model: Model = None,
    handlers: Handlers = None,
    db: Db = None,
    user: User = None,
    role: Roles = None,
    json: Json = False,
    quiet: Quiet = False,
    plain: Plain = False,
) -> None:
    """Take a token to another element, and go on there. What that leaves undone is told."""
    from engine.cli.running import branch_of, by_prefix

    def moved(governor: Governor, id: str, by: str) -> RunResult:
        whose = branch_of(governor, id, branch)
        return governor.move(id, element, to, branch=whose, by=by, reason=reason)

    runner = runner_for(db, answers, model, handlers, user, role, json, quiet, plain, None)
    raise typer.Exit(runner.go_on(by_prefix(instance), _by(person(user), moved)))


Operate = Callable[["Governor", str, str], "RunResult"]


def _operate(instance: str, db: str | None, user: str | None, json: bool, quiet: bool, operate: Operate) -> None:
    """What does not run the instance on: done, or it waits until somebody has agreed."""
    from engine.cli.running import Runner, RunOptions, by_prefix

    runner = Runner(RunOptions(db=db, user=person(user), json=json, quiet=quiet))
    raise typer.Exit(runner.operate(by_prefix(instance), _by(person(user), operate)))


def _by(by: str | None, operate: Operate) -> Move:
    """As a person who is named. Raises BadOption."""
    who = somebody(by)
    return lambda governor, id, _: operate(governor, id, who)
