"""The page about the command line, made of the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from docs.make.markdown import code, page, table
from engine.cli.app import app
from engine.cli.exits import Exit

_EXITS = {
    Exit.DONE: "done; of a run: the process completed",
    Exit.FAILED: "the process failed, or nothing in it can move; of audit and replay: something is not what it was",
    Exit.BAD_INPUT: "the input is wrong: file, policy, option, id, database; or somebody else was first to answer",
    Exit.WAITING: "the process waits for a person, a message or a timer",
    Exit.INTERRUPTED: "interrupted (Ctrl-C); what was done until the last advance is kept",
    Exit.BROKEN_PIPE: "who read the output went away",
}


def write() -> str:
    commands = list(_commands(typer.main.get_command(app), "governor"))
    contents = "\n".join(_entry(path, command) for path, command in commands)
    return page("The command line", contents, *(_command(path, command) for path, command in commands), _common())


def _entry(path: str, command: Any) -> str:
    return f"- [{code(path)}](#{path.replace(' ', '-')}): {_help(command)[0]}"


def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its path."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def _command(path: str, command: Any) -> str:
    context = command.make_context(path, [], resilient_parsing=True)
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    usage = " ".join([path, *(_usage(each) for each in arguments), "[OPTIONS]"])
    records = filter(None, (each.get_help_record(context) for each in command.params if each.name != "help"))
    rows = [[code(name.removesuffix(" <str>")), says.removesuffix("  [required]")] for name, says in records]
    return "\n\n".join([f"## {path}", *_help(command), code(usage), table(["argument or option", "says"], rows)])


def _usage(argument: Any) -> str:
    name: str = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _help(command: Any) -> list[str]:
    return [" ".join(part.split()) for part in (command.help or "").strip().split("\n\n")]


def _common() -> str:
    exits = table(["exit code", "means"], [[code(int(each)), told] for each, told in _EXITS.items()])
    variables = table(
        ["variable", "says"],
        [
            [code("GOVERNOR_DB"), "the database, where `--db` does not"],
            [code("GOVERNOR_DETACH"), "1: commands leave the work to workers, as with `--detach`"],
            [code("GOVERNOR_MODEL"), "the model of agents, where `--model` does not"],
            [code("GOVERNOR_MODEL_TIMEOUT"), "seconds that a provider's model may take for an answer; 120"],
            [code("GOVERNOR_RULES"), "rules of `check` that are off by default, as with `--rule`"],
            [code("USER"), "who starts and who answers, where `--user` or `--by` does not"],
            [code("NO_COLOR"), "no colours on a terminal"],
        ],
    )
    streams = (
        "Progress, questions and errors go to standard error; what a command came to goes to standard output. With "
        "`--json` that is one JSON object: [the result](result.md) of commands that run an instance on, else what the "
        'command lists, or `{"error": {"type", "message", ...}}`.'
    )
    return f"## Exit codes\n\n{exits}\n\n## Streams\n\n{streams}\n\n## Environment\n\n{variables}"
