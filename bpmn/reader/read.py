"""From bytes to a definition: everything the file says, and what does not fit together in it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from bpmn.definition import Definition, Process
from bpmn.errors import NoProcess
from bpmn.findings import Finding
from bpmn.namespaces import BPMN, qualified
from bpmn.reader.artifacts import read_artifacts
from bpmn.reader.collaboration import read_message_flows, read_participants
from bpmn.reader.consistency import check_consistency
from bpmn.reader.data import read_data
from bpmn.reader.elements import documentation
from bpmn.reader.global_tasks import read_global_tasks
from bpmn.reader.ignored import report_ignored
from bpmn.reader.lanes import read_lanes
from bpmn.reader.layout import read_layout
from bpmn.reader.listeners import read_listeners
from bpmn.reader.reading import Reading
from bpmn.reader.references import check_references
from bpmn.reader.roots import Roots, read_roots
from bpmn.reader.scopes import ScopeReader
from bpmn.reader.source import Limits
from bpmn.reader.xml import Xml, attribute, children_by_name, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """What reading gives: the definition, the tree for passes that need it (with ids made up), and the findings."""

    definition: Definition
    root: Xml
    findings: tuple[Finding, ...]


def read(data: bytes, file: str, limits: Limits) -> ReadFile:
    """Read a BPMN file's bytes. Policies are not resolved yet and no process is chosen.

    Raises `NotXml`, `UnsafeXml`, `LimitExceeded`, `NotBpmn`, `NoProcess`.
    """
    root = parse(data, file, limits)
    reading = Reading(file, root)
    roots = read_roots(reading)
    processes: dict[str, Process] = {}
    for node in root.iter(qualified(BPMN, "process")):
        process = _process(node, reading, roots, limits)
        if process is not None:
            processes[process.id] = process
    if processes:
        processes |= read_global_tasks(reading, roots)
    if not processes:
        raise NoProcess("the file has no process", file=file, allowed="at least one process element")
    definition = Definition(
        file=file,
        source_hash=hashlib.sha256(data).hexdigest(),
        processes=processes,
        messages=roots.messages,
        signals=roots.signals,
        errors=roots.errors,
        escalations=roots.escalations,
        participants=read_participants(reading, {**processes}),
        message_flows=read_message_flows(reading, roots),
        layout=read_layout(root),
        artifacts=read_artifacts(root),
    )
    check_consistency(reading)
    check_references(reading)
    report_ignored(reading)
    return ReadFile(definition=definition, root=root, findings=tuple(reading.findings))


def _process(node: Xml, reading: Reading, roots: Roots, limits: Limits) -> Process | None:
    identifier = reading.claim(node)
    if identifier is None:
        return None
    parts = children_by_name(node)
    lanes = read_lanes(node, reading)
    inputs, outputs = read_data(parts, reading, roots)
    executable = attribute(node, "isExecutable")
    return Process(
        id=identifier,
        name=attribute(node, "name"),
        documentation=documentation(parts),
        executable=None if executable is None else executable in ("true", "1"),
        line=node.sourceline,
        scope=ScopeReader(reading, roots, lanes, limits).read(node),
        lanes=lanes.by_id,
        data_inputs=inputs,
        data_outputs=outputs,
        listeners=read_listeners(node),
    )
