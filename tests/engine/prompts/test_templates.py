"""A host's templates stand in for ours, and a bad one is found before the first prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.prompts.assembler import PromptAssembler
from engine.prompts.errors import BadTemplate
from engine.prompts.templates import OURS, SAMPLES, Templates
from tests.engine.activities.works import Story, a_run


def folder(path: Path, **templates: str) -> Path:
    for name, text in templates.items():
        (path / f"{name}.j2").write_text(text, encoding="utf-8")
    return path


def test_every_template_of_ours_has_a_sample_and_every_sample_a_template() -> None:
    assert sorted(file.stem for file in OURS.iterdir()) == sorted(SAMPLES)


def test_a_template_in_the_folder_replaces_ours_and_the_others_stay(tmp_path: Path) -> None:
    templates = Templates(folder(tmp_path, history="## Geschichte\n{{ entries }}"))
    work = a_run(Story().done("collect", files=3)).work
    theirs, ours = PromptAssembler(templates).assemble(work), PromptAssembler().assemble(work)
    assert "## Geschichte\n<data-" in theirs.messages[1].content
    assert "# What was done so far" in ours.messages[1].content
    assert theirs.messages[0] == ours.messages[0]


def test_a_template_may_include_files_of_its_folder(tmp_path: Path) -> None:
    theirs = "{{ system }}\n{% include '_house.j2' %}{{ process }}"
    templates = Templates(folder(tmp_path, system=theirs, _house="Ours."))
    assert "Ours." in templates.render("system", {"system": "a", "process": ""})


def test_data_is_never_read_as_a_template(tmp_path: Path) -> None:
    hostile = "{{ 7 * 6 }}{% raw %}{# gone #}"
    work = a_run(Story().put(note=hostile)).work
    assert hostile in PromptAssembler().assemble(work).messages[1].content


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{ entries", "history.j2:1: unexpected end of template"),
        ("a\n{% if %}", "history.j2:2: Expected an expression"),
        ("{{ entires }}", "history.j2: 'entires' is undefined; allowed: entries"),
        ("{{ entries.absent.more }}", "history.j2: 'str object' has no attribute 'absent'; allowed: entries"),
        ("{% include 'none.j2' %}", "history.j2: 'none.j2' not found in search path"),
        ("{{ 1 / 0 }}", "history.j2: ZeroDivisionError: division by zero"),
        ("{{ entries.__class__.__mro__ }}", "history.j2: access to attribute '__class__' of 'str' object is unsafe"),
    ],
)
def test_a_bad_template_is_refused_at_once(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadTemplate) as refused:
        Templates(folder(tmp_path, history=text))
    assert str(refused.value).startswith(f"{tmp_path}/{told}")


def test_what_fails_only_for_some_values_is_found_too(tmp_path: Path) -> None:
    with pytest.raises(BadTemplate, match="'nobody' is undefined"):
        Templates(folder(tmp_path, task="{% if not feedback %}{{ nobody }}{% endif %}"))


def test_a_file_that_replaces_nothing_is_a_misspelling(tmp_path: Path) -> None:
    with pytest.raises(BadTemplate, match=r"histroy\.j2: replaces no template; did you mean history\.j2\?; all"):
        Templates(folder(tmp_path, histroy="{{ entries }}"))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "history.j2").write_bytes(b"\xff\xfe")
    with pytest.raises(BadTemplate, match=r"history\.j2: UnicodeDecodeError"):
        Templates(tmp_path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTemplate, match="is no folder"):
        Templates(tmp_path / "absent")
