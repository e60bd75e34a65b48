"""The words of governance, as enums: one spelling for code, XML, tables, CLI and docs."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from functools import cache


class Layer(StrEnum):
    """The six layers of a context, outermost first (Design: the six layers)."""

    SYSTEM = "SYSTEM"
    PROCESS = "PROCESS"
    KNOWLEDGE = "KNOWLEDGE"
    HISTORY = "HISTORY"
    WORKING = "WORKING"
    EPHEMERAL = "EPHEMERAL"


class Fidelity(IntEnum):
    """How much of an entry a model is shown; a higher number shows more (Design: entries)."""

    ARCHIVED = 0
    KEY_ONLY = 1
    SUMMARY = 2
    FULL = 3


class CompressStrategy(StrEnum):
    """The rung that a medium compression lowers entries to."""

    SUMMARY = "SUMMARY"
    AGGRESSIVE = "AGGRESSIVE"
    ARCHIVE = "ARCHIVE"

    @property
    def rung(self) -> Fidelity:
        return _RUNGS[self]


_RUNGS = {
    CompressStrategy.SUMMARY: Fidelity.SUMMARY,
    CompressStrategy.AGGRESSIVE: Fidelity.KEY_ONLY,
    CompressStrategy.ARCHIVE: Fidelity.ARCHIVED,
}


class Zones(StrEnum):
    """Whether zones grade what models are shown of HISTORY and KNOWLEDGE."""

    AUTO = "auto"
    """Where a context is large or long."""
    ON = "on"
    OFF = "off"


class RiskClass(StrEnum):
    """How much harm an activity can do when it goes wrong, mildest first; after the classes of the EU AI Act."""

    MINIMAL = "minimal"
    LIMITED = "limited"
    HIGH = "high"
    UNACCEPTABLE = "unacceptable"


class QtsPreset(StrEnum):
    """What counts how much in scoring an entry, by kind of work (Design: CDA, QTS)."""

    DEFAULT = "default"
    CODE = "code"
    DIAGNOSIS = "diagnosis"
    RESEARCH = "research"
    """Answers that are found along chains of names. Not in the sources; measured on multi-hop questions."""


class SplitStrategy(StrEnum):
    """What the agents of a branch see of the context before the split (Design: D2 split)."""

    INHERIT_ALL = "INHERIT_ALL"
    INHERIT_RETAINED = "INHERIT_RETAINED"
    ISOLATED = "ISOLATED"


class MergeStrategy(StrEnum):
    """How a key with several surviving writes is settled at a join (Design: D3 merge)."""

    LAST_WRITE = "LAST_WRITE"
    HIGHEST_CONFIDENCE = "HIGHEST_CONFIDENCE"
    HUMAN = "HUMAN"
    MODEL = "MODEL"
    SUM = "SUM"
    APPEND = "APPEND"
    UNION = "UNION"
    MIN = "MIN"
    MAX = "MAX"

    @property
    def is_reducer(self) -> bool:
        """Reducers fold every write since the base instead of choosing one."""
        return self in _REDUCERS


_REDUCERS = frozenset(
    {MergeStrategy.SUM, MergeStrategy.APPEND, MergeStrategy.UNION, MergeStrategy.MIN, MergeStrategy.MAX}
)


class _Ordered(StrEnum):
    """A string enum whose members compare by the order they are declared in."""

    @property
    def rank(self) -> int:
        return _rank(self)

    def at_least(self, other: _Ordered) -> bool:
        return self.rank >= other.rank


@cache
def _rank(member: _Ordered) -> int:
    return list(type(member)).index(member)


class InteractionLevel(_Ordered):
    """How far a person is involved, lowest first (Design: the human loop)."""

    AUTO_ALLOW = "AUTO_ALLOW"
    MICRO_SUGGESTION = "MICRO_SUGGESTION"
    DIFF_PREVIEW = "DIFF_PREVIEW"
    EXPLICIT_APPROVAL = "EXPLICIT_APPROVAL"
    AUTO_DENY = "AUTO_DENY"

    @property
    def blocks(self) -> bool:
        """Whether the token waits for an answer at this level."""
        return self in (InteractionLevel.DIFF_PREVIEW, InteractionLevel.EXPLICIT_APPROVAL)


class Trigger(StrEnum):
    """What raised an intervention."""

    DESIGN_TIME = "DESIGN_TIME"
    RUNTIME = "RUNTIME"
    QUALITY = "QUALITY"
    CONFLICT = "CONFLICT"


class Band(_Ordered):
    """How hard D1 compresses, gentlest first."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    FORCED = "forced"


class SuggestedAction(_Ordered):
    """What an attention score asks for, from calm to emergency (Design: attention)."""

    CONTINUE = "CONTINUE"
    LIGHT_COMPRESS = "LIGHT_COMPRESS"
    MODERATE_COMPRESS = "MODERATE_COMPRESS"
    FORCED_COMPRESS_AND_HUMAN = "FORCED_COMPRESS_AND_HUMAN"
    PAUSE_AND_HUMAN = "PAUSE_AND_HUMAN"


class Effect(_Ordered):
    """What a tool does to the world outside, mildest first."""

    READ = "read"
    WRITE = "write"
    IRREVERSIBLE = "irreversible"


class Producer(StrEnum):
    """Who wrote an entry."""

    ENGINE = "engine"
    AGENT = "agent"
    HUMAN = "human"
    RETRIEVAL = "retrieval"
    DESIGNER = "designer"
    SERVICE = "service"
    SCRIPT = "script"
