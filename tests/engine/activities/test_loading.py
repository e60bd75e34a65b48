"""Handlers from modules and files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.activities.errors import BadHandlers
from engine.activities.job import handler
from engine.activities.loading import load_handlers

TABLE = "def mail(job): return {'sent': True}\nHANDLERS = {'send-mail': mail}\n"
MARKED = """
from engine.activities.job import Job, handler

@handler("send-mail", "send-letter")
def send(job: Job) -> dict:
    return {"sent": job.type}
"""


@pytest.fixture(autouse=True)
def importing() -> Iterator[None]:
    """What a test makes importable is forgotten after it."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def write(folder: Path, text: str, name: str = "acme_mail.py") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_table_names_functions_by_job_type(tmp_path: Path) -> None:
    assert list(load_handlers(write(tmp_path, TABLE))) == ["send-mail"]


def test_functions_may_be_marked_instead(tmp_path: Path) -> None:
    found = load_handlers(write(tmp_path, MARKED))
    assert sorted(found) == ["send-letter", "send-mail"]
    assert found["send-letter"] is found["send-mail"]


def test_a_marked_function_in_the_table_too_is_one_handler(tmp_path: Path) -> None:
    assert len(load_handlers(write(tmp_path, f"{MARKED}\nHANDLERS = {{'send-mail': send}}"))) == 2


def test_marks_add_up() -> None:
    @handler("a")
    @handler("b")
    def both(job: object) -> None: ...

    assert both.__governor_job_types__ == ("a", "b")  # type: ignore[attr-defined]


def test_a_file_is_looked_for_from_the_folder_on(tmp_path: Path) -> None:
    write(tmp_path, TABLE)
    assert list(load_handlers("acme_mail.py", tmp_path)) == ["send-mail"]


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path, "JOB = 'neighbour'", "acme_names.py")
    file = write(tmp_path, "from acme_names import JOB\nHANDLERS = {JOB: lambda job: None}")
    assert list(load_handlers(file)) == ["neighbour"]


def test_dataclasses_work_in_a_file(tmp_path: Path) -> None:
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    assert load_handlers(write(tmp_path, f"{text}@dataclass\nclass A:\n    x: int = 1\n{TABLE}"))


def test_a_module_is_found_in_the_folder_and_hides_nothing_that_is_installed(tmp_path: Path) -> None:
    write(tmp_path, TABLE, "acme_module.py")
    write(tmp_path, "raise SystemError", "colorsys.py")
    assert list(load_handlers("acme_module", tmp_path)) == ["send-mail"]
    import colorsys

    assert str(tmp_path) not in str(colorsys.__file__)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1", "no handlers in it; allowed: a dictionary HANDLERS, functions with @handler(...)"),
        ("HANDLERS = []", "HANDLERS is list; allowed: a dictionary from job type to function"),
        ("HANDLERS = {'a': 3}", "'a' has 3; allowed: a job type's name and a function"),
        ("HANDLERS = {3: print}", "3 has <built-in function print>; allowed: a job type's name and a function"),
        ("HANDLERS = {'send-mail': print}" + MARKED, "two handlers for the job type send-mail"),
        ("\nimport absent_module", "ModuleNotFoundError: No module named 'absent_module' (line 2 of acme_mail.py)"),
        ("def f(:", "SyntaxError: invalid syntax (line 1 of acme_mail.py)"),
        ("def f():\n    raise ValueError('x')\nf()", "ValueError: x (line 2 of acme_mail.py)"),
    ],
)
def test_what_is_wrong_with_a_module_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(BadHandlers) as error:
        load_handlers(file)
    assert str(error.value) == f"handlers from {file}: {told}"


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(BadHandlers, match=r"handlers from absent\.py: there is no such file"):
        load_handlers("absent.py")


def test_a_module_that_is_not_there_is_told() -> None:
    with pytest.raises(BadHandlers, match=r"handlers from absent\.mails: ModuleNotFoundError: No module named"):
        load_handlers("absent.mails")
