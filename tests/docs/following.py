"""Follows a page from its first block to its last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.docs.blocks import Block, blocks, commands
from tests.docs.session import Session
from tests.project.tree import ROOT

_MADE = ROOT / "docs" / "reference" / "rules"
"""Pages whose models are those of the rules' tests, and whose text is what the check finds in them."""
PAGES = [ROOT / "README.md", *sorted(each for each in (ROOT / "docs").rglob("*.md") if each.parent != _MADE)]


@dataclass(frozen=True, slots=True)
class Output:
    """Output as a page shows it, from its line `start` on, and what is printed instead."""

    start: int
    shown: Sequence[str]
    printed: Sequence[str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a page says and that is not so."""

    page: Path
    line: int
    what: str
    output: Output | None = None

    def __str__(self) -> str:
        printed = self.output.printed if self.output else ()
        return f"{self.page}:{self.line}: {self.what}" + "".join(f"\n  {line}" for line in printed)


def follow(page: Path, session: Session) -> Iterator[Difference]:
    """Every difference between the page and what happens, in its order."""
    printed: Sequence[str] = ()
    for block in blocks(page):
        if block.not_run is not None:
            continue
        if block.excerpt_of is not None:
            yield from _excerpt(page, block, block.excerpt_of)
        elif block.file is not None:
            session.write(block.file, block.text)
        elif block.language == "console":
            yield from _console(page, block, session)
        elif block.language == "python":
            printed = session.execute("\n" * (block.line - 1) + block.text, str(page))
        elif block.is_output:
            output = Output(block.line, block.text.splitlines(), printed)
            yield from _compared(page, block.line, "the program above", output, session)
        elif block.language != "text":
            yield Difference(page, block.line, f"a block of {block.language or 'no language'} that nothing checks")


def _console(page: Path, block: Block, session: Session) -> Iterator[Difference]:
    told = list(commands(block))
    for command, following in zip(told, [*told[1:], None], strict=True):
        printed = session.run(command.text, in_a_shell=block.in_a_shell is not None)
        output = Output(command.line + len(command.text.splitlines()), command.output, printed)
        in_order = block.in_any_order is None
        yield from _compared(page, command.line, f"`{command.text}`", output, session, in_order=in_order)
        if session.code and "$?" not in command.text + (following.text if following else ""):
            yield Difference(page, command.line, f"`{command.text}` ends with exit code {session.code}, untold")


def _compared(
    page: Path, line: int, what: str, output: Output, session: Session, *, in_order: bool = True
) -> Iterator[Difference]:
    compare = session.ids.matches if in_order else session.ids.matches_in_any_order
    if compare(output.shown, output.printed):
        return
    session.ids.pair(output.shown, output.printed)
    printed = [session.ids.shown(each) for each in output.printed]
    yield Difference(page, line, f"{what} prints something else:", Output(output.start, output.shown, printed))


def _excerpt(page: Path, block: Block, source: str) -> Iterator[Difference]:
    whole = [line.strip() for line in (ROOT / source).read_text(encoding="utf-8").splitlines()]
    part = [line.strip() for line in block.text.splitlines()]
    if not any(whole[start : start + len(part)] == part for start in range(len(whole))):
        yield Difference(page, block.line, f"does not stand in {source}")
