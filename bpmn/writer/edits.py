"""Changes to the text of a file: what goes, what comes, and how it is laid out there."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import quoteattr

from bpmn.namespaces import BPMN, GOV, qualified
from bpmn.writer.spans import Node

EXTENSIONS: Final = qualified(BPMN, "extensionElements")
_DOCUMENTATION: Final = qualified(BPMN, "documentation")
_DECLARED: Final = re.compile(rb"^<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Edit:
    """Text in place of [begin, end)."""

    begin: int
    end: int
    text: str


def applied(data: bytes, edits: Sequence[Edit]) -> bytes:
    """The text, in UTF-8, with all edits; none may overlap another."""
    for edit in sorted(edits, key=lambda each: (each.begin, each.end), reverse=True):
        data = data[: edit.begin] + edit.text.encode() + data[edit.end :]
    return data


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as text, and how it goes back to bytes."""

    text: str
    bom: bytes
    encoding: str

    def encoded(self, text: str) -> bytes:
        return self.bom + text.encode(self.encoding, "xmlcharrefreplace")


def decoded(data: bytes) -> Decoded:
    """By its byte order mark, else by what its XML declaration says."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return Decoded(data[len(bom) :].decode(encoding), bom, encoding)
    declared = _DECLARED.match(data)
    encoding = declared[1].decode() if declared else "utf-8"
    return Decoded(data.decode(encoding), b"", encoding)


class Layout:
    """How one element and what is in its `extensionElements` is laid out in the text."""

    def __init__(self, node: Node, data: bytes) -> None:
        self._node, self._data = node, data
        self.extensions = next((child for child in node.children if child.tag == EXTENSIONS), None)
        self.inside: Sequence[Node] = self.extensions.children if self.extensions is not None else ()

    def prefix(self, own: Iterable[Node]) -> str:
        """What stands for the namespace of governance where `own`, or new elements, are; "" where nothing does."""
        return prefix_of(GOV, next(iter(own), self.extensions or self._node).scope)

    def without_attribute(self, node: Node, attribute: str) -> Edit:
        tag = self._data[node.begin : node.opened]
        found = re.search(rb"\s+" + re.escape(attribute.encode()) + rb"\s*=\s*(\"[^\"]*\"|'[^']*')", tag)
        assert found is not None
        return Edit(node.begin + found.start(), node.begin + found.end(), "")

    def without_line(self, child: Node) -> Edit:
        """The child with the white space before it."""
        return Edit(self.behind_text(child.begin), child.end, "")

    def behind_text(self, at: int) -> int:
        """The place before the white space that ends there."""
        while self._data[at - 1 : at].isspace():
            at -= 1
        return at

    def new(self, written: Callable[[str], str]) -> Edit:
        """What is `written`, given its indent, as the first of the extension elements; they are made at need."""
        outer = self.indent(self._node) + self.step()
        inner = outer + self.step()
        text = f"{inner}{written(inner)}"
        extensions = self.extensions
        if extensions is None:
            return self._around(outer, text)
        if extensions.closes_itself:
            tag = self._data[extensions.begin + 1 : extensions.opened].split(b"/")[0].strip().decode()
            return Edit(extensions.begin, extensions.end, f"<{tag}>{text}{outer}</{tag.split()[0]}>")
        return Edit(extensions.opened, extensions.opened, text)

    def _around(self, outer: str, text: str) -> Edit:
        """Extension elements stand behind the documentation, before all else."""
        prefix = prefix_of(BPMN, self._node.scope)
        tag = f"{prefix}:extensionElements" if prefix else "extensionElements"
        whole = f"{outer}<{tag}>{text}{outer}</{tag}>"
        documented = [child for child in self._node.children if child.tag == _DOCUMENTATION]
        if documented:
            return Edit(documented[-1].end, documented[-1].end, whole)
        node = self._node
        if not node.closes_itself:
            return Edit(node.opened, node.opened, whole)
        return Edit(self.head(node), node.opened, f">{whole}{self.indent(node)}</{self.name(node)}>")

    def head(self, node: Node) -> int:
        """The place behind a start tag's last attribute."""
        return self.behind_text(node.opened - (2 if node.closes_itself else 1))

    def name(self, node: Node) -> str:
        """The element's name with its prefix, as written."""
        return self._data[node.begin + 1 : node.opened].split()[0].rstrip(b"/>").decode()

    def indent(self, node: Node) -> str:
        """The line break and white space before an element; nothing where it stands behind text."""
        line = self._data.rfind(b"\n", 0, node.begin)
        before = self._data[line + 1 : node.begin]
        if line < 0 or before.strip():
            return ""
        end = "\r\n" if self._data[line - 1 : line] == b"\r" else "\n"
        return end + before.decode()

    def step(self) -> str:
        """What the file indents by."""
        indent = self.indent(self._node)
        if not indent:
            return ""
        return "\t" if "\t" in indent else "  "


def prefix_of(namespace: str, scope: Mapping[str, str]) -> str:
    """A prefix that stands for the namespace; "" for the default one, or where there is none."""
    return next((prefix for prefix, bound in scope.items() if bound == namespace and prefix), "")


def quoted(value: str) -> str:
    """An attribute's value in quotes, with its line breaks kept."""
    return quoteattr(value.strip())
