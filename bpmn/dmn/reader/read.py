"""From bytes to a decision model, and what does not fit together in it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bpmn.dmn.errors import NotDmn
from bpmn.dmn.model import (
    Decision,
    DecisionModel,
    Import,
    InputData,
    ItemDefinition,
    Knowledge,
    Reference,
    Service,
)
from bpmn.dmn.reader.boxed import read_function, read_logic
from bpmn.dmn.reader.source import VERSIONS, Source
from bpmn.dmn.reader.types import read_item
from bpmn.findings import Finding
from bpmn.namespaces import split
from bpmn.reader.source import Limits
from bpmn.reader.xml import Xml, attribute, parse_xml

PartT = TypeVar("PartT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadModel:
    model: DecisionModel
    findings: tuple[Finding, ...]


def read_models(sources: Mapping[str, bytes], limits: Limits | None = None) -> list[ReadModel]:
    """Read several files, by their names. Of those with one namespace, which designers give all they make, the second
    and later ones are known by another; an import means the first. Raises as `read_model` does.
    """
    taken: set[str] = set()
    found = []
    for file, data in sources.items():
        read = read_model(data, file, limits)
        if read.model.namespace in taken:
            read = read_model(data, file, limits, namespace=f"{read.model.namespace} of {file}")
        taken.add(read.model.namespace)
        found.append(read)
    return found


def read_model(data: bytes, file: str, limits: Limits | None = None, *, namespace: str | None = None) -> ReadModel:
    """Read a DMN file's bytes. `namespace` is what it is known by in place of its own.

    Raises `NotXml`, `UnsafeXml`, `LimitExceeded`, `NotDmn`.
    """
    root = parse_xml(data, file, limits or Limits())
    language, name = split(str(root.tag))
    if name != "definitions" or VERSIONS.fullmatch(language) is None:
        raise NotDmn(
            "the root element is not DMN",
            file=file,
            line=root.sourceline,
            found=f"{name} in namespace {language}" if language else f"{name} without a namespace",
            allowed="definitions of DMN 1.1 to 1.6",
        )
    source = Source(file, root, namespace)
    imports = _imports(source)
    model = DecisionModel(
        file=file,
        source_hash=hashlib.sha256(data).hexdigest(),
        namespace=source.target,
        name=attribute(root, "name"),
        imports=imports,
        types=_types(source),
        inputs=_parts(source, "inputData", _input),
        decisions=_parts(source, "decision", _decision),
        knowledge=_parts(source, "businessKnowledgeModel", _knowledge),
        services=_parts(source, "decisionService", _service),
        names=_names(source),
    )
    return ReadModel(model=model, findings=tuple(source.findings))


def _imports(source: Source) -> tuple[Import, ...]:
    found = []
    for node in source.children(source.root, "import"):
        kind = attribute(node, "importType") or ""
        namespace = attribute(node, "namespace") or ""
        if VERSIONS.fullmatch(kind) is None:
            source.error("import", "only decision models can be imported", node, found=kind, allowed=("DMN",))
            continue
        name = attribute(node, "name") or ""
        source.imported[namespace] = name
        found.append(
            Import(name=name, namespace=namespace, location=attribute(node, "locationURI"), line=node.sourceline)
        )
    return tuple(found)


def _types(source: Source) -> Mapping[str, ItemDefinition]:
    items = [read_item(node, source) for node in source.children(source.root, "itemDefinition")]
    return {item.name: item for item in items}


def _parts(source: Source, name: str, read: Callable[[Xml, Source, str], PartT]) -> Mapping[str, PartT]:
    """By id; what has none is known by its name."""
    found: dict[str, PartT] = {}
    for node in source.children(source.root, name):
        identifier = attribute(node, "id") or attribute(node, "name") or ""
        if identifier in found:
            source.error("duplicate-id", "the id is used twice", node, found=identifier)
        found[identifier] = read(node, source, identifier)
    return found


def _input(node: Xml, source: Source, identifier: str) -> InputData:
    return InputData(id=identifier, variable=source.variable(node), line=node.sourceline)


def _decision(node: Xml, source: Source, identifier: str) -> Decision:
    information = source.children(node, "informationRequirement")
    return Decision(
        id=identifier,
        name=attribute(node, "name") or identifier,
        variable=source.variable(node),
        logic=read_logic(node, source),
        information=source.references(information, "requiredInput", "requiredDecision"),
        knowledge=_required_knowledge(node, source),
        line=node.sourceline,
    )


def _required_knowledge(node: Xml, source: Source) -> tuple[Reference, ...]:
    return source.references(source.children(node, "knowledgeRequirement"), "requiredKnowledge")


def _knowledge(node: Xml, source: Source, identifier: str) -> Knowledge:
    logic = source.child(node, "encapsulatedLogic")
    return Knowledge(
        id=identifier,
        name=attribute(node, "name") or identifier,
        variable=source.variable(node),
        logic=None if logic is None else read_function(logic, source),
        knowledge=_required_knowledge(node, source),
        line=node.sourceline,
    )


def _service(node: Xml, source: Source, identifier: str) -> Service:
    return Service(
        id=identifier,
        name=attribute(node, "name") or identifier,
        variable=source.variable(node),
        outputs=source.references(source.children(node, "outputDecision")),
        encapsulated=source.references(source.children(node, "encapsulatedDecision")),
        input_decisions=source.references(source.children(node, "inputDecision")),
        input_data=source.references(source.children(node, "inputData")),
        line=node.sourceline,
    )


def _names(source: Source) -> tuple[str, ...]:
    found = dict.fromkeys(
        name
        for node in source.root.iter("*")
        if source.local(node) is not None
        for name in (attribute(node, "name"), attribute(node, "iteratorVariable"))
        if name is not None
    )
    return tuple(found)
