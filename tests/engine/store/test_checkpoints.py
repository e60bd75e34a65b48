"""Checkpoints are sparse enough to cost little and frequent enough to save reading."""

from __future__ import annotations

import pytest

from engine.store.checkpoints import LEAST, CheckpointPolicy, entries_held, entries_in
from engine.store.store import SqlStore
from tests.engine.store.making import Run


@pytest.mark.parametrize("growing", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("first", [3, 500])
def test_checkpoints_hold_no_more_than_the_commits(growing: float, first: int) -> None:
    policy, committed, size, held, since = CheckpointPolicy(), 0, 0.0, 0, 0
    for step in range(20_000):
        entries = first if step == 0 else 2
        size += entries if step == 0 else entries * growing
        committed, since = committed + entries, since + entries
        if policy.due(entries, int(size)):
            held, since = held + int(size), 0
        assert held <= 2 * committed
        assert since <= LEAST + size
    assert held - size <= committed


def test_a_policy_goes_on_where_it_was(store: SqlStore, run: Run) -> None:
    counted = [0]
    for step in range(200):
        advance = run.step({f"x{step % 50}": step})
        store.commit(advance)
        counted.append(store.instance("abc123").uncheckpointed)
        before = CheckpointPolicy(counted[-2])
        size = len(run.graph.contents(str(run.head)).space("WORKING").rendered)
        assert before.due(entries_in(advance.commits), size) == (advance.checkpoint is not None)
        if advance.checkpoint is not None:
            assert counted[-1] == -entries_held(advance.checkpoint[1]) == -size
    assert min(counted) < 0
