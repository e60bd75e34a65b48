"""All our tables together, as they are made on each database system."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Integer, MetaData, String, Text
from sqlmodel import AutoString

from engine.store import access_tables, dispatch_tables, experience_tables  # noqa: F401 - made with the others
from engine.store.tables import Base


def _portable(metadata: MetaData) -> MetaData:
    """PostgreSQL sorts texts as the others do, by code point, and has room for as large numbers."""
    for each in metadata.tables.values():
        for column in each.columns:
            if isinstance(column.type, String | AutoString):
                plain = column.type if isinstance(column.type, Text) else String()  # SQLModel's own takes no variant
                column.type = plain.with_variant(Text(collation="C"), "postgresql")
            elif isinstance(column.type, Integer):
                column.type = column.type.with_variant(BigInteger(), "postgresql")
    return metadata


METADATA: Final = _portable(Base.metadata)


def tell_postgresql() -> None:
    """Let indexes that are of some rows on SQLite be of the same there.

    Not where they are declared: to name the option loads all that SQLAlchemy knows of PostgreSQL.
    """
    for table in METADATA.tables.values():
        for index in table.indexes:
            index.dialect_kwargs["postgresql_where"] = index.dialect_options["sqlite"]["where"]
