"""What stands beside the processes and is referred to from them: messages, signals, errors, types, data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpmn.definition import EventRef, Expression
from bpmn.namespaces import BPMN, GOV, SPIFFWORKFLOW, ZEEBE, qualified
from bpmn.reader.correlation import with_correlation
from bpmn.reader.extensions import extension
from bpmn.reader.kinds import GLOBAL_TASKS
from bpmn.reader.performers import resources_of
from bpmn.reader.reading import Reading
from bpmn.reader.text import declared_language, read_expression
from bpmn.reader.types import schema_of_type
from bpmn.reader.vendors import family_attribute, is_marked
from bpmn.reader.xml import Xml, attribute, is_true, local_name, text_of
from bpmn.timers import DURATION_FORMS, parse_duration

_CONSTANT = re.compile(r'=\s*"([^"\\]*)"')
_DATA = ("dataObject", "dataObjectReference", "dataStoreReference", "property", "dataInput", "dataOutput")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemType:
    """An item definition: the JSON Schema of one item (None: anything), and whether it is a list of them."""

    schema: Mapping[str, Any] | None
    collection: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Roots:
    """Everything that a process may refer to outside itself."""

    messages: Mapping[str, EventRef]
    signals: Mapping[str, EventRef]
    errors: Mapping[str, EventRef]
    escalations: Mapping[str, EventRef]
    event_definitions: Mapping[str, Xml]
    types: Mapping[str, ItemType]
    data: Mapping[str, Xml]
    """Data objects, references to them, properties, data inputs and outputs, by id, wherever they stand."""
    associations: Mapping[str, tuple[str, ...]]
    """What an id is associated with, in either direction."""
    resources: Mapping[str, str]
    """Names of resources, by id."""
    processes: frozenset[str]
    """Ids of all processes and global tasks, those not read yet too."""
    language: str | None


def read_roots(reading: Reading) -> Roots:
    """Read the children of `definitions` that are no process; the order in the file does not matter."""
    root = reading.root
    events: dict[str, dict[str, EventRef]] = {"message": {}, "signal": {}, "error": {}, "escalation": {}}
    definitions: dict[str, Xml] = {}
    types: dict[str, ItemType] = {}
    items = {node.get("id", ""): node for node in root.iter(qualified(BPMN, "itemDefinition"))}
    for node in root:
        name = local_name(node)
        if name in events:
            _add_event(reading, node, events[name], f"{name}Code")
            reading.refer(node, "itemRef", attribute(node, "itemRef"), items, "item definition")
        elif name is not None and name.endswith("EventDefinition"):
            definitions[attribute(node, "id") or ""] = node
        elif name == "itemDefinition":
            types[attribute(node, "id") or ""] = _item_type(node)
    _add_implied_errors(reading, events["error"])
    return Roots(
        messages=with_correlation(events["message"], reading, declared_language(root)),
        signals=events["signal"],
        errors=events["error"],
        escalations=events["escalation"],
        event_definitions=definitions,
        types=types,
        data={attribute(node, "id") or "": node for node in root.iter(*(qualified(BPMN, name) for name in _DATA))},
        associations=_associations(root),
        resources=resources_of(root),
        processes=frozenset(
            node.get("id", "") for node in root.iter(*(qualified(BPMN, name) for name in ("process", *GLOBAL_TASKS)))
        ),
        language=declared_language(root),
    )


def _associations(root: Xml) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for node in root.iter(qualified(BPMN, "association")):
        ends = attribute(node, "sourceRef") or "", attribute(node, "targetRef") or ""
        for one, other in (ends, ends[::-1]):
            found[one] = (*found.get(one, ()), other)
    return found


def _add_event(reading: Reading, node: Xml, known: dict[str, EventRef], code: str) -> None:
    identifier = reading.claim(node)
    if identifier is not None:
        payload = extension(node, SPIFFWORKFLOW, "messagePayload")
        known[identifier] = EventRef(
            id=identifier,
            name=_said(node, "name"),
            code=_said(node, code),
            computed=_computed(node, "name") if code in ("messageCode", "signalCode") else None,
            computed_code=_computed(node, code),
            key=_key(node),
            payload=None if payload is None else read_expression(payload, "python"),
            variable=text_of(extension(node, SPIFFWORKFLOW, "messageVariable")),
            lifetime=_lifetime(node, reading),
            message=family_attribute(node, "errorMessage"),
        )


def _said(node: Xml, name: str) -> str | None:
    """A name or code; `="order"` is `order`, and one that is to be computed is as it stands."""
    text = attribute(node, name)
    constant = _CONSTANT.fullmatch(text or "")
    return text if constant is None else constant[1]


def _computed(node: Xml, name: str) -> Expression | None:
    text = attribute(node, name)
    if text is None or _CONSTANT.fullmatch(text) or not is_marked(text):
        return None
    return Expression(text=text, line=node.sourceline)


def _lifetime(node: Xml, reading: Reading) -> str | None:
    """How long a message is kept for a receiver (`gov:timeToLive`)."""
    text = attribute(node, "timeToLive", GOV)
    if text is None:
        return None
    try:
        parse_duration(text)
    except ValueError:
        reading.error("timer", "timeToLive is no duration", node, found=text, allowed=DURATION_FORMS)
        return None
    return text


def _key(node: Xml) -> Expression | None:
    """A message's correlation key: `gov:correlationKey`, or zeebe's subscription."""
    subscription = extension(node, ZEEBE, "subscription")
    text = node.get(qualified(GOV, "correlationKey"))
    if text is None and subscription is not None:
        text = subscription.get("correlationKey")
    return Expression(text=text, line=node.sourceline) if text else None


def _add_implied_errors(reading: Reading, errors: dict[str, EventRef]) -> None:
    """In a file without errors, as Activiti writes them, `errorRef` is the error's code itself; or it is one's code."""
    by_code = {each.code: each for each in errors.values() if each.code is not None}
    is_coded = not errors
    for node in reading.root.iter(qualified(BPMN, "errorEventDefinition")):
        code = attribute(node, "errorRef")
        if code is None or code in errors or code in reading.ids:
            continue
        if is_coded or code in by_code:
            errors[code] = EventRef(id=code, name=code, code=code)
            reading.warning("implied-event", f"errorRef names no error: it is taken for the code {code}", node)


def _item_type(node: Xml) -> ItemType:
    return ItemType(
        schema=schema_of_type(attribute(node, "structureRef")),
        collection=is_true(node, "isCollection"),
    )
