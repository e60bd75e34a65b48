"""What commands read of stored instances."""

from __future__ import annotations

import orjson

from bpmn.codec import from_json
from bpmn.definition import Definition
from engine.governor import Governor
from engine.names import Names


def definition_of(governor: Governor, instance: str) -> Definition:
    """The definition that an instance runs. Raises UnknownInstance."""
    record = governor.store.instance(instance)
    return from_json(orjson.loads(governor.store.definition(record.definition)))


def names_of(governor: Governor, instance: str) -> Names:
    return Names(definition_of(governor, instance))
