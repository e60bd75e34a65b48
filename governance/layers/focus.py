"""The focus of a branch: one line in PROCESS that a model wrote at its beginning (Design: D2 split)."""

from __future__ import annotations

from typing import Final

from governance.snapshots.contents import Contents
from governance.snapshots.model import key_of
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer

FOCUS: Final = "focus/"
"""PROCESS entries of this prefix, one per branch."""


def focus_key(branch: str) -> str:
    """The name of a branch's entry."""
    return FOCUS + branch


def focus_of(contents: Contents, values: ValueStore, branch: str) -> str | None:
    """The branch's line: "" where a model gave none, None where none was asked."""
    item = contents.item(key_of(Layer.PROCESS, focus_key(branch)))
    return None if item is None else str(values.get(item.value))
