"""Puts a golden database where a store can open it."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.engine.store.places import Place, SqlitePlace

HERE = Path(__file__).parent
GOLDEN = sorted(HERE.glob("schema_*.gz"))
"""One for each schema that there ever was, and kind of database."""


def of_kind(golden: Path) -> str:
    return "sqlite" if golden.name.endswith(".db.gz") else "postgresql"


def restore(golden: Path, place: Place) -> None:
    """`place` is one where nothing is."""
    content = gzip.decompress(golden.read_bytes())
    if isinstance(place, SqlitePlace):
        place.path.write_bytes(content)
        return
    import psycopg

    statements = b"\n".join(line for line in content.splitlines() if not line.startswith(b"\\"))
    with psycopg.connect(place.where) as connection:
        connection.execute(statements)
