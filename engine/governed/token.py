"""What a token carries: the head of its context, and how it is called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from governance.layers.zoning import Rows, rows_of
from governance.snapshots.model import Stamp, made

UNSET: Final = ""
"""The value hash of an instance's own item that is declared and not set."""


LOCAL: Final = 3
"""Where a token's own items stand in its row."""

_NO_ITEMS: Final[Mapping[str, Stamp]] = MappingProxyType({})


class Token(NamedTuple):
    """The context follows the token: `head` is the snapshot it stands on.

    `branch` is readable, "" for the main branch; `scope` the variable scope, "" for the process's own. `local` holds
    what belongs to one instance of a multi-instance activity: by name the stamp of its last write, with the value's
    hash or UNSET; it is never written to the context. `recent` names the last records in HISTORY on this path, oldest
    first. `action` is what the last measurement of attention asked for. `sealed` is the branch whose agents do not see
    all that stood before its split, "" if there is none around. `zones` are those of its entries, as rows.
    """

    head: str
    branch: str = ""
    scope: str = ""
    local: Mapping[str, Stamp] = _NO_ITEMS
    recent: tuple[str, ...] = ()
    action: str = "CONTINUE"
    sealed: str = ""
    zones: Rows = ()

    def asked(self, action: str) -> Token:
        """The same with what its last measurement asked for."""
        head, branch, scope, local, recent, before, sealed, zones = self
        if action == before:
            return self
        return made(Token, (head, branch, scope, local, recent, action, sealed, zones))

    def dump(self) -> list[Any]:
        local = {name: [item.at, item.generation, item.branch, item.value] for name, item in self.local.items()}
        row = [self.head, self.branch, self.scope, local, list(self.recent), self.action, self.sealed]
        return [*row, [list(zone) for zone in self.zones]] if self.zones else row

    @classmethod
    def load(cls, row: list[Any]) -> Token:
        head, branch, scope, local, recent, action, sealed, *rest = row
        own = {name: Stamp(*item) for name, item in local.items()}
        zones = rows_of(rest[0]) if rest else ()
        return cls(head, branch, scope, own, tuple(recent), action, sealed, zones)
