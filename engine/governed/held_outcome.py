"""An outcome that waits for a person, as JSON with its activity run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.activities.work import DeadEndNote, Finding, Outcome
from governance.vocabulary import Producer


def dump_outcome(outcome: Outcome) -> dict[str, Any]:
    """All of it, as `load_outcome` reads it."""
    return {
        "outputs": dict(outcome.outputs),
        "deleted": sorted(outcome.deleted),
        "confidence": outcome.confidence,
        "decision": outcome.decision,
        "problems": list(outcome.problems),
        "tools": list(outcome.tools),
        "findings": [[each.text, each.confidence, each.type] for each in outcome.findings],
        "producer": outcome.producer.value,
        "tokens": [outcome.tokens_assembled, outcome.tokens_ungoverned],
        "head": outcome.head,
        **({} if outcome.zones is None else {"zones": [list(row) for row in outcome.zones]}),
        "outside": outcome.outside,
        "trusted": sorted(outcome.trusted),
        "dead_ends": [list(note) for note in outcome.dead_ends],
    }


def load_outcome(row: Mapping[str, Any]) -> Outcome:
    """What `dump_outcome` was given."""
    notes = row.get("dead_ends", ())
    return Outcome(
        outputs=row["outputs"],
        deleted=frozenset(row["deleted"]),
        confidence=row["confidence"],
        decision=row["decision"],
        problems=tuple(row["problems"]),
        tools=tuple(row["tools"]),
        findings=tuple(Finding(*each) for each in row["findings"]),
        producer=Producer(row["producer"]),
        tokens_assembled=row["tokens"][0],
        tokens_ungoverned=row["tokens"][1],
        head=row["head"],
        zones=row.get("zones"),
        outside=row.get("outside", False),
        trusted=frozenset(row.get("trusted", ())),
        dead_ends=tuple(DeadEndNote(name, value, reason, tuple(done)) for name, value, reason, done in notes),
    )
