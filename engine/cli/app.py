"""The command `governor`.

What commands need is imported when they run, so that `governor --help` costs little more than Typer.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from engine.cli.commands import (
    archive,
    audit,
    chat,
    check,
    context,
    dead_ends,
    decide,
    design,
    erase,
    evidence,
    export_log,
    gc,
    inbox,
    instances,
    knowledge,
    message,
    migrate,
    operate,
    policy,
    report,
    rewind,
    run,
    serve,
    skills,
    templates,
    tool,
    worker,
)
from engine.cli.sections import in_sections
from engine.startup import DISTRIBUTION, explain, foreign_packages

_AS_JSON: Final = "engine.cli.as_json"


class Commands(TyperGroup):
    """Commands whose expected errors become a line, or a JSON object, and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta[_AS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        shown = {name: command for name, command in commands.items() if command is not None and not command.hidden}
        room = formatter.width - 6 - max(map(len, shown), default=0)
        for title, names in in_sections(shown):
            with formatter.section(title):
                formatter.write_dl([(name, shown[name].get_short_help_str(room)) for name in names])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.Exit:
            raise
        except (Exception, KeyboardInterrupt) as error:
            from engine.cli import failures

            as_json: bool = ctx.meta[_AS_JSON]
            if not failures.is_expected(error, as_json=as_json):
                raise
            raise typer.Exit(failures.report(error, as_json=as_json)) from error


app = typer.Typer(
    cls=Commands,
    help="Runs BPMN processes and governs what their agents know.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"governor {version(DISTRIBUTION)}")
        raise typer.Exit


@app.callback()
def governor(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Runs BPMN processes and governs what their agents know."""


app.command()(run.run)
app.command()(run.resume)
app.command()(run.retry)
app.command()(message.message)
app.command()(message.signal)
app.command()(operate.suspend)
app.command()(operate.unsuspend)
app.command()(operate.cancel)
app.command()(operate.skip)
app.command()(operate.edit)
app.command()(operate.untaint)
app.command()(operate.move)
app.command()(migrate.migrate)
app.command()(tool.tool)
app.command()(chat.chat)
app.command()(check.check)
app.command()(decide.decide)
app.command()(templates.templates)
app.command()(design.design)
app.command()(instances.instances)
app.command()(instances.incidents)
app.command()(instances.show)
app.command()(report.report)
app.command()(rewind.replay)
app.command()(rewind.rewind)
app.command()(erase.erase)
app.command()(serve.serve)
app.command()(export_log.export_log)
app.command()(gc.gc)
app.command()(archive.export)
app.command("import")(archive.import_)
app.add_typer(audit.app, name="audit")
app.command()(worker.worker)
app.command()(worker.workers)
app.add_typer(evidence.app, name="evidence")
app.add_typer(context.app, name="context")
app.add_typer(dead_ends.app, name="dead-ends")
app.add_typer(inbox.app, name="inbox")
app.add_typer(policy.app, name="policy")
app.add_typer(knowledge.app, name="knowledge")
app.add_typer(skills.app, name="skills")


def main() -> None:
    """The entry point of the distribution."""
    foreign = foreign_packages()
    if foreign:
        sys.stderr.write("".join(f"governor: {explain(each)}\n" for each in foreign))
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its number; nothing stops because of it.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    app(prog_name="governor")
