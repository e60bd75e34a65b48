"""What the parts of the reader share: the file, its namespaces, and looking up children."""

from __future__ import annotations

import re
from typing import Final

from bpmn.dmn.model import Reference, Text, Variable
from bpmn.findings import Finding
from bpmn.namespaces import split
from bpmn.reader.xml import Xml, attribute, owner_id

VERSIONS: Final = re.compile(r"https?://www\.omg\.org/spec/DMN/\d{8}/(MODEL/?|(?i:dmn)\.xsd)")
"""Namespaces of DMN 1.1 and later."""
_FEEL: Final = re.compile(r"feel", re.IGNORECASE)
_BUILT_IN: Final = re.compile(r"/FEEL/|/DMN/|XMLSchema$", re.IGNORECASE)


class Source:
    """One file. `namespace` is that of its elements, `target` that which it gives its own ids."""

    def __init__(self, file: str, root: Xml, known_by: str | None = None) -> None:
        self.file, self.root = file, root
        self.namespace = split(str(root.tag))[0]
        self._own = attribute(root, "namespace") or attribute(root, "targetNamespace") or ""
        self.target = self._own if known_by is None else known_by
        self.language = attribute(root, "expressionLanguage")
        self.findings: list[Finding] = []
        self.imported: dict[str, str] = {}
        """Names of imports by their namespaces."""

    def local(self, node: Xml) -> str | None:
        """The local name of a DMN element, None for elements of other namespaces."""
        namespace, name = split(str(node.tag))
        return name if namespace == self.namespace else None

    def children(self, node: Xml | None, *names: str) -> list[Xml]:
        return [] if node is None else [child for child in node if self.local(child) in names]

    def child(self, node: Xml | None, *names: str) -> Xml | None:
        return next(iter(self.children(node, *names)), None)

    def text(self, node: Xml | None, *, language: str | None = None) -> Text | None:
        """The `text` inside a node; None where there is no node, or nothing in it."""
        inner = self.child(node, "text")
        if node is None or inner is None:
            return None
        written = "".join(str(part) for part in inner.itertext())
        if not written.strip():
            return None
        spoken = attribute(node, "expressionLanguage") or language or self.language
        line = inner.sourceline
        if line is not None:
            line += written[: len(written) - len(written.lstrip())].count("\n")
        foreign = None if spoken is None or _FEEL.search(spoken) else spoken
        return Text(text=written.strip(), line=line, language=foreign)

    def type(self, node: Xml | None, name: str = "typeRef") -> str | None:
        """A type's name as FEEL has it: without the prefix of a built-in, with the name of an import."""
        if node is None:
            return None
        written = attribute(node, name)
        if written is None:
            inner = self.child(node, name)
            written = None if inner is None else (inner.text or "").strip() or None
        return None if written is None else self._type(node, written)

    def _type(self, node: Xml, written: str) -> str:
        prefix, colon, rest = written.partition(":")
        if not colon:
            return written
        namespace = node.nsmap.get(prefix)
        if namespace in self.imported:
            name = self.imported[namespace]
            return f"{name}.{rest}" if name else rest
        if namespace is None or namespace == self._own or _BUILT_IN.search(namespace):
            return rest
        return written

    @staticmethod
    def name(node: Xml | None) -> str:
        """A node's name, with one space where it has white space."""
        return " ".join(((attribute(node, "name") if node is not None else None) or "").split())

    def variable(self, node: Xml) -> Variable:
        """The variable of a node, by its own name if it has none."""
        inner = self.child(node, "variable")
        return Variable(name=self.name(inner) or self.name(node), type=self.type(inner))

    def references(self, nodes: list[Xml], *names: str) -> tuple[Reference, ...]:
        """What `href`s of the named children refer to; of the nodes themselves without names."""
        targets = [child for node in nodes for child in self.children(node, *names)] if names else nodes
        hrefs = [attribute(target, "href") for target in targets]
        return tuple(self.reference(href) for href in hrefs if href is not None)

    def reference(self, href: str) -> Reference:
        namespace, _, identifier = href.rpartition("#")
        return Reference(self.target if namespace in ("", self._own) else namespace, identifier)

    def error(
        self, rule: str, message: str, node: Xml, *, found: str | None = None, allowed: tuple[str, ...] = ()
    ) -> None:
        """Report what keeps the file from being used."""
        self.findings.append(
            Finding(
                rule=rule,
                severity="error",
                file=self.file,
                message=message,
                element=owner_id(node),
                line=node.sourceline,
                found=found,
                allowed=allowed,
            )
        )
