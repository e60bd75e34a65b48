"""Bytes to an XML tree, hardened: no document types, no entities, no network, limits while parsing."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from lxml import etree

from bpmn.errors import LimitExceeded, NotBpmn, NotXml, UnsafeXml
from bpmn.namespaces import BPMN, qualified, split
from bpmn.reader.source import Limits

Xml: TypeAlias = etree._Element

_CHUNK = 1 << 16
_PREFIX = f"{{{BPMN}}}"


def parse(data: bytes, file: str, limits: Limits) -> Xml:
    """The root `definitions` element; comments and processing instructions are left out.

    Raises `NotXml`, `UnsafeXml`, `LimitExceeded`, `NotBpmn`.
    """
    root = parse_xml(data, file, limits)
    if root.tag != qualified(BPMN, "definitions"):
        namespace, name = split(str(root.tag))
        raise NotBpmn(
            "the root element is not BPMN 2.0",
            file=file,
            line=root.sourceline,
            found=f"{name} in namespace {namespace}" if namespace else f"{name} without a namespace",
            allowed=f"definitions in namespace {BPMN}",
        )
    return root


def parse_xml(data: bytes, file: str, limits: Limits) -> Xml:
    """The root element of any XML, as hardened. Raises `NotXml`, `UnsafeXml`, `LimitExceeded`."""
    # A pull parser, so that a file over the limits is left before its whole tree is in memory.
    parser = etree.XMLPullParser(
        events=("start",),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    elements = 0
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            for _, element in parser.read_events():
                if elements == 0:
                    _refuse_doctype(element, data, file)
                elements += 1
            if elements > limits.elements:
                raise LimitExceeded("too many XML elements", file=file, allowed=f"at most {limits.elements:,}")
        root: Xml = parser.close()
    except etree.XMLSyntaxError as error:
        raise _syntax_error(parser, file, limits) from error
    _limit_depth(root, file, limits)
    return root


def _refuse_doctype(root: Xml, data: bytes, file: str) -> None:
    doctype = root.getroottree().docinfo.doctype
    if doctype:
        before, found, _ = data.partition(b"<!DOCTYPE")
        raise UnsafeXml(
            "a document type declaration is refused, since it could define entities",
            file=file,
            line=before.count(b"\n") + 1 if found else None,
            found=doctype[:100],
            allowed="XML without <!DOCTYPE>",
        )


def _limit_depth(root: Xml, file: str, limits: Limits) -> None:
    if root.xpath(f"boolean({'/*' * (limits.depth + 1)})"):
        raise _too_deep(file, limits)


def _too_deep(file: str, limits: Limits) -> LimitExceeded:
    return LimitExceeded("XML elements are nested too deep", file=file, allowed=f"at most {limits.depth} levels")


def _syntax_error(parser: etree.XMLPullParser[Any], file: str, limits: Limits) -> NotXml | LimitExceeded:
    # The exception may tell only of what followed from the first error; the parser's log has that one.
    first = next(iter(parser.feed_error_log), None)
    if first is None:
        return NotXml("not well-formed XML", file=file)
    message, line = first.message.strip(), first.line or None
    if first.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        if "depth" in message:
            return _too_deep(file, limits)
        return LimitExceeded(f"beyond the limits of the XML parser: {message}", file=file, line=line)
    return NotXml(f"not well-formed XML: {message}", file=file, line=line)


def local_name(node: Xml) -> str | None:
    """The local name of a BPMN element; None for elements of other namespaces."""
    tag = cast(str, node.tag)  # Comments, the only nodes with another kind of tag, are not in the tree.
    return tag[len(_PREFIX) :] if tag.startswith(_PREFIX) else None


def children_by_name(node: Xml) -> dict[str, list[Xml]]:
    """BPMN children by local name, in document order."""
    found: dict[str, list[Xml]] = {}
    for child in node:
        name = local_name(child)
        if name is not None:
            found.setdefault(name, []).append(child)
    return found


def text_of(node: Xml | None) -> str | None:
    """All text inside, without white space around it; None where there is none."""
    if node is None:
        return None
    return "".join(node.itertext()).strip() or None


def attribute(node: Xml, name: str, namespace: str | None = None) -> str | None:
    """An attribute without white space around it; None where it is missing or blank."""
    value = node.get(name if namespace is None else qualified(namespace, name))
    return (value.strip() or None) if value is not None else None


def is_true(node: Xml, name: str) -> bool:
    """Whether a boolean attribute is there and true."""
    return attribute(node, name) in ("true", "1")


def owner_id(node: Xml) -> str | None:
    """The id of the node, or of the nearest node around it that has one."""
    current: Xml | None = node
    while current is not None:
        identifier = current.get("id")
        if identifier:
            return identifier
        current = current.getparent()
    return None
