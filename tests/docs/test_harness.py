"""What pages are held to is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import blocks, commands
from tests.docs.following import Output, follow
from tests.docs.matching import Ids
from tests.docs.refresh import mend, merged
from tests.docs.session import Session

ID, OTHER = "7kq2m9x4c1zt", "0000aaaa1111"


def page(folder: Path, text: str) -> Path:
    file = folder / "page.md"
    file.write_text(text, encoding="utf-8")
    return file


def told(folder: Path, text: str) -> list[str]:
    """What is wrong with a page of this text."""
    session_folder = folder / "reader"
    session_folder.mkdir()
    return [difference.what for difference in follow(page(folder, text), Session(session_folder))]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```console\n$ echo a\na\n```\n", []),
        ("```console\n$ echo a\nb\n```\n", ["`echo a` prints something else:"]),
        ("```console\n$ false\n```\n", ["`false` ends with exit code 1, untold"]),
        ("```console\n$ false\n$ echo $?\n1\n```\n", []),
        ("```yaml a.yaml\nx: 1\n```\n```console\n$ cat a.yaml\nx: 1\n```\n", []),
        ("```python\nprint(1)\n```\n\n```text\n1\n```\n", []),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", ["the program above prints something else:"]),
        ("```python\nx = 1\n```\n```python\nprint(x)\n```\n```text\n1\n```\n", []),
        ("```json\n{}\n```\n", ["a block of json that nothing checks"]),
        ("<!-- not run: it is only shown -->\n```console\n$ false\n```\n", []),
        ("<!-- excerpt of Makefile -->\n```make\n.PHONY: all of it\n```\n", ["does not stand in Makefile"]),
        ("<!-- in any order: why not -->\n```console\n$ seq 2\n2\n1\n```\n", []),
        ("<!-- in any order: why not -->\n```console\n$ seq 2\n2\n2\n```\n", ["`seq 2` prints something else:"]),
        ("```console\n$ governor run nothing.bpmn\n…\n$ echo $?\n2\n```\n", []),
    ],
)
def test_a_page_is_held_to_what_it_says(text: str, wrong: list[str], tmp_path: Path) -> None:
    assert told(tmp_path, text) == wrong


def test_what_a_program_raises_is_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        told(tmp_path, "```python\n1 / 0\n```\n")


def test_a_fence_that_is_not_closed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"page.md:2: the fence is not closed"):
        blocks(page(tmp_path, "a\n```text\nb\n"))


def test_commands_may_go_over_several_lines(tmp_path: Path) -> None:
    (block,) = blocks(page(tmp_path, "```console\n$ one \\\n    two\nprinted\n$ three\n```\n"))
    assert [(each.line, each.text, each.output) for each in commands(block)] == [
        (2, "one \\\n    two", ("printed",)),
        (5, "three", ()),
    ]


def test_an_id_stands_for_the_one_in_its_place() -> None:
    ids = Ids()
    assert ids.matches([f"instance {ID}, {ID}-1"], [f"instance {OTHER}, {OTHER}-1"])
    assert ids.actual(f"show {ID}") == f"show {OTHER}"
    assert ids.shown(f"show {OTHER}") == f"show {ID}"
    assert not ids.matches([ID], ["2222bbbb3333"])


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        (["a", "…", "d"], ["a", "b", "c", "d"], True),
        (["a", "…", "d"], ["a", "d"], True),
        (["a", "…", "d"], ["a", "b"], False),
        (["abc…"], ["abcdef"], True),
        (["abc…"], ["abxdef"], False),
        (["at 2026-01-01 10:00:00"], ["at 2027-12-31 23:59:59"], True),
        (["at 10:00:00"], ["at noon"], False),
        (["89% → 44%, 1,182 → 694 tokens (ungoverned 9)"], ["89% → 44%, 12 → 3,456 tokens (ungoverned 7)"], True),
        (["89% → 44%, 1,182 → 694 tokens"], ["89% → 45%, 1,182 → 694 tokens"], False),
        (["9 sent to models; 10 without governance (90%)"], ["1 sent to models; 2 without governance (50%)"], True),
        (["4 words"], ["5 words"], False),
        ([f"{ID} {ID}"], [f"{OTHER} 2222bbbb3333"], False),
        (["costs $1.50 (net)"], ["costs $1.50 (net)"], True),
        ([], [], True),
        ([], ["a"], False),
    ],
)
def test_lines_match(expected: list[str], printed: list[str], same: bool) -> None:
    assert Ids().matches(expected, printed) is same


def test_a_refresh_keeps_what_still_fits() -> None:
    shown = ["start", "…", "price  1", f"instance {ID}", "end of a long…"]
    printed = ["start", "x", "y", "price  2", f"instance {OTHER}", "end of a long line"]
    assert merged(shown, printed) == ["start", "…", "price  2", f"instance {ID}", "end of a long line"]


def test_a_page_is_mended_in_place(tmp_path: Path) -> None:
    file = page(tmp_path, "a\n```console\n$ one\nold\n$ two\n```\nz\n")
    mend(file, [Output(4, ["old"], ["new", "x" * 130]), Output(6, [], ["more"])])
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines == ["a", "```console", "$ one", "new", "x" * 119 + "…", "$ two", "more", "```", "z"]
