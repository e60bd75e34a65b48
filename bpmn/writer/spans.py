"""Where each element of an XML text stands, character by character, so that it can be changed in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from bpmn.namespaces import qualified


@dataclass(slots=True)
class Node:
    """An element: `begin` of its start tag, `opened` behind it, `closing` of its end tag, `end` behind that.

    They are offsets into UTF-8. An element that closes itself has `opened == closing == end`. `scope` maps prefixes
    to namespaces there, "" for the default one.
    """

    tag: str
    attributes: dict[str, str]
    scope: dict[str, str]
    begin: int
    opened: int = 0
    closing: int = 0
    end: int = 0
    children: list[Node] = field(default_factory=list)

    @property
    def closes_itself(self) -> bool:
        return self.opened == self.closing == self.end

    def walk(self) -> Iterator[Node]:
        """It and all in it, outer ones first."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.children)


class Spans:
    """Reads the tree of a text that is known to be well-formed and without a DOCTYPE."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._open: list[Node] = []
        self._root: Node | None = None

    def read(self) -> Node:
        """The root element. `data` is UTF-8, whatever its XML declaration says."""
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = lambda name, attributes: self._start(parser.CurrentByteIndex, name, attributes)
        parser.EndElementHandler = lambda name: self._finish(parser.CurrentByteIndex)
        parser.Parse(self._data, True)
        assert self._root is not None
        return self._root

    def _start(self, begin: int, name: str, attributes: dict[str, str]) -> None:
        outer = self._open[-1] if self._open else None
        declared = {
            attribute.removeprefix("xmlns").removeprefix(":"): value
            for attribute, value in attributes.items()
            if attribute == "xmlns" or attribute.startswith("xmlns:")
        }
        scope = {**(outer.scope if outer else {}), **declared} if declared or outer is None else outer.scope
        node = Node(tag=_clark(name, scope), attributes=attributes, scope=scope, begin=begin)
        node.opened = self._behind(begin)
        if outer is None:
            self._root = node
        else:
            outer.children.append(node)
        self._open.append(node)

    def _finish(self, at: int) -> None:
        node = self._open.pop()
        if self._data[node.opened - 2 : node.opened] == b"/>":
            node.closing = node.end = node.opened
        else:
            node.closing, node.end = at, self._behind(at)

    def _behind(self, begin: int) -> int:
        """The offset behind the tag that begins there; a > inside quotes does not end it."""
        quote, at = b"", begin
        while True:
            char = self._data[at : at + 1]
            if quote:
                quote = b"" if char == quote else quote
            elif char in (b'"', b"'"):
                quote = char
            elif char == b">":
                return at + 1
            at += 1


def _clark(name: str, scope: dict[str, str]) -> str:
    prefix, _, local = name.rpartition(":")
    namespace = scope.get(prefix, "")
    return qualified(namespace, local) if namespace else local


def comments(data: bytes) -> int:
    """How many comments are in a text that is known to be well-formed; what rewrites it drops them."""
    found = 0

    def count(_: str) -> None:
        nonlocal found
        found += 1

    parser = expat.ParserCreate()
    parser.CommentHandler = count
    parser.Parse(data, True)
    return found
