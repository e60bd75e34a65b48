"""What a snapshot is: a commit of writes on top of its parents (Design: entries).

A key is a pair of a space and a name, written `space/name`. A space is a layer, or a variable scope inside
WORKING: `WORKING/claim` is the variable `claim` of the process, `WORKING:call@7/claim` that of a called process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from governance.vocabulary import Fidelity, Layer, Producer

made: Final = tuple.__new__
"""`made(Item, (...))`: a named tuple from all its fields, in half the time that calling its class takes."""


def key_of(space: str, name: str) -> str:
    return f"{space}/{name}"


def space_of(key: str) -> str:
    return key[: key.index("/")]


def name_of(key: str) -> str:
    return key[key.index("/") + 1 :]


def layer_of(key: str) -> Layer:
    """The layer of a key; a variable scope belongs to WORKING. Raises KeyError for another word."""
    return LAYERS[space_of(key).partition(":")[0]]


LAYERS: Final[Mapping[str, Layer]] = {str(layer): layer for layer in Layer}
"""By name. To call the enum costs ten times as much."""


class Write(NamedTuple):
    """A value that a step wrote.

    `paths` names what changed inside an object or a list of objects with ids, against what the writer saw;
    None: the whole value. A deletion is a Write whose `value` is None.
    """

    value: str | None
    meta: str
    paths: tuple[str, ...] | None = None


class Shown(NamedTuple):
    """What a model is shown of an entry that is not FULL. `text` is the hash of the shown text, None when archived."""

    fidelity: Fidelity
    text: str | None = None


class Stamp(NamedTuple):
    """The total order of writes: time, generation, branch, value (Design: D3 merge, LAST_WRITE).

    `generation` is the `step` of the commit: what is only shown does not count.
    """

    at: str
    generation: int
    branch: str
    value: str

    def order(self) -> tuple[str, int, tuple[Any, ...], str]:
        return (self.at, self.generation, branch_order(self.branch), self.value)


@lru_cache(maxsize=4096)
def branch_order(branch: str) -> tuple[Any, ...]:
    """Sort key of a branch id in which numbers compare as numbers; different ids have different keys."""
    parts: list[Any] = _NUMBERS.split(branch)
    numbers = parts[1::2]
    parts[1::2] = zip(map(int, numbers), numbers, strict=True)
    return tuple(parts)


_NUMBERS: Final = re.compile("([0-9]+)")


class EntryMeta(NamedTuple):
    """Who wrote an entry, when and how sure. `created_at` is a fixed-width ISO timestamp (UTC)."""

    confidence: float = 1.0
    activity: str = ""
    branch: str = ""
    producer: Producer = Producer.ENGINE
    created_at: str = ""
    step: int = 0
    citations: tuple[str, ...] = ()


_NONE_WON: Final[Mapping[str, Stamp]] = MappingProxyType({})


class CommitMeta(NamedTuple):
    """Why a commit was made: `kind` is one of start, activity, D1, zones, D3, gateway, call, return, restore,
    system."""

    kind: str
    activity: str = ""
    branch: str = ""
    at: str = ""
    won: Mapping[str, Stamp] = _NONE_WON
    bases: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Commit(NamedTuple):
    """An immutable snapshot: what one step wrote, took over from a merged branch, and shows.

    `writes` is what the step itself wrote; `carry` what a merge took over from another parent (not a write);
    `shown` maps a key to its new fidelity, None for FULL again. `generation` is one more than the highest of the
    parents. `step` counts only commits that hold values, so that what is shown never decides whose write is the last.
    `body` is all of it as JSON but for those two; `id` is the digest of `body`.
    """

    id: str
    parents: tuple[str, ...]
    writes: Mapping[str, Write]
    carry: Mapping[str, Write]
    shown: Mapping[str, Shown | None]
    meta: CommitMeta
    generation: int
    step: int
    body: bytes


class Item(NamedTuple):
    """An entry as it stands in a materialised snapshot."""

    value: str
    meta: str
    fidelity: Fidelity = Fidelity.FULL
    text: str | None = None
