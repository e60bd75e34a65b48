"""What an activity is about, from its definition alone."""

from __future__ import annotations

from bpmn.definition import Element


def instructions(element: Element) -> str:
    """What the activity's designer wrote for whoever does it; failing that, its name."""
    written = element.agent.prompt if element.agent is not None else None
    return written or element.documentation or element.name or element.id


def subject(element: Element) -> str:
    """What the activity is about: its name and its instructions."""
    return "\n".join(dict.fromkeys((element.name or element.id, instructions(element))))


def query(element: Element) -> str:
    """What entries are compared with: what the activity is about, and the names of its inputs and outputs."""
    outputs = (element.outputs_schema or {}).get("properties", {})
    names = [*(item.name for item in (*element.data_inputs, *element.data_outputs)), *outputs]
    return "\n".join((subject(element), *dict.fromkeys(names)))


def result_name(element: Element) -> str:
    """The variable that takes the answer of an activity which declares no outputs.

    It is named by the activity's id, of an agent with a box of tools by the box's; in a loop with an output item, by
    that.
    """
    if element.agent is not None and element.agent.turn is not None and element.agent.box is not None:
        return element.agent.box
    return (element.loop.output_item if element.loop is not None else None) or element.id
