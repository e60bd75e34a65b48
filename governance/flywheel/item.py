"""An item of knowledge: what it says, where it comes from, how sure it is, where it helped (Design: flywheel)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from governance.snapshots.canonical import canonical, digest


class SourceKind(StrEnum):
    """What kind of thing an item was taken from."""

    DESIGNER = "designer"
    PERSON = "person"
    DOCUMENT = "document"
    SERVICE = "service"
    FINDING = "finding"
    """Found by a model while it did an activity."""
    WEB = "web"


TAINTED: Final = frozenset({SourceKind.SERVICE, SourceKind.FINDING, SourceKind.WEB})
"""Sources that are not the organisation's own, so that what they say is never trusted as an instruction."""


class Standing(StrEnum):
    """What an item may be used for. Items leave use; they are never deleted."""

    USABLE = "usable"
    TO_VERIFY = "to_verify"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    RETIRED = "retired"

    @property
    def in_use(self) -> bool:
        return self in (Standing.USABLE, Standing.TO_VERIFY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where an item comes from: `source` names the document, person or activity, `place` where in it.

    `origins` are the ids of the items that a finding was made from.
    """

    kind: SourceKind
    source: str
    place: str = ""
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeItem:
    """One item. Times are fixed-width UTC timestamps.

    `helped` and `misled` count per activity how often it was cited, and how often it was offered in vain.
    """

    id: str
    type: str
    text: str
    provenance: Provenance
    confidence: float
    standing: Standing
    created_at: str
    updated_at: str
    title: str = ""
    expires_at: str | None = None
    superseded_by: str | None = None
    confirmed_by: str | None = None
    why: str = ""
    """Why it left use."""
    helped: Mapping[str, int] = field(default_factory=dict)
    misled: Mapping[str, int] = field(default_factory=dict)

    @property
    def citations(self) -> int:
        return sum(self.helped.values())

    def has_expired(self, at: str) -> bool:
        """Whether it may not be used any more at a time ("" is none)."""
        return self.expires_at is not None and bool(at) and self.expires_at <= at

    @property
    def tainted(self) -> bool:
        return self.provenance.kind in TAINTED and self.confirmed_by is None

    def dump(self) -> dict[str, Any]:
        """JSON-able; fields at their default are left out."""
        row = {key: value for key, value in asdict(self).items() if value not in (None, "", {}, ())}
        row["provenance"] = {key: value for key, value in row["provenance"].items() if value not in ("", ())}
        return row

    @classmethod
    def load(cls, row: Mapping[str, Any]) -> KnowledgeItem:
        """What `dump` wrote."""
        origin = dict(row["provenance"])
        origin |= {"kind": SourceKind(origin["kind"]), "origins": tuple(origin.get("origins", ()))}
        return cls(**{**row, "provenance": Provenance(**origin), "standing": Standing(row["standing"])})

    def marked(self, standing: Standing, at: str, why: str = "", superseded_by: str | None = None) -> KnowledgeItem:
        """The same, out of use (or in it again)."""
        return replace(self, standing=standing, updated_at=at, why=why, superseded_by=superseded_by)


def item_id(type: str, text: str, provenance: Provenance) -> str:
    """The id of what a source says; where in the source it stands may change."""
    of = [type, text, str(provenance.kind), provenance.source]
    return f"k-{digest(canonical(of))[:12]}"
