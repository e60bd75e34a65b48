"""Texts of documents, cut into passages that say where they stand. Kinds: Markdown, plain text, HTML, PDF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from engine.knowledge.errors import UnreadableDocument

PASSAGE_CHARS: Final = 1_200
"""A passage is about so long at most; a paragraph is only cut if it is longer by itself."""
LARGEST: Final = 20_000_000
"""Bytes of the largest document that is read."""

_HEADING: Final = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_BLANK: Final = re.compile(r"\n\s*\n")
_BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "li", "tr", "td", "th", "br", "pre", "blockquote", "table", "ul", "ol"}
)
_SKIPPED: Final = frozenset({"script", "style", "template", "noscript", "head"})


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: its text, the headings above it, and where it stands (`lines 3-9`, `page 2`)."""

    text: str
    title: str
    place: str


def passages(path: Path) -> list[Passage]:
    """The passages of a document, in order. Raises UnreadableDocument."""
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise UnreadableDocument(str(path), "is no kind of document that is read", f"allowed are {', '.join(READERS)}")
    try:
        require_size(path, str(path))
        return list(read(path))
    except OSError as error:
        raise UnreadableDocument(str(path), error.strerror or str(error), "make it readable") from error


def require_size(path: Path, source: str) -> None:
    """Whether a document is small enough to be read as a whole. Raises UnreadableDocument, OSError."""
    if path.stat().st_size > LARGEST:
        raise UnreadableDocument(source, f"has more than {LARGEST:,} bytes", "cut it into parts")


def _markdown(path: Path) -> Iterator[Passage]:
    yield from sections(_text(path))


def _plain(path: Path) -> Iterator[Passage]:
    for place, text in _paragraphs(_text(path), 1):
        yield Passage(text, "", place)


def _html(path: Path) -> Iterator[Passage]:
    parser = _HtmlText()
    parser.feed(_text(path))
    parser.close()
    for passage in sections("".join(parser.parts)):
        yield Passage(passage.text, passage.title, "")


def _pdf(path: Path) -> Iterator[Passage]:
    try:
        from pypdf import PdfReader
    except ImportError as error:
        extra = "install bpmn-governor[knowledge] to read PDF"
        raise UnreadableDocument(str(path), "PDF needs the package pypdf", extra) from error
    try:
        for number, page in enumerate(PdfReader(path).pages, 1):
            for _, text in _paragraphs(page.extract_text(), 1):
                yield Passage(text, "", f"page {number}")
    except Exception as error:  # whatever a broken file has the library raise
        raise UnreadableDocument(str(path), f"is no PDF that can be read ({error})", "save it anew") from error


READERS: Final[Mapping[str, Callable[[Path], Iterator[Passage]]]] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _plain,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}


def sections(text: str) -> Iterator[Passage]:
    """Passages of a text with Markdown headings; a passage never spans a heading."""
    headings: list[str] = []
    lines: list[str] = []
    start, fenced = 1, False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        found = None if fenced else _HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield from _section(headings, lines, start)
        level = len(found[1])
        headings = [*headings[: level - 1], *[""] * (level - 1 - len(headings)), found[2]]
        lines, start = [], number + 1
    yield from _section(headings, lines, start)


def _section(headings: list[str], lines: list[str], start: int) -> Iterator[Passage]:
    title = " > ".join(filter(None, headings))
    for place, text in _paragraphs("\n".join(lines), start):
        yield Passage(text, title, place)


def _paragraphs(text: str, first_line: int) -> Iterator[tuple[str, str]]:
    """(place, text) of paragraphs, short ones together."""
    held, begin, line = "", first_line, first_line
    position = 0
    for cut in [*_BLANK.finditer(text), None]:
        paragraph = text[position : cut.start() if cut else len(text)]
        line = first_line + text.count("\n", 0, position)
        position = cut.end() if cut else len(text)
        if held and len(held) + len(paragraph) > PASSAGE_CHARS:
            yield _placed(held, begin)
            held = ""
        if not held:
            begin = line
        held = f"{held}\n\n{paragraph}" if held else paragraph
        while len(held) > 2 * PASSAGE_CHARS:
            at = _cut(held)
            yield _placed(held[:at], begin)
            begin, held = begin + held.count("\n", 0, at), held[at:]
    if held.strip():
        yield _placed(held, begin)


def _cut(text: str) -> int:
    """Where a long paragraph is cut: behind the last sentence or word that fits."""
    for end in (". ", "\n", " "):
        at = text.rfind(end, PASSAGE_CHARS // 2, PASSAGE_CHARS)
        if at > 0:
            return at + len(end)
    return PASSAGE_CHARS


def _placed(text: str, begin: int) -> tuple[str, str]:
    stripped = text.strip("\n")
    begin += len(text) - len(text.lstrip("\n"))
    end = begin + stripped.count("\n")
    return (f"line {begin}" if begin == end else f"lines {begin}-{end}", stripped.strip())


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(str(path), f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    if (at := data.find(0)) >= 0:
        raise UnreadableDocument(str(path), f"is no text (byte {at} is 0)", "save it as UTF-8")
    return text


class _HtmlText(HTMLParser):
    """The text of a page, its headings as Markdown ones."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipping += tag in _SKIPPED
        if re.fullmatch("h[1-6]", tag):
            self.parts.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag in _BLOCKS:
            self.parts.append("\n" if tag in ("br", "td", "th") else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        self._skipping = max(0, self._skipping - (tag in _SKIPPED))
        if re.fullmatch("h[1-6]", tag) or tag in _BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self.parts.append(" ".join(data.split()) if data.strip() else " ")
