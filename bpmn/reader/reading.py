"""What the parts of the reader share: findings, and the ids they have seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bpmn.findings import Finding, Severity, near_match, shortened
from bpmn.reader.xml import Xml, attribute, local_name, owner_id


class Reading:
    """One pass over one file."""

    def __init__(self, file: str, root: Xml) -> None:
        self.file, self.root = file, root
        self.findings: list[Finding] = []
        self._claimed: dict[str, Xml] = {}
        self._all: set[str] | None = None
        self._made: Counter[str] = Counter()

    @property
    def ids(self) -> set[str]:
        """Every id in the file; gathered when first needed, for files in order rarely need it."""
        if self._all is None:
            self._all = {node.get("id", "") for node in self.root.iter("*")}
        return self._all

    def claim(self, node: Xml) -> str | None:
        """The id of a node that others may refer to, made up where it has none; None, with a finding, if it is taken.

        The id is written into the tree where it differs, so that later passes over the file see the same one.
        """
        identifier = attribute(node, "id") or self._new_id(node)
        if node.get("id") != identifier:
            node.set("id", identifier)
        first = self._claimed.setdefault(identifier, node)
        if first is node:
            return identifier
        found = f"a second {local_name(node)}, after the {local_name(first)} on line {first.sourceline}"
        self.error("duplicate-id", "the id is used twice", node, found=found, allowed=("an id of its own",))
        return None

    def refer(self, node: Xml, name: str, reference: str | None, known: Mapping[str, Any], what: str) -> str | None:
        """The id that reference `name` means, qualified or not; None where it is missing, or unknown (a finding)."""
        if reference is None:
            return None
        for candidate in (reference, reference.rpartition(":")[2]):
            if candidate in known:
                return candidate
        self.dangling(node, name, reference, known, what)
        return None

    def count(self, node: Xml, name: str, rule: str) -> int | None:
        """An attribute that is a whole number from 1; None where it is missing, or something else (a finding)."""
        text = attribute(node, name)
        if text is None:
            return None
        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0:
            return int(text)
        self.error(rule, f"{name} is no count", node, found=text, allowed=("a whole number from 1",))
        return None

    def dangling(self, node: Xml, name: str, reference: str, known: Mapping[str, Any], what: str) -> None:
        """Report a reference to nothing, or to something that may not be referred to here."""
        near = near_match(reference, known)
        message = f"{name} names no {what}" + (f"; did you mean {near}?" if near else "")
        if reference in self.ids:
            message = f"{name} names something that is no {what}"
        self.error(
            "dangling-reference",
            message,
            node,
            found=reference,
            allowed=shortened(known) or (f"none, for the file has no {what}",),
        )

    def error(
        self, rule: str, message: str, node: Xml, *, found: str | None = None, allowed: tuple[str, ...] = ()
    ) -> None:
        """Report what makes the file un-runnable."""
        self._add("error", rule, message, node, found, allowed)

    def warning(
        self, rule: str, message: str, node: Xml, *, found: str | None = None, allowed: tuple[str, ...] = ()
    ) -> None:
        """Report what is probably not meant."""
        self._add("warning", rule, message, node, found, allowed)

    def _add(
        self, severity: Severity, rule: str, message: str, node: Xml, found: str | None, allowed: tuple[str, ...]
    ) -> None:
        self.findings.append(
            Finding(
                rule=rule,
                severity=severity,
                file=self.file,
                message=message,
                element=owner_id(node),
                line=node.sourceline,
                found=found,
                allowed=allowed,
            )
        )

    def _new_id(self, node: Xml) -> str:
        name = local_name(node) or "element"
        while True:
            self._made[name] += 1
            identifier = f"{name}_{self._made[name]}"
            if identifier not in self.ids:
                self.ids.add(identifier)
                return identifier
