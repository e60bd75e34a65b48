"""Random processes, replayed; then rewound to some snapshot, gone on with, and replayed again."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from engine.evidence.audit import audit
from engine.replay.rewinding import Consent
from governance.vocabulary import InteractionLevel
from tests.engine.random.drawing import Drawing
from tests.engine.random.generator import VARIABLES, process_of
from tests.engine.replay.models import House, house

COUNT = int(os.environ.get("GOVERNOR_RANDOM_PROCESSES", "200")) // 10
FIRST = int(os.environ.get("GOVERNOR_RANDOM_FIRST", "0"))
MOST_STEPS = 25
AGREED = Consent("ops", "to see", level=InteractionLevel.EXPLICIT_APPROVAL)


def go_on(at: House, instance: str, choose: Random) -> None:
    """People do their tasks, in some order, with some outputs."""
    for _ in range(MOST_STEPS):
        items = at.store.work_items(instance=instance)
        if not items:
            return
        at.later(choose.choice([0, 60]))
        outputs = {choose.choice(sorted(VARIABLES)): choose.choice([0, 1, 2, "text", True])}
        at.governor.complete(choose.choice(items).id, outputs, by="ann")


def intact(at: House, instance: str) -> bool:
    log, version = at.store.log, at.store.instance(instance).version
    return audit(instance, log.seals(instance), log.events(instance), version).finding is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_a_random_process_is_replayed_and_rewound(seed: int, tmp_path: Path) -> None:
    choose, source = Random(seed), Drawing().draw(process_of(seed))
    with house(tmp_path / "db") as at:
        instance = at.start(source, VARIABLES)
        go_on(at, instance, choose)
        before = at.same(instance)
        assert before.taken == 0
        snapshots = at.store.snapshots(instance)
        items = {item.id: item for item in at.store.work_items(status=None) if item.status == "completed"}
        at.later()
        at.governor.rewind(instance, choose.choice(snapshots), AGREED)
        at.governor.resume(instance)
        go_on(at, instance, choose)
        at.same(instance)
        assert set(snapshots) <= set(at.store.snapshots(instance)), "nothing is lost"
        now = {item.id: item for item in at.store.work_items(status=None)}
        assert all(now[id] == item for id, item in items.items()), "what people did stays on record"
        assert intact(at, instance)
