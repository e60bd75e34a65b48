"""An instance as one file: a zip with a JSON document for each table, and what each has to hash to.

    manifest.json       {"format", "version", "instance", "entries": {name: {"sha256", "bytes"}}}
    definition.json     {"hash", "name", "file", "source": base64, "body": base64}
    definitions.json    a list of such: by which it went before it was migrated; absent where it was not
    instance.json       its row, without its number
    rows/TABLE.json     its rows of a table, each {column: value}, without the number
    values.json         {hash: base64 of canonical JSON}

Bytes are base64 text. Nothing in it is unpickled, run, or written to a path.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import LargeBinary, Table

from engine.store.reach import owned
from engine.store.tables import JournalRow, LiveRow, table

FORMAT: Final = "bpmn-governor instance"
VERSION: Final = 1
MANIFEST, DEFINITION, INSTANCE, VALUES = "manifest.json", "definition.json", "instance.json", "values.json"
DEFINITIONS: Final = "definitions.json"
LEFT_OUT: Final = frozenset({table(JournalRow).name, "gov_dispatch"})
"""What stays: answers that a running activity keeps for itself, and which worker has the instance."""


DERIVED: Final = frozenset({table(LiveRow).c.incident})
"""Columns that say what others say, too; each database works them out anew."""


def archived() -> dict[str, Table]:
    """The tables in an archive, by the name of their entry."""
    return {f"rows/{each.name}.json": each for each in owned() if each.name not in LEFT_OUT}


def columns_of(archived: Table) -> dict[str, Any]:
    """Those that an archive has: all but the number of the instance, which each database gives anew, and DERIVED."""
    left_out = {owned().get(archived, "number")}
    return {each.name: each for each in archived.columns if each.name not in left_out and each not in DERIVED}


def named_by(migrated: Mapping[str, Any] | None) -> set[str]:
    """Hashes of the definitions that the data of a migration's event name; none where they were erased."""
    told = migrated or {}
    return {told[name] for name in ("before", "definition") if isinstance(told.get(name), str)}


def is_bytes(column: Any) -> bool:
    return isinstance(column.type, LargeBinary)


def text_of(cell: Any) -> Any:
    return base64.b64encode(cell).decode() if isinstance(cell, bytes) else cell
