"""Writes policies back into a file and leaves the rest of it, byte for byte, alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bpmn.errors import BpmnError
from bpmn.findings import Finding, near_match
from bpmn.namespaces import GOV, qualified
from bpmn.policies.collect import Collector
from bpmn.policies.fields import FIELDS
from bpmn.reader.source import Limits
from bpmn.reader.xml import parse
from bpmn.writer.children import CHILDREN, children_of
from bpmn.writer.edits import Edit, Layout, applied, decoded, quoted
from bpmn.writer.spans import Node, Spans
from governance.policy import ActivityExtensionConfig

_POLICY, _SETTING = qualified(GOV, "policy"), qualified(GOV, "setting")
_BRANCHES: Final = ("branchStrategy.split", "branchStrategy.merge")


class PolicyNotWritten(BpmnError):
    """A policy that cannot be written where it was asked for; the file stays as it was."""


def with_policy(data: bytes, file: str, element: str, fields: Mapping[str, str]) -> bytes:
    """The file with these fields of an element's policy, by the names of `FIELDS`; a blank text takes a field away.

    It comes back as it was if it says all this already. Fields are written in the own form, `gov:policy`. Raises
    PolicyNotWritten (an unknown field or element, a wrong value, a field that a vendor's property of the element says
    already), and what reading raises.
    """
    for name in fields:
        _require_field(name, file, element)
    parse(data, file, Limits())
    source = decoded(data)
    text = source.text.encode()
    edits = _Policy(_found(Spans(text).read(), file, element), text, fields).edits()
    result = source.encoded(applied(text, edits).decode())
    return result if _changes(data, result, file, element) else data


class _Policy:
    """The edits that give one element these fields."""

    def __init__(self, node: Node, data: bytes, fields: Mapping[str, str]) -> None:
        self._node, self._fields, self._layout = node, fields, Layout(node, data)
        self._policies = [child for child in self._layout.inside if child.tag == _POLICY]
        self._prefix = self._layout.prefix(self._policies)

    def edits(self) -> list[Edit]:
        found = list(dict.fromkeys(edit for policy in self._policies for edit in self._without(policy)))
        found += self._without_own()
        wanted = {name: value for name, value in {**self._kept(), **self._fields}.items() if value.strip()}
        if not wanted:
            return found
        if self._policies:
            return [*found, *self._into(self._policies[0], wanted)]
        return [*found, self._new(wanted)]

    def _without(self, policy: Node) -> Iterable[Edit]:
        """What the policy said of these fields until now goes."""
        for name in self._fields:
            for attribute in policy.attributes:
                if attribute.rpartition(":")[2] == name:
                    yield self._layout.without_attribute(policy, attribute)
            for child in policy.children:
                named = child.tag == _SETTING and child.attributes.get("name") == name
                if named or child.tag in _tags(name):
                    yield self._layout.without_line(child)

    def _without_own(self) -> Iterable[Edit]:
        """What an attribute of the element itself said of them goes as well."""
        for attribute in self._node.attributes:
            prefix, _, name = attribute.rpartition(":")
            if prefix and self._node.scope.get(prefix) == GOV and name in self._fields:
                yield self._layout.without_attribute(self._node, attribute)

    def _into(self, policy: Node, wanted: Mapping[str, str]) -> Iterable[Edit]:
        attributes, children = self._written(wanted)
        layout = self._layout
        head = layout.head(policy)
        if attributes:
            yield Edit(head, head, "".join(f" {each}" for each in attributes))
        if not children:
            return
        indent = layout.indent(policy) + layout.step()
        lines = "".join(f"{indent}{child}" for child in children)
        if policy.closes_itself:
            yield Edit(head, policy.opened, f">{lines}{layout.indent(policy)}</{layout.name(policy)}>")
        else:
            place = layout.behind_text(policy.closing)
            yield Edit(place, place, lines)

    def _new(self, wanted: Mapping[str, str]) -> Edit:
        """A policy where there was none."""
        attributes, children = self._written(wanted)
        declared = "" if self._prefix else f' xmlns:gov="{GOV}"'
        name = f"{self._prefix or 'gov'}:policy"
        head = f"<{name}{declared}{''.join(f' {each}' for each in attributes)}"

        def written(indent: str) -> str:
            body = "".join(f"{indent}{self._layout.step()}{child}" for child in children)
            return f"{head}>{body}{indent}</{name}>" if children else f"{head}/>"

        return self._layout.new(written)

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
                attributes.append(f"{name}={quoted(value)}")
        if strategy:
            said = "".join(f" {name}={quoted(value)}" for name, value in strategy.items())
            children.append(f"<{self._prefix or 'gov'}:branchStrategy{said}/>")
        return attributes, children

    def _kept(self) -> dict[str, str]:
        """What one element says of branches is written anew together: with what is not to change."""
        if not any(name in _BRANCHES for name in self._fields):
            return {}
        said = (child for policy in self._policies for child in policy.children if child.tag in _tags(_BRANCHES[0]))
        return {f"branchStrategy.{name}": value for child in said for name, value in child.attributes.items()}


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
