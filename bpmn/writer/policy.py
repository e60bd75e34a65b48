"""Writes policies back into a file and leaves the rest of it, byte for byte, alone."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import quoteattr

from bpmn.errors import BpmnError
from bpmn.findings import Finding, near_match
from bpmn.namespaces import BPMN, GOV, qualified
from bpmn.policies.collect import Collector
from bpmn.policies.fields import FIELDS
from bpmn.reader.source import Limits
from bpmn.reader.xml import parse
from bpmn.writer.children import CHILDREN, children_of
from bpmn.writer.spans import Node, Spans
from governance.policy import ActivityExtensionConfig

_EXTENSIONS = qualified(BPMN, "extensionElements")
_POLICY, _SETTING = qualified(GOV, "policy"), qualified(GOV, "setting")
_BRANCHES: Final = ("branchStrategy.split", "branchStrategy.merge")
_DOCUMENTATION: Final = qualified(BPMN, "documentation")
_DECLARED: Final = re.compile(rb"^<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class PolicyNotWritten(BpmnError):
    """A policy that cannot be written where it was asked for; the file stays as it was."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """Text in place of [begin, end)."""

    begin: int
    end: int
    text: str


def with_policy(data: bytes, file: str, element: str, fields: Mapping[str, str]) -> bytes:
    """The file with these fields of an element's policy, by the names of `FIELDS`; a blank text takes a field away.

    It comes back as it was if it says all this already. Fields are written in the own form, `gov:policy`. Raises
    PolicyNotWritten (an unknown field or element, a wrong value, a field that a vendor's property of the element says
    already), and what reading raises.
    """
    for name in fields:
        _require_field(name, file, element)
    parse(data, file, Limits())
    text, bom, encoding = _decoded(data)
    root = Spans(text.encode()).read()
    node = _found(root, file, element)
    edits = _Policy(node, text.encode(), fields).edits()
    changed = _applied(text.encode(), edits).decode()
    result = bom + changed.encode(encoding, "xmlcharrefreplace")
    return result if _changes(data, result, file, element) else data


class _Policy:
    """The edits that give one element these fields."""

    def __init__(self, node: Node, data: bytes, fields: Mapping[str, str]) -> None:
        self._node, self._data, self._fields = node, data, fields
        self._extensions = next((child for child in node.children if child.tag == _EXTENSIONS), None)
        inside = self._extensions.children if self._extensions is not None else []
        self._policies = [child for child in inside if child.tag == _POLICY]
        self._prefix = _prefix_of(GOV, (self._policies or [self._extensions or node])[0].scope)

    def edits(self) -> list[_Edit]:
        found = list(dict.fromkeys(edit for policy in self._policies for edit in self._without(policy)))
        wanted = {name: value for name, value in {**self._kept(), **self._fields}.items() if value.strip()}
        if not wanted:
            return found
        if self._policies:
            return [*found, *self._into(self._policies[0], wanted)]
        return [*found, self._new(wanted)]

    def _without(self, policy: Node) -> Iterable[_Edit]:
        """What the policy said of these fields until now goes."""
        for name in self._fields:
            for attribute in policy.attributes:
                if attribute.rpartition(":")[2] == name:
                    yield self._without_attribute(policy, attribute)
            for child in policy.children:
                named = child.tag == _SETTING and child.attributes.get("name") == name
                if named or child.tag in _tags(name):
                    yield self._without_line(child)

    def _without_attribute(self, policy: Node, attribute: str) -> _Edit:
        tag = self._data[policy.begin : policy.opened]
        found = re.search(rb"\s+" + re.escape(attribute.encode()) + rb"\s*=\s*(\"[^\"]*\"|'[^']*')", tag)
        assert found is not None
        return _Edit(policy.begin + found.start(), policy.begin + found.end(), "")

    def _without_line(self, child: Node) -> _Edit:
        """The child with the white space before it."""
        begin = child.begin
        while self._data[begin - 1 : begin].isspace():
            begin -= 1
        return _Edit(begin, child.end, "")

    def _into(self, policy: Node, wanted: Mapping[str, str]) -> Iterable[_Edit]:
        attributes, children = self._written(wanted)
        head = policy.opened - (2 if policy.closes_itself else 1)
        while self._data[head - 1 : head].isspace():
            head -= 1
        if attributes:
            yield _Edit(head, head, "".join(f" {each}" for each in attributes))
        if not children:
            return
        indent = self._indent(policy) + self._step()
        lines = "".join(f"{indent}{child}" for child in children)
        if policy.closes_itself:
            name = self._data[policy.begin + 1 : policy.opened].split()[0].rstrip(b"/").decode()
            yield _Edit(head, policy.opened, f">{lines}{self._indent(policy)}</{name}>")
        else:
            place = policy.closing
            while self._data[place - 1 : place].isspace():
                place -= 1
            yield _Edit(place, place, lines)

    def _new(self, wanted: Mapping[str, str]) -> _Edit:
        """A policy where there was none."""
        attributes, children = self._written(wanted)
        outer, step = self._indent(self._node) + self._step(), self._step()
        inner = outer + step
        declared = "" if self._prefix else f' xmlns:gov="{GOV}"'
        name = f"{self._prefix or 'gov'}:policy"
        head = f"<{name}{declared}{''.join(f' {each}' for each in attributes)}"
        body = "".join(f"{inner}{step}{child}" for child in children)
        policy = f"{head}>{body}{inner}</{name}>" if children else f"{head}/>"
        extensions = self._extensions
        if extensions is None:
            return self._around(outer, f"{inner}{policy}")
        if extensions.closes_itself:
            tag = self._data[extensions.begin + 1 : extensions.opened].split(b"/")[0].strip().decode()
            whole = f"<{tag}>{inner}{policy}{outer}</{tag.split()[0]}>"
            return _Edit(extensions.begin, extensions.end, whole)
        return _Edit(extensions.opened, extensions.opened, f"{inner}{policy}")

    def _around(self, outer: str, policy: str) -> _Edit:
        """Extension elements stand behind the documentation, before all else."""
        prefix = _prefix_of(BPMN, self._node.scope)
        tag = f"{prefix}:extensionElements" if prefix else "extensionElements"
        whole = f"{outer}<{tag}>{policy}{outer}</{tag}>"
        documented = [child for child in self._node.children if child.tag == _DOCUMENTATION]
        if documented:
            return _Edit(documented[-1].end, documented[-1].end, whole)
        node = self._node
        if not node.closes_itself:
            return _Edit(node.opened, node.opened, whole)
        begin = node.opened - 2
        while self._data[begin - 1 : begin].isspace():
            begin -= 1
        name = self._data[node.begin + 1 : node.opened].split()[0].rstrip(b"/").decode()
        return _Edit(begin, node.opened, f">{whole}{self._indent(node)}</{name}>")

    def _written(self, wanted: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """Attributes and child elements that say these fields."""
        attributes, children = [], []
        strategy: dict[str, str] = {}
        for name, value in wanted.items():
            if name in _BRANCHES:
                strategy[name.partition(".")[2]] = value
            elif name in CHILDREN:
                children += children_of(name, value, self._prefix or "gov")
            else:
                attributes.append(f"{name}={_quoted(value)}")
        if strategy:
            said = "".join(f" {name}={_quoted(value)}" for name, value in strategy.items())
            children.append(f"<{self._prefix or 'gov'}:branchStrategy{said}/>")
        return attributes, children

    def _kept(self) -> dict[str, str]:
        """What one element says of branches is written anew together: with what is not to change."""
        if not any(name in _BRANCHES for name in self._fields):
            return {}
        said = (child for policy in self._policies for child in policy.children if child.tag in _tags(_BRANCHES[0]))
        return {f"branchStrategy.{name}": value for child in said for name, value in child.attributes.items()}

    def _indent(self, node: Node) -> str:
        """The line break and white space before an element; nothing where it stands behind text."""
        line = self._data.rfind(b"\n", 0, node.begin)
        before = self._data[line + 1 : node.begin]
        if line < 0 or before.strip():
            return ""
        end = "\r\n" if self._data[line - 1 : line] == b"\r" else "\n"
        return end + before.decode()

    def _step(self) -> str:
        """What the file indents by."""
        indent = self._indent(self._node)
        if not indent:
            return ""
        return "\t" if "\t" in indent else "  "


def _tags(name: str) -> set[str]:
    return {qualified(GOV, tag) for tag in CHILDREN.get(name, ())}


def _found(root: Node, file: str, element: str) -> Node:
    every = {node.attributes["id"]: node for node in root.walk() if "id" in node.attributes}
    if element in every:
        return every[element]
    near = near_match(element, every)
    hint = f"did you mean {near}?" if near else "an id that is in the file"
    raise PolicyNotWritten("there is no such element", file=file, element=element, allowed=hint)


def _require_field(name: str, file: str, element: str) -> None:
    if name not in FIELDS:
        allowed = ", ".join(FIELDS)
        near = near_match(name, FIELDS)
        hint = f"did you mean {near}? {allowed}" if near else allowed
        raise PolicyNotWritten("a policy has no such field", file=file, element=element, found=name, allowed=hint)


def _changes(before: bytes, after: bytes, file: str, element: str) -> bool:
    """Whether the element's policy is another one now; no other may be. Raises PolicyNotWritten for what is wrong."""
    old, new = _policies(before, file), _policies(after, file)
    wrong = next((each for each in new.findings if each not in old.findings and each.element == element), None)
    if wrong is not None:
        allowed = ", ".join(wrong.allowed) if wrong.allowed else None
        raise PolicyNotWritten(
            wrong.message, file=file, element=element, line=wrong.line, found=wrong.found, allowed=allowed
        )
    others = old.written.keys() | new.written.keys()
    assert all(old.written.get(id) == new.written.get(id) for id in others if id != element)
    return old.written.get(element) != new.written.get(element)


@dataclass(frozen=True, slots=True)
class _Read:
    written: Mapping[str, ActivityExtensionConfig]
    findings: Sequence[Finding]


def _policies(data: bytes, file: str) -> _Read:
    collector = Collector(file)
    written = collector.collect(parse(data, file, Limits()))
    return _Read({id: each.config for id, each in written.items()}, collector.findings)


def _applied(data: bytes, edits: Sequence[_Edit]) -> bytes:
    for edit in sorted(edits, key=lambda each: (each.begin, each.end), reverse=True):
        data = data[: edit.begin] + edit.text.encode() + data[edit.end :]
    return data


def _decoded(data: bytes) -> tuple[str, bytes, str]:
    """The text, its byte order mark, and its encoding."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding), bom, encoding
    declared = _DECLARED.match(data)
    encoding = declared[1].decode() if declared else "utf-8"
    return data.decode(encoding), b"", encoding


def _prefix_of(namespace: str, scope: Mapping[str, str]) -> str:
    """A prefix that stands for the namespace; "" for the default one, or where there is none."""
    return next((prefix for prefix, bound in scope.items() if bound == namespace and prefix), "")


def _quoted(value: str) -> str:
    return quoteattr(value.strip())
