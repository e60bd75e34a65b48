"""An entry as the text that a model reads and that sizes count: the line `name: text`.

The text is the value's canonical JSON at FULL, the shown text at SUMMARY and KEY_ONLY, nothing at ARCHIVED. A HISTORY
record refers to its outputs by hash; at FULL it reads as if they stood in it. Tokens of a line are counted in parts
(the name, the value, each output), so that a value is counted once however many lines it stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.snapshots.canonical import spell
from governance.snapshots.model import Item, made, name_of, space_of
from governance.snapshots.values import Entries, Size, ValueStore
from governance.vocabulary import Fidelity

_FULL = Fidelity.FULL
_NOTHING = Size(0, 0)


def render_value(values: ValueStore, key: str, item: Item) -> str:
    """The text after `name: `; "" when archived. Raises UnknownValue."""
    if item.fidelity is Fidelity.FULL:
        value = values.get(item.value)
        if space_of(key) == "HISTORY":
            value = _with_outputs(value, {name: values.get(output) for name, output in record_outputs(value) or ()})
        return spell(value).decode()
    return "" if item.fidelity is Fidelity.ARCHIVED else str(values.get(item.text or ""))


def render_line(values: ValueStore, key: str, item: Item) -> str:
    """The whole line `name: text`; "" when archived. Raises UnknownValue."""
    return "" if item.fidelity is Fidelity.ARCHIVED else f"{name_of(key)}: {render_value(values, key, item)}"


def shown_size(values: ValueStore, key: str, item: Item) -> Size:
    """Size of the line at the item's fidelity; (0, 0) when archived."""
    if item.fidelity is Fidelity.ARCHIVED:
        return _NOTHING
    return line_size(values, name_of(key), shown_text_size(values, space_of(key), item))


def full_size(values: ValueStore, key: str, value_hash: str) -> Size:
    """Size of the line with the full value."""
    return line_size(values, name_of(key), full_text_size(values, space_of(key), value_hash))


def text_line_size(values: ValueStore, key: str, text: str) -> Size:
    """Size that the line of `key` would have if it showed `text`, which need not be stored."""
    return line_size(values, name_of(key), values.measure(text))


def line_size(values: ValueStore, name: str, text: Size) -> Size:
    """Size of the line of a name and a text of that size."""
    chars, tokens = text
    label = values.labels.get(name)
    return made(Size, (len(name) + 2 + chars, tokens + (values.label_tokens(name) if label is None else label)))


def shown_text_size(values: ValueStore, space: str, item: Item) -> Size:
    """Size of what `render_value` gives for an item that is not archived."""
    value, _, fidelity, text = item
    if fidelity is _FULL:
        if space == "HISTORY":
            return values.record_sizes.get(value) or _record_size(values, value)
        return values.sizes.get(value) or values.size(value)
    return values.text_sizes.get(text or "") or values.text_size(text or "")


def full_text_size(values: ValueStore, space: str, value_hash: str) -> Size:
    """Size of the full value's text, without the name."""
    if space != "HISTORY":
        return values.sizes.get(value_hash) or values.size(value_hash)
    return values.record_sizes.get(value_hash) or _record_size(values, value_hash)


def record_outputs(record: Any) -> Entries | None:
    """(name, value hash) of each output that a HISTORY record refers to; None for an entry that is no record."""
    outputs = record.get("outputs") if isinstance(record, dict) else None
    if not isinstance(outputs, dict):
        return None
    for output in outputs.values():
        if not isinstance(output, str):
            return tuple([(name, each) for name, each in outputs.items() if isinstance(each, str)])
    return tuple(outputs.items())


def outputs_of(values: ValueStore, value_hash: str) -> Entries | None:
    """The same of a stored value, which is looked into once."""
    known = values.record_outputs
    if value_hash not in known:
        known[value_hash] = record_outputs(values.get(value_hash))
    return known[value_hash]


def _with_outputs(record: Any, outputs: Mapping[str, Any]) -> Any:
    return {**record, "outputs": {**record["outputs"], **outputs}} if outputs else record


def _record_size(values: ValueStore, value_hash: str) -> Size:
    """Size of a HISTORY record's text: the record with `null` for each output, and the outputs in their place."""
    outputs = outputs_of(values, value_hash)
    if not outputs:
        found = values.record_sizes[value_hash] = values.size(value_hash)
        return found
    record = values.get(value_hash)
    told = record["outputs"]
    blank = dict.fromkeys(told) if len(told) == len(outputs) else {**told, **dict.fromkeys(dict(outputs))}
    text = spell({**record, "outputs": blank}).decode()
    chars, tokens, nothing = len(text), values.tokens(text), values.tokens("null")
    for _, output in outputs:
        more_chars, more_tokens = values.sizes.get(output) or values.size(output)
        chars += more_chars - len("null")
        tokens += more_tokens - nothing
    found = values.record_sizes[value_hash] = made(Size, (chars, tokens))
    return found
