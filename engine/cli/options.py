"""Options that several commands share. Nothing here may import more than Typer: `--help` pays for it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

PRIVACY = "privacy"
"""The role that may see what policies call personal."""
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="Database: a SQLite file or postgresql://USER@HOST/NAME. Default: GOVERNOR_DB, else one of your own.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Do not tell the progress.")]
Plain = Annotated[bool, typer.Option("--plain", help="Only lines, without colours, on a terminal too.")]
TrustScripts = Annotated[
    bool,
    typer.Option(
        "--trust-scripts", help="Scripts may be full Python: each runs in a process of its own, without a network."
    ),
]
User = Annotated[
    str | None, typer.Option("--user", metavar="NAME", help="Who you are. Default: USER.", show_default=False)
]
Roles = Annotated[
    list[str] | None,
    typer.Option("--role", metavar="ROLE", help="A role you have, for approvals that need one. Repeatable."),
]
Personal = Annotated[
    bool,
    typer.Option("--personal", help="Do not mask personal data; needs the role `privacy` (--role privacy)."),
]
Report = Annotated[
    str | None, typer.Option("--report", metavar="FILE", help="Then write a page that shows what the instance did.")
]
Answers = Annotated[
    str | None, typer.Option("--answers", metavar="FILE", help="YAML file with answers to what people are asked.")
]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="SPEC", help="Model of the agents: offline, PROVIDER:NAME, or replay:FILE."),
]
Handlers = Annotated[
    list[str] | None,
    typer.Option("--handlers", metavar="MODULE", help="Python module or .py file with service handlers. Repeatable."),
]
Decisions = Annotated[
    list[str] | None,
    typer.Option(
        "--decisions",
        metavar="FILE",
        help="A .dmn file with decisions that are asked for; those beside the process are looked into too. Repeatable.",
    ),
]
Var = Annotated[
    list[str] | None,
    typer.Option("--var", metavar="NAME=VALUE", help="A variable to start with: JSON, or text. Repeatable."),
]
Vars = Annotated[
    str | None, typer.Option("--vars", metavar="FILE", help="JSON or YAML file with variables to start with.")
]
Knowledge = Annotated[
    str | None,
    typer.Option(
        "--knowledge",
        metavar="PATH",
        help="Documents that activities may draw on; what changed since the last run is read. A subfolder is a type.",
    ),
]
Instance = Annotated[str, typer.Argument(metavar="INSTANCE", help="Id of an instance, or its beginning.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A .bpmn file.")]
Process = Annotated[
    str | None, typer.Option("--process", metavar="ID", help="The process to start, if the file has several.")
]


def may_see_personal(personal: bool, roles: list[str] | None) -> bool:
    """Whether personal data are shown. Raises BadOption for who has no right to them."""
    if personal and PRIVACY not in (roles or ()):
        from engine.cli.errors import BadOption

        raise BadOption("--personal", "true", f"you need the role {PRIVACY} (--role {PRIVACY})")
    return personal


def person(user: str | None) -> str | None:
    """Who answers and who starts instances."""
    return user or os.environ.get("USER") or None


def somebody(by: str | None) -> str:
    """The same, where it goes on record and somebody has to be named. Raises BadOption."""
    if by is None:
        from engine.cli.errors import BadOption

        raise BadOption("--user", "", "say who does this: --user NAME")
    return by
