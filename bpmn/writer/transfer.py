"""Takes what a designer changed of governance over into the file it was opened from, and leaves every other byte alone.

A designer writes the whole file anew: comments go, white space and prefixes change. Where it changed nothing but
policies and agents, that is not needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from bpmn.namespaces import BPMN, GOV, qualified, split
from bpmn.reader.source import Limits
from bpmn.reader.xml import Xml, parse
from bpmn.writer.edits import EXTENSIONS, Edit, Layout, applied, decoded, prefix_of
from bpmn.writer.spans import Node, Spans

Shape: TypeAlias = tuple[object, ...]
"""An element without its prefixes and layout: tag, attributes, text, children."""

_OWN: Final = (qualified(GOV, "policy"), qualified(GOV, "setting"), qualified(GOV, "agent"))
_REPEATED: Final = (qualified(BPMN, "incoming"), qualified(BPMN, "outgoing"))
"""They say again what sequence flows say, or are left out."""
_IN_LANE: Final = qualified(BPMN, "flowNodeRef")


def transferred(data: bytes, untouched: bytes, edited: bytes, file: str) -> bytes | None:
    """`data` with the governance of `edited`; None where a designer changed more than that, or it cannot be placed.

    `untouched` is what the designer writes of `data` before any change: only so its own ways are told from changes.
    Raises what reading raises.
    """
    roots = [parse(each, file, Limits()) for each in (data, untouched, edited)]
    before, after = (_governed(root) for root in roots[1:])
    if _bare(roots[1]) != _bare(roots[2]) or before is None or after is None:
        return None
    changed = {id: after.get(id, _NONE) for id in before.keys() | after.keys() if before.get(id) != after.get(id)}
    if not changed:
        return data
    source = decoded(data)
    text = source.text.encode()
    nodes = {node.attributes["id"]: node for node in Spans(text).read().walk() if _is_bearer(node)}
    if not changed.keys() <= nodes.keys():
        return None
    edits = [edit for id, wanted in changed.items() for edit in _Transfer(nodes[id], text, wanted).edits()]
    result = source.encoded(applied(text, edits).decode())
    return result if _says(result, roots[0], after, changed, file) else None


class _Governance:
    """What one element says in the namespace of governance: attributes of its own, and extension elements."""

    def __init__(self, attributes: Mapping[str, str], elements: Sequence[Xml]) -> None:
        self.attributes, self.elements = dict(attributes), elements
        self._shape = (self.attributes, tuple(map(_shape, elements)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Governance) and self._shape == other._shape

    def __hash__(self) -> int:
        return hash(str(self._shape))


def _governed(root: Xml) -> dict[str, _Governance] | None:
    """By element id; None where an element without an id says something."""
    found: dict[str, _Governance] = {}
    for node in root.iter(qualified(BPMN, "*")):
        attributes = {str(name): value for name, value in node.items() if split(str(name))[0] == GOV}
        inside = [child for child in node.iterchildren(EXTENSIONS) for child in child.iterchildren(*_OWN)]
        if not attributes and not inside:
            continue
        id = node.get("id")
        if id is None:
            return None
        found[id] = _Governance(attributes, inside)
    return found


def _shape(node: Xml) -> Shape:
    children = tuple(_shape(child) for child in node.iterchildren("{*}*"))
    return str(node.tag), tuple(sorted((str(name), value) for name, value in node.items())), _text(node), children


def _text(node: Xml) -> str:
    return "".join(part.strip() for part in node.xpath("text()"))


def _bare(node: Xml) -> Shape:
    """The shape of a file without its governance."""
    kept = tuple(sorted((str(name), value) for name, value in node.items() if split(str(name))[0] != GOV))
    inside = (child for child in node.iterchildren("{*}*") if child.tag not in _OWN and child.tag not in _REPEATED)
    children = [child for child in inside if child.tag != EXTENSIONS or _says_more(child)]
    return str(node.tag), kept, _text(node), tuple(map(_bare, sorted(children, key=_place)))


def _place(node: Xml) -> str:
    """Of what has an id, or names one, the order says nothing; a designer changes it when a change is undone."""
    return node.get("id") or (_text(node) if node.tag == _IN_LANE else "")


def _says_more(extensions: Xml) -> bool:
    return any(child.tag not in _OWN for child in extensions.iterchildren("{*}*"))


def _says(
    result: bytes, original: Xml, wanted: Mapping[str, _Governance], changed: Mapping[str, object], file: str
) -> bool:
    """Whether the file that came of it has the governance that is wanted, and is the original but for that."""
    root = parse(result, file, Limits())
    found = _governed(root)
    if found is None or _bare(root) != _bare(original):
        return False
    return all(found.get(id, _NONE) == wanted.get(id, _NONE) for id in changed)


def _is_bearer(node: Node) -> bool:
    return "id" in node.attributes and split(node.tag)[0] == BPMN


class _Transfer:
    """The edits after which one element says this."""

    def __init__(self, node: Node, data: bytes, wanted: _Governance) -> None:
        self._node, self._wanted, self._layout = node, wanted, Layout(node, data)
        self._own = [child for child in self._layout.inside if child.tag in _OWN]
        self._prefix = self._layout.prefix(())

    def edits(self) -> Iterator[Edit]:
        yield from self._attributes()
        texts = self._wanted.elements
        if not self._own:
            if texts:
                yield self._layout.new(lambda indent: indent.join(self._written(each, indent) for each in texts))
            return
        if not texts:
            yield from self._without_all()
            return
        first, *others = self._own
        for child in others:
            yield self._layout.without_line(child)
        indent = self._layout.indent(first)
        yield Edit(first.begin, first.end, indent.join(self._written(each, indent) for each in texts))

    def _without_all(self) -> Iterator[Edit]:
        extensions = self._layout.extensions
        if extensions is not None and len(self._own) == len(self._layout.inside):
            yield self._layout.without_line(extensions)
            return
        for child in self._own:
            yield self._layout.without_line(child)

    def _attributes(self) -> Iterator[Edit]:
        wanted = {split(name)[1]: value for name, value in self._wanted.attributes.items()}
        prefix = prefix_of(GOV, self._node.scope)
        for attribute, value in self._node.attributes.items():
            head, colon, name = attribute.rpartition(":")
            if colon and head != "xmlns" and self._node.scope.get(head) == GOV and wanted.pop(name, None) != value:
                yield self._layout.without_attribute(self._node, attribute)
        if wanted:
            declared = "" if prefix else f' xmlns:gov="{GOV}"'
            said = "".join(f" {prefix or 'gov'}:{name}={quoteattr(value)}" for name, value in wanted.items())
            at = self._layout.head(self._node)
            yield Edit(at, at, declared + said)

    def _written(self, element: Xml, indent: str, *, outermost: bool = True) -> str:
        """An element in this file's prefix and indent."""
        name = f"{self._prefix or 'gov'}:{split(str(element.tag))[1]}"
        declared = "" if self._prefix or not outermost else f' xmlns:gov="{GOV}"'
        said = "".join(f" {self._key(str(key))}={quoteattr(value)}" for key, value in element.items())
        deeper = indent + self._layout.step()
        children = element.iterchildren("{*}*")
        inner = "".join(deeper + self._written(child, deeper, outermost=False) for child in children)
        text = escape(_text(element))
        head = f"<{name}{declared}{said}"
        if inner:
            return f"{head}>{text}{inner}{indent}</{name}>"
        return f"{head}>{text}</{name}>" if text else f"{head}/>"

    def _key(self, key: str) -> str:
        namespace, name = split(key)
        return f"{self._prefix or 'gov'}:{name}" if namespace else name


_NONE: Final = _Governance({}, ())
