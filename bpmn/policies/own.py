"""The own dialect: `<gov:policy>`, `<gov:setting>` and `gov:` attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bpmn.namespaces import GOV, qualified, split
from bpmn.policies.fields import OTHER_ATTRIBUTES, Value, snake
from bpmn.policies.setting import Setting
from bpmn.reader.extensions import extensions
from bpmn.reader.xml import Xml

_POLICY, _SETTING = qualified(GOV, "policy"), qualified(GOV, "setting")


def read_attributes(element: Xml) -> Iterator[Setting]:
    """`gov:workingThreshold="8000"` on the element itself."""
    for attribute, value in element.items():
        namespace, name = split(str(attribute))
        if namespace == GOV and name not in OTHER_ATTRIBUTES and value.strip():
            yield Setting(name=name, value=value.strip(), source="gov: attribute", line=element.sourceline)


def read_elements(element: Xml) -> Iterator[Setting]:
    """`<gov:policy>` with its attributes and children, and `<gov:setting>` beside it or inside it."""
    for child in extensions(element):
        if child.tag == _POLICY:
            yield from _policy(child)
        elif child.tag == _SETTING:
            yield from _setting(child)


def _policy(policy: Xml) -> Iterator[Setting]:
    for attribute, value in policy.items():
        namespace, name = split(str(attribute))
        if namespace in ("", GOV) and value.strip():
            yield _written(name, value.strip(), policy)
    children: dict[str, list[Xml]] = {}
    for child in policy:
        namespace, name = split(str(child.tag))
        children.setdefault(name if namespace == GOV else str(child.tag), []).append(child)
    for name, nodes in children.items():
        if name == "setting":
            for node in nodes:
                yield from _setting(node)
        else:
            yield from _CHILDREN.get(name, _unknown)(nodes)


def _setting(node: Xml) -> Iterator[Setting]:
    name, value = (node.get("name") or "").strip(), (node.get("value") or "").strip()
    if name and value:
        yield Setting(name=name, value=value, source="gov:setting", line=node.sourceline)


def _retain_keys(nodes: list[Xml]) -> Iterator[Setting]:
    names = [name for node in nodes if (name := _attributes(node).get("name"))]
    if names:
        yield _written("retainKeys", names, nodes[0])
    yield from _surplus(nodes, "retainKey", {"name"})


def _knowledge_requirements(nodes: list[Xml]) -> Iterator[Setting]:
    items = [item for node in nodes if (item := _requirement(node))]
    if items:
        yield _written("knowledgeRequirements", items, nodes[0])


def _requirement(node: Xml) -> Mapping[str, Value]:
    """Attributes; the query may also be the text of the element, but not both."""
    fields, text = _attributes(node), "".join(node.itertext()).strip()
    return {**fields, "text" if "query" in fields else "query": text} if text else fields


def _branch_strategy(nodes: list[Xml]) -> Iterator[Setting]:
    for node in nodes:
        for name, value in _attributes(node).items():
            yield _written(f"branchStrategy.{name}", value, node)


def _merge_keys(nodes: list[Xml]) -> Iterator[Setting]:
    for node in nodes:
        fields = _attributes(node)
        if "name" in fields and "strategy" in fields:
            yield _written("branchStrategy.keys", {fields["name"]: fields["strategy"]}, node)
    yield from _surplus(nodes, "mergeKey", {"name", "strategy"})


def _approval(nodes: list[Xml]) -> Iterator[Setting]:
    for node in nodes:
        fields: dict[str, Value] = dict(_attributes(node))
        if "roles" in fields:
            fields["roles"] = [role for part in fields["roles"].split(",") if (role := part.strip())]
        if fields:
            yield _written("approval", fields, node)


def _unknown(nodes: list[Xml]) -> Iterator[Setting]:
    """A child that no field of a policy is written as: passed on, so that it is refused by its name."""
    yield from (_written(f"<{split(str(node.tag))[1]}>", "", node) for node in nodes)


def _surplus(nodes: list[Xml], child: str, known: set[str]) -> Iterator[Setting]:
    """Attributes that the child does not have: passed on in the same way."""
    yield from (_written(f"{child}.{name}", "", node) for node in nodes for name in _attributes(node).keys() - known)


def _attributes(node: Xml) -> Mapping[str, str]:
    return {snake(str(name)): value.strip() for name, value in node.items() if value.strip()}


def _written(name: str, value: Value, node: Xml) -> Setting:
    return Setting(name=name, value=value, source="gov:policy", line=node.sourceline)


_CHILDREN: Final[Mapping[str, Callable[[list[Xml]], Iterator[Setting]]]] = {
    "retainKey": _retain_keys,
    "knowledgeRequirement": _knowledge_requirements,
    "branchStrategy": _branch_strategy,
    "mergeKey": _merge_keys,
    "approval": _approval,
}
CHILDREN: Final = tuple(f"<{name}>" for name in (*_CHILDREN, "setting"))
"""The children of `<gov:policy>`. None will be added: designers drop children that they do not know."""

CHILD_ATTRIBUTES: Final = ("retainKey.name", "mergeKey.name", "mergeKey.strategy")
"""Attributes of children that are no fields themselves."""
