"""Values of inputs and outputs as Camunda 7 writes them: text, a script, or lists and maps of all these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpmn.definition import Expression
from bpmn.expressions.languages import FRONT_ENDS, language_of
from bpmn.namespaces import split
from bpmn.parts.texts import LIST, MAP
from bpmn.reader.reading import Reading
from bpmn.reader.vendors import FAMILY, value_of
from bpmn.reader.xml import Xml, attribute, text_of

_RULE: Final = "mapping-value"
_MADE_OF: Final = ("text", "script", "list", "map")


def read_value(node: Xml, reading: Reading) -> Expression | None:
    """What stands in a parameter, an entry or a `value`; without anything in it null, as in Camunda.

    None: it was refused, with a finding that names it.
    """
    inside = [child for child in node if isinstance(child.tag, str)]
    if not inside:
        text = text_of(node)
        return value_of(text, node.sourceline) if text else Expression(text="None", language="python")
    if len(inside) > 1:
        return _refuse(inside[1], "it has more than one value", reading)
    return _made(inside[0], reading)


def _made(node: Xml, reading: Reading) -> Expression | None:
    namespace, name = split(str(node.tag))
    made = _MAKERS.get(name) if namespace in FAMILY else None
    return _refuse(node, f"{name} is no value", reading) if made is None else made(node, reading)


def _list(node: Xml, reading: Reading) -> Expression | None:
    items = [_made(child, reading) for child in node if isinstance(child.tag, str)]
    return _of(LIST, node, items)


def _map(node: Xml, reading: Reading) -> Expression | None:
    return _of(MAP, node, list(_entries(node, reading)))


def _entries(node: Xml, reading: Reading) -> Iterator[Expression | None]:
    """Keys and values in turns."""
    for entry in (child for child in node if isinstance(child.tag, str)):
        key = attribute(entry, "key")
        if split(str(entry.tag))[1] != "entry" or key is None:
            yield _refuse(entry, "it is no entry with a key", reading, allowed=('entry key="..."',))
            continue
        yield value_of(key, entry.sourceline)
        yield read_value(entry, reading)


def _script(node: Xml, reading: Reading) -> Expression | None:
    text, language, place = text_of(node), attribute(node, "scriptFormat"), attribute(node, "resource")
    if text is None and (place is None or language_of("", language) in FRONT_ENDS):
        found = "the script is in a file of its own" if place else "the script is empty"
        return _refuse(node, found, reading, found=place, allowed=("the script's text",))
    return Expression(text=text or place or "", language=language, line=node.sourceline, script=True)


def _of(kind: str, node: Xml, items: list[Expression | None]) -> Expression | None:
    found = tuple(each for each in items if each is not None)
    if len(found) < len(items):
        return None
    return Expression(text="", language=kind, line=node.sourceline, items=found)


def _refuse(
    node: Xml, message: str, reading: Reading, *, found: str | None = None, allowed: tuple[str, ...] = _MADE_OF
) -> Expression | None:
    reading.error(_RULE, message, node, found=found or split(str(node.tag))[1], allowed=allowed)
    return None


_MAKERS: Final = {"value": read_value, "script": _script, "list": _list, "map": _map}
