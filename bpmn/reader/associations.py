"""Data associations that compute: what they assign (`assignment`), or make of their sources (`transformation`).

BPMN 2.0, 10.4.2: a transformation gives the whole target; without one each assignment's `from` is evaluated and put
where its `to` says; without either the source is copied, which is no mapping but a name (`DataItem.variable`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from bpmn.definition import DataItem, DataMapping, Expression
from bpmn.reader.data import associated, data_name
from bpmn.reader.reading import Reading
from bpmn.reader.roots import Roots
from bpmn.reader.text import read_expression
from bpmn.reader.vendors import unwrapped
from bpmn.reader.xml import Xml, children_by_name, text_of

_EVERYTHING: Final = "*"
_PLACE: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class Flowing(NamedTuple):
    """Data inputs and outputs of an activity or event, and the mappings in which its associations compute."""

    inputs: tuple[DataItem, ...]
    outputs: tuple[DataItem, ...]
    mapped_inputs: tuple[DataMapping, ...] = ()
    mapped_outputs: tuple[DataMapping, ...] = ()


def read_flowing(
    owner: Mapping[str, list[Xml]],
    data: tuple[tuple[DataItem, ...], tuple[DataItem, ...]],
    reading: Reading,
    roots: Roots,
    *,
    all_inputs: bool = False,
    renames: bool = False,
    receives: bool = False,
) -> Flowing:
    """What associations compute, beside the `data` that an element's children declare.

    With `all_inputs` nothing but mapped inputs goes in, so that the others have to be mapped, too. What `renames` sees
    its data inputs under their own names, whatever they are copied from; what `receives` has outputs from elsewhere,
    which go by their own names, whatever they are copied to.
    """
    inputs, outputs = data
    into = list(_computed(owner.get("dataInputAssociation", ()), reading, roots))
    out = list(_computed(owner.get("dataOutputAssociation", ()), reading, roots))
    if into and all_inputs:
        into = [*(_named(item.name, item.variable or item.name) for item in _left(inputs, into)), *into]
        inputs = tuple(replace(item, variable=None) for item in inputs)
    elif renames:
        into = [*associated(_left(inputs, into)), *into]
    if out or (receives and any(item.variable for item in outputs)):
        left = [_named(item.variable or item.name, item.name) for item in _uncomputed(owner, outputs, roots)]
        out = [*(left if outputs else [DataMapping(target=_EVERYTHING)]), *out]
        outputs = tuple(replace(item, variable=None) for item in outputs)
    return Flowing(inputs, outputs, tuple(into), tuple(out))


def _computed(nodes: Iterable[Xml], reading: Reading, roots: Roots) -> Iterator[DataMapping]:
    for node in nodes:
        parts = children_by_name(node)
        if not _computes(parts):
            continue
        target = text_of(parts["targetRef"][0]) if "targetRef" in parts else None
        transformation = read_expression(parts.get("transformation", [None])[0], roots.language)
        if transformation is not None:
            yield from _mapping(target or "", transformation, node, reading, roots)
            continue
        for each in parts.get("assignment", ()):
            inside = children_by_name(each)
            said = read_expression(inside.get("from", [None])[0], roots.language)
            place = text_of(inside["to"][0]) if "to" in inside else None
            if said is None:
                reading.error("data", "an assignment says what it assigns", each, allowed=("from: an expression",))
            else:
                yield from _mapping(place or target or "", said, each, reading, roots)


def _computes(association: Mapping[str, list[Xml]]) -> bool:
    """Whether it does more than copy."""
    return "assignment" in association or any(map(text_of, association.get("transformation", ())))


def _mapping(place: str, value: Expression, node: Xml, reading: Reading, roots: Roots) -> Iterator[DataMapping]:
    """One mapping to a place, whose first part may be the id of data."""
    named = roots.data.get(place)
    head, dot, rest = unwrapped(place).partition(".") if named is None else (_called(named), "", "")
    head = _called(roots.data[head]) if head in roots.data else head
    if "." in head or (named is None and _PLACE.fullmatch(f"{head}{dot}{rest}") is None):
        message = "an assignment goes to data by its name or id, or to a place inside it"
        reading.error("data", message, node, found=place or "nothing", allowed=("name", "name.part"))
        return
    source = roots.data.get(value.text)
    if source is not None:
        value = Expression(text=_called(source), language="variable", line=value.line)
    yield DataMapping(target=f"{head}{dot}{rest}", expression=value)


def _called(node: Xml) -> str:
    return data_name(node) or ""


def _named(target: str, source: str) -> DataMapping:
    return DataMapping(target=target, expression=Expression(text=source, language="variable"))


def _left(items: Iterable[DataItem], mappings: Iterable[DataMapping]) -> list[DataItem]:
    """The items that no mapping sets, or a part of them."""
    set_ = {each.target.partition(".")[0] for each in mappings}
    return [item for item in items if item.name not in set_]


def _uncomputed(owner: Mapping[str, list[Xml]], outputs: Iterable[DataItem], roots: Roots) -> list[DataItem]:
    """The data outputs that come out as they are: none of their associations computes."""
    computed = set()
    for node in owner.get("dataOutputAssociation", ()):
        parts = children_by_name(node)
        if _computes(parts):
            sources = (roots.data.get(text_of(each) or "") for each in parts.get("sourceRef", ()))
            computed |= {_called(source) for source in sources if source is not None}
    return [item for item in outputs if item.name not in computed]
