"""An entry as the text that a model reads and that sizes count: the line `name: text`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from governance.snapshots.model import Item
from governance.snapshots.values import Size, ValueStore


def render_value(values: ValueStore, key: str, item: Item) -> str:
    """The text after `name: `; "" when archived."""
    raise NotImplementedError


def render_line(values: ValueStore, key: str, item: Item) -> str:
    """The whole line `name: text`; "" when archived. Its size is what the totals of a space sum up."""
    raise NotImplementedError


def shown_size(values: ValueStore, key: str, item: Item) -> Size:
    """Size of the line at the item's fidelity; (0, 0) when archived."""
    raise NotImplementedError


def full_size(values: ValueStore, key: str, value_hash: str) -> Size:
    """Size of the line with the full value."""
    raise NotImplementedError


def text_line_size(values: ValueStore, key: str, text: str) -> Size:
    """Size that the line of `key` would have if it showed `text`."""
    raise NotImplementedError


def record_outputs(record: Any) -> Iterator[tuple[str, str]]:
    """(name, value hash) of each output that a HISTORY record refers to."""
    raise NotImplementedError
