"""`governor skills list`, `show`, `export` and `import`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from engine.cli.output import print_json
from engine.cli.screen.choose import messages, output
from engine.cli.screen.port import Style
from engine.cli.wiring import governor_on
from engine.skills.files import read_skills, write_skills
from engine.skills.known import named


def list_skills(db: str | None, process: str | None, *, as_json: bool) -> None:
    """Print them, by id."""
    with governor_on(db, must_exist=True) as governor:
        found = governor.store.experience().skills(process)
    if as_json:
        print_json({"skills": [skill.model_dump(mode="json") for skill in found]})
        return
    screen = output()
    if not found:
        screen.line("There are no skills.")
        return
    screen.table(["id", "what"], [[(skill.id, Style.NAME), skill.line()] for skill in found])


def show_skill(db: str | None, id: str, *, as_json: bool) -> None:
    """Print one. Raises UnknownSkill."""
    with governor_on(db, must_exist=True) as governor:
        (found,) = named(governor.store.experience(), [id])
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        sys.stdout.write(write_skills([found]))


def export_skills(db: str | None, ids: Sequence[str], file: str) -> None:
    """Write them to a file. Raises UnknownSkill."""
    with governor_on(db, must_exist=True) as governor:
        found = named(governor.store.experience(), ids) if ids else governor.store.experience().skills()
    text = write_skills(found)
    if file == "-":
        sys.stdout.write(text)
        return
    Path(file).write_text(text, encoding="utf-8")
    messages().line(f"{len(found)} written to {file}")


def import_skills(db: str | None, file: str, *, as_json: bool) -> None:
    """Take in all skills of a file, or none. Raises BadYaml."""
    found = read_skills(Path(file))
    with governor_on(db) as governor:
        governor.store.experience().put(found)
    if as_json:
        print_json({"skills": [skill.id for skill in found]})
    else:
        output().line(f"{len(found)} taken in: {', '.join(skill.id for skill in found)}")
