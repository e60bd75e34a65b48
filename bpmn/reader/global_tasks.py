"""Global tasks: tasks beside the processes that call activities call. Each is read as a process that does it alone."""

from __future__ import annotations

from bpmn.definition import Element, EventDefinition, Flow, Process, Scope
from bpmn.reader.data import read_data
from bpmn.reader.elements import Surroundings, read_element
from bpmn.reader.kinds import GLOBAL_TASKS
from bpmn.reader.lanes import Lanes
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.xml import Xml, attribute, children_by_name, local_name


def read_global_tasks(reading: Reading, roots: Roots) -> dict[str, Process]:
    """A process per global task, by the task's id; the task in it has the same id."""
    found: dict[str, Process] = {}
    for node in reading.root:
        kind = GLOBAL_TASKS.get(local_name(node) or "")
        identifier = reading.claim(node) if kind is not None else None
        if kind is not None and identifier is not None:
            found[identifier] = _process(identifier, kind, node, reading, roots)
    return found


def _process(identifier: str, kind: str, node: Xml, reading: Reading, roots: Roots) -> Process:
    start, end = f"{identifier}_start", f"{identifier}_end"
    flows = {
        name: Flow(id=name, source=source, target=target, line=node.sourceline)
        for name, source, target in (
            (f"{identifier}_from_start", start, identifier), (f"{identifier}_to_end", identifier, end)
        )
    }  # fmt: skip
    first, last = flows
    around = Surroundings(
        reading=reading,
        roots=roots,
        lanes=Lanes(by_id={}, of_node={}),
        incoming={identifier: [first]},
        outgoing={identifier: [last]},
    )
    none = EventDefinition(kind="none")
    elements = (
        Element(id=start, kind="startEvent", line=node.sourceline, outgoing=(first,), event=none),
        read_element(identifier, kind, node, around),
        Element(id=end, kind="endEvent", line=node.sourceline, incoming=(last,), event=none),
    )
    inputs, outputs = read_data(children_by_name(node), reading, roots)
    return Process(
        id=identifier,
        name=attribute(node, "name"),
        executable=False,
        line=node.sourceline,
        scope=Scope(elements={each.id: each for each in elements}, flows=flows),
        data_inputs=inputs,
        data_outputs=outputs,
    )
