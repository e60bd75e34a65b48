"""How much room a long run takes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.events import EventType
from engine.store.store import SqlStore
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Shown, Write
from governance.vocabulary import Fidelity, Producer
from tests.engine.store.making import Run, at
from tests.engine.store.places import SqlitePlace

KILOBYTE = 1024


def activity(run: Run, rng: random.Random) -> None:
    """What a governed activity leaves: its output, a record of it, two summaries, and four events."""
    run.steps += 1
    element, now = f"Activity_{run.steps:04d}", at(run.steps)
    meta = put_meta(run.values, EntryMeta(activity=element, producer=Producer.AGENT, created_at=now, step=run.steps))
    words = " ".join(rng.choice(WORDS) for _ in range(200))
    output = run.values.put(words[: KILOBYTE - 2])
    record = run.values.put({"activity": element, "outputs": {"answer": output}, "decision": words[:60]})
    summary = Shown(Fidelity.SUMMARY, run.values.put(f"[Compressed] {words[:250]}"))
    parents = [run.head] if run.head else []
    writes = {
        f"WORKING/out_{run.steps % 40}": Write(output, meta),
        f"HISTORY/@{run.steps}:{element}": Write(record, meta),
    }
    run.head = run.graph.commit(parents, writes=writes, meta=CommitMeta("activity", element, at=now)).id
    shown = {f"WORKING/out_{run.steps % 40}": summary}
    before, run.head = run.head, run.graph.commit([run.head], shown=shown, meta=CommitMeta("D1", element, at=now)).id
    sizes = {
        "pressure": rng.random(),
        "usage": rng.random(),
        "chars": rng.randint(0, 9999),
        "tokens": rng.randint(0, 999),
    }
    run.log(EventType.D1, band="light", reason=words[:90], before=sizes, after=sizes, snapshot_before=before, passes=1)
    run.log(EventType.ACTIVITY_STARTED, attempt=1)
    run.log(EventType.ATTENTION, score=rng.random(), vector=[rng.random() for _ in range(5)])
    run.log(EventType.ACTIVITY_COMPLETED, head=run.head, outputs={"answer": output})


WORDS = [f"{random.Random(n).getrandbits(n % 30 + 8):x}" for n in range(2000)]
"""Nothing that deflates well: a kilobyte of these words takes 600 bytes."""


@pytest.fixture
def place(path: Path) -> SqlitePlace:
    return SqlitePlace(path)


@pytest.mark.slow
def test_a_thousand_activities_take_less_than_three_megabytes(store: SqlStore, path: Path, run: Run) -> None:
    rng = random.Random(1)
    sizes = {}
    for step in range(1, 1001):
        activity(run, rng)
        store.commit(run.advance())
        if step in (100, 550, 1000):
            assert store.checkpoint_wal()
            sizes[step] = path.stat().st_size
    assert sizes[1000] < 3_000_000
    early, late = (sizes[550] - sizes[100]) / 450, (sizes[1000] - sizes[550]) / 450
    assert late < 1.1 * early
