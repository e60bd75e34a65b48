"""Fenced code blocks of a Markdown page, and what each is for.

    ```console            `$ ` begins a command, `\\` at a line's end continues it, the rest is what it prints
    ```xml claim.bpmn     a file of this name, made before what follows is run
    ```python             a program; what it prints is the ```text block right below it, if there is one
    ```text               otherwise: a drawing, or output quoted from a sample

A comment right above a block says that it is something else:

    <!-- excerpt of docs/tour/claim.bpmn -->     stands in that file, line by line, indented as it may be
    <!-- not run: why -->                        only shown
    <!-- in any order: why -->                   the lines that its commands print come in an order that may change
    <!-- in a shell: why -->                     each command must be a process of its own
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROMPT: Final = "$ "
_FENCE: Final = re.compile(r"^```(?P<language>\w*)(?: (?P<file>\S+))?$")
_NOTE: Final = re.compile(r"^<!-- (?P<kind>excerpt of|not run:|in any order:|in a shell:) (?P<what>.+) -->$")


@dataclass(frozen=True, slots=True)
class Block:
    """A block. `line` is the number of its first line of text in the page, from 1; `after` is the block right above."""

    line: int
    language: str
    text: str
    file: str | None = None
    excerpt_of: str | None = None
    not_run: str | None = None
    in_any_order: str | None = None
    in_a_shell: str | None = None
    after: Block | None = None

    @property
    def is_output(self) -> bool:
        """Whether it is what the program right above prints."""
        return self.language == "text" and self.after is not None and self.after.language == "python"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a console block: as written, and the lines that it prints."""

    line: int
    text: str
    output: tuple[str, ...]


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order. Raises ValueError for a fence that is not closed."""
    lines = page.read_text(encoding="utf-8").splitlines()
    found: list[Block] = []
    opened: tuple[int, re.Match[str]] | None = None
    for number, line in enumerate(lines, 1):
        fence = _FENCE.match(line)
        if opened is None and fence is not None:
            opened = number, fence
        elif opened is not None and line == "```":
            start, head = opened
            found.append(_block(lines, start, number, head, found[-1] if found else None))
            opened = None
    if opened is not None:
        raise ValueError(f"{page}:{opened[0]}: the fence is not closed")
    return found


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block. Raises ValueError for a block that does not begin with one."""
    lines = block.text.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith(PROMPT)]
    if not lines or starts[:1] != [0]:
        raise ValueError(f"line {block.line}: a console block begins with `{PROMPT}` and a command")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        last = next(place for place in range(start, end) if not lines[place].endswith("\\"))
        text = "\n".join([lines[start].removeprefix(PROMPT), *lines[start + 1 : last + 1]])
        yield Command(block.line + start, text, tuple(lines[last + 1 : end]))


def _block(lines: list[str], start: int, end: int, fence: re.Match[str], before: Block | None) -> Block:
    """The block between the fences in lines `start` and `end`."""
    note = _NOTE.match(lines[start - 2]) if start > 1 else None
    said = {note["kind"]: note["what"]} if note else {}
    between = lines[_end(before) : start - 1] if before else [""]
    return Block(
        line=start + 1,
        language=fence["language"],
        text="".join(f"{line}\n" for line in lines[start : end - 1]),
        file=fence["file"],
        excerpt_of=said.get("excerpt of"),
        not_run=said.get("not run:"),
        in_any_order=said.get("in any order:"),
        in_a_shell=said.get("in a shell:"),
        after=before if before and not any(between) else None,
    )


def _end(block: Block) -> int:
    """The number of the line that closes a block."""
    return block.line + len(block.text.splitlines())
