"""Where an activity run stands, so that it can go on after a person answered or the process was restarted."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any


class Phase(StrEnum):
    BEFORE = "before"
    """D1 and its gate, before the work."""
    WORKING = "working"
    """A handler or a person does the work."""
    CALL = "call"
    """The work stands before a model call, whose D1 waits for a person, or at a call of a tool that does."""
    OUTPUTS = "outputs"
    """The outputs are there and wait for a person."""
    MERGE = "merge"
    """Branches have come together and a conflict waits for a person."""
    INCIDENT = "incident"
    """Something failed; a retry goes on from `failed_in`."""


@dataclass(slots=True)
class ActivityRun:
    """One run of an activity, or one activation of a join.

    `visit` counts the runs of the element in the instance, from 1, and `attempt` those of this run. `holds` are the
    open interventions it waits for, `asked` what has been asked already (once per run), `lowered` the keys that D1
    lowered in this run, `released` the retained names a person gave free, `refused`
    the keys whose compression a person refused. `outcome` is the value hash of a held outcome,
    `feedback` why a person sent the last one back. `heads` are the (branch, snapshot) pairs of a held merge.
    `chain` is what a model is thinking about for the run, `chained` what it has thought about already, `texts` and
    `proposals` what came of it: summaries by key, and what to take in a merge by conflict.
    `asks` are the interventions by the tool call that asked them in this attempt, `answers` what people said to those,
    `told` the calls that people were told of, `learned` those whose ends the guards know, `noted` how many events of an
    attempt that waits are in the log already.
    `calls` are the heads [before, after] D1 at each model call of this attempt; `anew`: an answer changed what D1 may
    do, it looks again. `writes` counts the calls with a write effect that the instance made before it, `effects`
    those of its own tools; `refusal` is the dead end that an agent's last outputs repeated, the `refusals`-th in this
    run. `known` is what this attempt was told of dead ends and skills, `charged` are its model calls that were paid,
    `thoughts` those that governance made for it, `spent` what the run used, and `raised` how often its budget was.
    `looked_up`: knowledge was sought;
    `injected` are the items brought in for this run, `offered` those that a model was shown, `cited` those it drew on,
    `renewed` the heads [before, after] each PRECISE re-injection. `pressure` and `usage` are what D1 measured last.
    """

    started_at: str
    phase: Phase = Phase.BEFORE
    attempt: int = 1
    visit: int = 0
    holds: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    lowered: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    outcome: str | None = None
    feedback: str | None = None
    failed_in: Phase | None = None
    error: str | None = None
    error_kind: str | None = None
    heads: list[list[str]] = field(default_factory=list)
    calls: list[list[str]] = field(default_factory=list)
    anew: bool = False
    writes: int = 0
    effects: int = 0
    known: dict[str, Any] | None = None
    refusals: int = 0
    charged: int = 0
    thoughts: list[str] = field(default_factory=list)
    spent: list[Any] = field(default_factory=list)
    raised: dict[str, int] = field(default_factory=dict)
    refusal: str | None = None
    chain: str | None = None
    chained: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    proposals: dict[str, list[Any]] = field(default_factory=dict)
    asks: dict[str, str] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    learned: list[str] = field(default_factory=list)
    noted: int = 0
    looked_up: bool = False
    injected: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    cited: list[str] = field(default_factory=list)
    renewed: list[list[str]] = field(default_factory=list)
    pressure: float = 0.0
    usage: float = 0.0

    def try_again(self) -> None:
        """One more attempt: its model calls are made anew."""
        self.attempt += 1
        self.charged = 0
        self.thoughts.clear()
        self.known = None
        self.calls.clear()
        self.asks.clear()
        self.answers.clear()
        self.told.clear()
        self.learned.clear()
        self.anew, self.noted = False, 0

    def dump(self) -> dict[str, Any]:
        """Only what differs from a fresh run, to keep saved rows small; to be written down, for it is the run's own."""
        return {name: value for name, fresh in _FRESH if (value := getattr(self, name)) != fresh}

    @classmethod
    def load(cls, row: dict[str, Any]) -> ActivityRun:
        run = cls(**{"started_at": "", **row})
        run.phase = Phase(run.phase)
        run.failed_in = None if run.failed_in is None else Phase(run.failed_in)
        return run


_FRESH = tuple((each.name, getattr(ActivityRun(""), each.name)) for each in fields(ActivityRun))
