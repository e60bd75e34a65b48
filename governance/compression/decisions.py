"""What D1 is asked and what it decides (Design: D1 compress)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from governance.compression.eligibility import Hold
from governance.layers.spaces import space_for
from governance.policy import Policy
from governance.vocabulary import Band, Fidelity, Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class D1Request:
    """What D1 knows of the coming activity or model call.

    `run` is the activity run's id and `scope` the variable scope ("" for the process's own). `query` is the coming
    activity's name, documentation, prompt, data inputs and tool parameters; `inputs` names the variables it declares
    as inputs. `overhead_tokens` is what the prompt has beside entries. `pinned` are the keys that a pending approval
    shows, `lowered` those that already fell in this activity run, `released` names that a person gave free although the
    policy retains them. `band_floor` comes from attention, `asked` is the band a tool asks for, whatever the pressure.
    `texts` are summaries that a model wrote, by key. What the priority weighs beside the query: `scopes` names the
    sub-process or lane of each activity, `path` the records of this path (oldest first), `needs` the tools, data
    objects and types of knowledge of the coming activity. `sealed`: a split hides entries from the branch. `reads`
    names the variables that activities declare as inputs.
    """

    activity: str
    run: str = ""
    branch: str = ""
    scope: str = ""
    policy: Policy = field(default_factory=Policy)
    query: str = ""
    inputs: frozenset[str] = frozenset()
    overhead_tokens: int = 0
    pinned: Collection[str] = frozenset()
    band_floor: Band = Band.NONE
    asked: Band = Band.NONE
    lowered: frozenset[str] = frozenset()
    released: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)
    scopes: Mapping[str, str] = field(default_factory=dict)
    path: Sequence[str] = ()
    needs: frozenset[str] = frozenset()
    sealed: bool = False
    reads: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def working(self) -> str:
        """The space whose size is the pressure."""
        return space_for(Layer.WORKING, self.scope)


class Measure(NamedTuple):
    """`pressure` = `chars` of WORKING shown / threshold; `usage` = `tokens` of the whole prompt / window."""

    pressure: float
    usage: float
    chars: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Change:
    """One entry's fall. Characters are those of its line as shown; an archived entry has none."""

    key: str
    from_: Fidelity
    to: Fidelity
    chars_before: int
    chars_after: int

    def record(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "from": self.from_.name,
            "to": self.to.name,
            "chars_before": self.chars_before,
            "chars_after": self.chars_after,
        }


@dataclass(frozen=True, slots=True)
class Releasable:
    """An entry that compression may not touch, and what keeps it."""

    key: str
    chars: int
    tokens: int
    held_by: Hold


@dataclass(frozen=True, slots=True)
class Overflow:
    """Nothing is left to lower and it still does not fit: a person must release something.

    `retained_overflow`: what is kept fills more than the threshold; `usage_overflow`: the prompt exceeds the window.
    `releasable` lists what could be released, largest first.
    """

    kind: Literal["retained_overflow", "usage_overflow"]
    releasable: tuple[Releasable, ...]

    def record(self) -> dict[str, Any]:
        releasable = [{**asdict(entry), "held_by": entry.held_by.value} for entry in self.releasable]
        return {"kind": self.kind, "releasable": releasable}


@dataclass(frozen=True, slots=True, kw_only=True)
class D1Decision:
    """What D1 did, or would do, and why; `snapshot_before` is the one to go back to.

    `changes` come in the order of their fall. `held` counts the rendered entries that were kept by what kept them.
    `compressed` is true only if the shown size fell. Not compressed, or only evaluated: both snapshots are the same.
    """

    activity: str
    run: str
    branch: str
    band: Band
    reason: str
    before: Measure
    after: Measure
    snapshot_before: str
    snapshot_after: str
    changes: tuple[Change, ...] = ()
    passes: int = 0
    held: Mapping[Hold, int] = field(default_factory=dict)
    compressed: bool = False
    warning: bool = False
    overflow: Overflow | None = None
    decided_by: str = "rules"

    def record(self) -> dict[str, Any]:
        """The decision as a JSON object; fidelities by name, a change's rungs as `from` and `to`."""
        return {
            **asdict(self),
            "band": self.band.value,
            "before": self.before._asdict(),
            "after": self.after._asdict(),
            "held": {hold.value: count for hold, count in self.held.items()},
            "changes": [change.record() for change in self.changes],
            "overflow": self.overflow and self.overflow.record(),
        }
