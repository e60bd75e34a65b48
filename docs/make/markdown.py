"""The parts of a Markdown page that pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

WRITTEN: Final = "<!-- Written by `python -m docs.make`; change what it is made of, not this file. -->"


def page(title: str, *parts: str) -> str:
    """A page of its parts, with a blank line between them."""
    return "\n\n".join([WRITTEN, f"# {title}", *parts]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a cell may hold `|`."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def code(text: object) -> str:
    """Words of a program or file."""
    return f"`{text}`"


def codes(texts: Iterable[object], *, between: str = ", ") -> str:
    return between.join(map(code, texts))


def sentence(text: str) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
