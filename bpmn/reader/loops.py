"""Loop markers: standard loops and multi-instance."""

from __future__ import annotations

from collections.abc import Mapping

from bpmn.definition import Expression, InstanceEvent, LoopCharacteristics
from bpmn.namespaces import ZEEBE
from bpmn.reader.data import data_name
from bpmn.reader.events import read_definition, read_event
from bpmn.reader.extensions import extension
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.text import read_expression
from bpmn.reader.vendors import family_attribute, unwrapped
from bpmn.reader.xml import Xml, attribute, children_by_name, is_true, text_of


def read_loop(activity: Mapping[str, list[Xml]], reading: Reading, roots: Roots) -> LoopCharacteristics | None:
    """The loop marker of an activity, given its children by name; None where it has none."""
    standard = activity.get("standardLoopCharacteristics", [])
    multiple = activity.get("multiInstanceLoopCharacteristics", [])
    markers = standard + multiple
    if not markers:
        return None
    if len(markers) > 1:
        reading.error("loop", "an activity has at most one loop marker", markers[1], found=f"{len(markers)}")
    return _standard(standard[0], reading, roots) if standard else _multi_instance(multiple[0], reading, roots)


def _standard(node: Xml, reading: Reading, roots: Roots) -> LoopCharacteristics:
    parts = children_by_name(node)
    return LoopCharacteristics(
        kind="standard",
        completion_condition=read_expression(parts.get("loopCondition", [None])[0], roots.language),
        test_before=is_true(node, "testBefore"),
        maximum=reading.count(node, "loopMaximum", "loop"),
    )


def _multi_instance(node: Xml, reading: Reading, roots: Roots) -> LoopCharacteristics:
    parts = children_by_name(node)

    def expression(name: str) -> Expression | None:
        return read_expression(parts.get(name, [None])[0], roots.language)

    def item(name: str) -> str | None:
        return data_name(parts[name][0]) if name in parts else None

    own = _of_dialect(node)
    output = own.get("computed")
    collection = _data_reference(parts, "loopDataInputRef", roots) or own.get("collection")
    return LoopCharacteristics(
        kind="sequential" if is_true(node, "isSequential") else "parallel",
        cardinality=expression("loopCardinality"),
        collection=Expression(text=collection, line=node.sourceline) if collection else None,
        input_item=item("inputDataItem") or own.get("item"),
        output_collection=_data_reference(parts, "loopDataOutputRef", roots) or own.get("outputs"),
        output_item=item("outputDataItem") or (None if output else own.get("output")),
        output=Expression(text=output, line=node.sourceline) if output else None,
        counts_from=1 if extension(node, ZEEBE, "loopCharacteristics") is not None else 0,
        completion_condition=expression("completionCondition"),
        behavior=attribute(node, "behavior") or "All",
        thrown=_thrown(node, parts, reading, roots),
    )


def _thrown(
    node: Xml, parts: Mapping[str, list[Xml]], reading: Reading, roots: Roots
) -> tuple[InstanceEvent, ...]:
    behavior = attribute(node, "behavior") or "All"
    if behavior != "Complex" and "complexBehaviorDefinition" in parts:
        message = "complexBehaviorDefinition is for the behavior Complex"
        reading.error("loop", message, node, found=behavior, allowed=("Complex",))
    if behavior in ("None", "One"):
        name = f"{behavior.lower()}BehaviorEventRef"
        known = roots.event_definitions
        reference = reading.refer(node, name, attribute(node, name), known, "event definition")
        return () if reference is None else (InstanceEvent(event=read_definition(known[reference], reading, roots)),)
    found = []
    for definition in parts.get("complexBehaviorDefinition", []) if behavior == "Complex" else ():
        inside = children_by_name(definition)
        condition = read_expression(inside.get("condition", [None])[0], roots.language)
        for event in inside.get("event", []):
            found.append(InstanceEvent(event=read_event(event, reading, roots), condition=condition))
    return tuple(found)


def _of_dialect(node: Xml) -> dict[str, str | None]:
    """Collection, item, output collection and output item, as a dialect writes them."""
    zeebe = extension(node, ZEEBE, "loopCharacteristics")
    if zeebe is not None:
        output = attribute(zeebe, "outputElement")
        is_name = output is None or unwrapped(output).isidentifier()
        return {
            "collection": attribute(zeebe, "inputCollection"),
            "item": attribute(zeebe, "inputElement"),
            "outputs": attribute(zeebe, "outputCollection"),
            "output": None if output is None else unwrapped(output),
            "computed": None if is_name or output is None else f"={output.removeprefix('=')}",
        }
    collection = family_attribute(node, "collection")
    return {
        "collection": None if collection is None else unwrapped(collection),
        "item": family_attribute(node, "elementVariable"),
    }


def _data_reference(parts: Mapping[str, list[Xml]], name: str, roots: Roots) -> str | None:
    """The variable behind a reference to data; a text that is no id is taken for the variable itself."""
    text = text_of(parts[name][0]) if name in parts else None
    if text is None or text not in roots.data:
        return text
    node = roots.data[text]
    return data_name(roots.data.get(attribute(node, "dataObjectRef") or "", node))
