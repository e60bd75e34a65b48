"""`governor skills list`, `show`, `export` and `import`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Json

app = typer.Typer(help="What worked, and is shown to agents.", no_args_is_help=True, rich_markup_mode=None)

Skill = Annotated[str, typer.Argument(metavar="ID", help="Id of a skill.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A YAML file of skills.")]


@app.command(name="list")
def list_(
    process: Annotated[
        str | None, typer.Option("--process", metavar="ID", help="Those of this process, and those taken in.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List skills: those learned from what went well, and those taken in."""
    from engine.cli.skills import list_skills

    list_skills(db, process, as_json=json)


@app.command()
def show(id: Skill, db: Db = None, json: Json = False) -> None:
    """Show a skill, as YAML."""
    from engine.cli.skills import show_skill

    show_skill(db, id, as_json=json)


@app.command()
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to write them; - for standard output.")],
    id: Annotated[list[str] | None, typer.Option("--id", metavar="ID", help="Only this one. Repeatable.")] = None,
    db: Db = None,
) -> None:
    """Write skills to a YAML file."""
    from engine.cli.skills import export_skills

    export_skills(db, id or (), file)


@app.command(name="import")
def import_(file: File, db: Db = None, json: Json = False) -> None:
    """Take in the skills of a YAML file, in the place of those with the same ids."""
    from engine.cli.skills import import_skills

    import_skills(db, file, as_json=json)
