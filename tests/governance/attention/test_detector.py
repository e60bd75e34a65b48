"""`ContextAttentionDetector` on real contents."""

from __future__ import annotations

import orjson
import pytest

from governance.attention.detector import ContextAttentionDetector
from governance.attention.report import AttentionInputs, AttentionVector, Health
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import CommitMeta, EntryMeta, Shown, Write
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, SuggestedAction


def contents_of(**entries: str) -> tuple[SnapshotGraph, str]:
    """A graph and a snapshot with entries by key, `__` for the slash."""
    graph = SnapshotGraph(ValueStore())
    meta = put_meta(graph.values, EntryMeta())
    writes = {key.replace("__", "/"): Write(graph.values.put(value), meta) for key, value in entries.items()}
    return graph, graph.commit([], writes=writes, meta=CommitMeta("start")).id


def test_an_empty_context_is_healthy() -> None:
    report = ContextAttentionDetector().detect(Contents(), AttentionInputs(working_threshold=12_000))
    assert report.vector == AttentionVector(1, 1, 1, 1, 1)
    assert (report.score, report.health, report.action) == (1, Health.HEALTHY, SuggestedAction.CONTINUE)


def test_the_published_vector() -> None:
    thrice = {"KNOWLEDGE__x": "a", "HISTORY__x": "b", "WORKING__x": "c"}
    graph, head = contents_of(**thrice, **{f"KNOWLEDGE__k{n}": f"{n}" for n in range(7)})
    contents = graph.contents(head)
    threshold = 2 * contents.space("WORKING").totals.chars
    inputs = AttentionInputs(threshold, knowledge=(0.8, 1.0), branches=(9, 10), conflicts=(2, 5))
    report = ContextAttentionDetector().detect(contents, inputs)
    assert report.vector == AttentionVector(0.5, 0.7, 0.8, 0.9, 0.6)
    assert (report.score, report.health, report.action) == (0.675, Health.WATCH, SuggestedAction.LIGHT_COMPRESS)


def test_capacity_counts_what_is_shown_in_the_activity_s_scope() -> None:
    graph, head = contents_of(WORKING__log="x" * 500, **{"WORKING:call@7__log": "y" * 94})
    detector = ContextAttentionDetector()

    def capacity(snapshot: str, scope: str) -> float:
        inputs = AttentionInputs(working_threshold=1_000, scope=scope)
        return detector.detect(graph.contents(snapshot), inputs).vector.capacity

    line = len('log: ""')
    assert capacity(head, "") == pytest.approx(1 - (500 + line) / 1_000)
    assert capacity(head, "call@7") == pytest.approx(1 - (94 + line) / 1_000)
    assert capacity(head, "other") == 1
    lowered = graph.commit([head], shown={"WORKING/log": Shown(Fidelity.ARCHIVED)}, meta=CommitMeta("D1"))
    assert capacity(lowered.id, "") == 1


def test_an_overfull_context_scores_at_least_minus_one_half() -> None:
    graph, head = contents_of(WORKING__log="x" * 10_000)
    report = ContextAttentionDetector().detect(graph.contents(head), AttentionInputs(working_threshold=100))
    assert report.vector.capacity < -90
    assert (report.score, report.action) == (-0.5, SuggestedAction.PAUSE_AND_HUMAN)


def test_a_report_is_json() -> None:
    report = ContextAttentionDetector().detect(Contents(), AttentionInputs(working_threshold=1, branches=(0, 2)))
    assert orjson.loads(orjson.dumps(report.dump())) == {
        "vector": {"capacity": 1.0, "duplication": 1.0, "knowledge": 1.0, "branch": 0.0, "conflict": 1.0},
        "score": 0.85,
        "health": "healthy",
        "action": "CONTINUE",
    }


def test_more_active_branches_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2 is not a share"):
        ContextAttentionDetector().detect(Contents(), AttentionInputs(working_threshold=1, branches=(3, 2)))


def test_the_detector_suggests_actions() -> None:
    assert ContextAttentionDetector().suggest_action(0.675) is SuggestedAction.LIGHT_COMPRESS
