"""History: records, and their grades by distance on the path (three in full, five as summaries, then decisions)."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from governance.compression.rungs import MARK
from governance.layers.history import ActivityRecord, HistoryGrading, interleaved
from governance.layers.manager import ContextLayerManager
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Shown
from governance.snapshots.render import render_value
from governance.vocabulary import Fidelity, Layer, Producer
from tests.governance.layers.contexts import LATER, START, FirstWords, a_graph, item_at, meta_at, started

FULL, SUMMARY, KEY_ONLY, ARCHIVED = Fidelity.FULL, Fidelity.SUMMARY, Fidelity.KEY_ONLY, Fidelity.ARCHIVED


def at(second: int) -> str:
    return START.replace(":00.", f":{second:02}.")


def run(
    manager: ContextLayerManager, graph: SnapshotGraph, grading: HistoryGrading, records: list[ActivityRecord]
) -> tuple[str, ...]:
    recent: tuple[str, ...] = ()
    for second, record in enumerate(records):
        recent = manager.move_to_history(record, recent, grading)
        manager.commit("activity", record.activity, at(second))
    return recent


def grades(graph: SnapshotGraph, head: str) -> dict[str, Fidelity]:
    """Fidelity by record name, oldest record first."""
    items = dict(graph.contents(head).items("HISTORY"))
    return {name: items[name].fidelity for name in interleaved(graph.values, graph.contents(head), [list(items)])}


def shown_text(graph: SnapshotGraph, head: str, name: str) -> str:
    return render_value(graph.values, f"HISTORY/{name}", item_at(graph, head, f"HISTORY/{name}"))


def test_a_record_leaves_out_what_is_absent() -> None:
    assert ActivityRecord("triage").dump() == {"activity": "triage"}
    whole = ActivityRecord("t", "Triage", {"a": "h1"}, {"b": "h2"}, "major", ("grep",), 0.0, 0.9, 0.5)
    assert whole.dump() == {
        "activity": "t",
        "name": "Triage",
        "inputs": {"a": "h1"},
        "outputs": {"b": "h2"},
        "decision": "major",
        "tools": ["grep"],
        "duration": 0.0,
        "confidence": 0.9,
        "alignment": 0.5,
    }


def test_a_record_in_memory_has_its_names_in_the_order_of_a_stored_one() -> None:
    hashes = {"z": "h1", "a": "h2"}
    whole = ActivityRecord("t", "Triage", hashes, hashes, "major", ("grep",), 0.0, 0.9, 0.5).dump()
    assert json.dumps(whole) == json.dumps(whole, sort_keys=True)


def test_a_record_is_named_by_branch_step_and_activity() -> None:
    graph = a_graph()
    manager = started(graph, {}, branch="fork/2")
    recent = run(manager, graph, HistoryGrading(graph.values, FirstWords()), [ActivityRecord("t", confidence=0.4)] * 2)
    assert recent == ("fork/2@1:t", "fork/2@2:t")
    assert meta_at(graph, manager.head, "HISTORY/fork/2@2:t").confidence == 0.4
    assert meta_at(graph, manager.head, "HISTORY/fork/2@2:t").activity == "t"


@given(st.lists(st.booleans(), max_size=14), st.booleans())
def test_grades_by_distance(decided: list[bool], long: bool) -> None:
    graph = a_graph()
    manager = ContextLayerManager(graph)
    output = graph.values.put("word " * 200 if long else "ok")
    records = [
        ActivityRecord(f"a{number}", outputs={"o": output}, decision="go" if yes else None)
        for number, yes in enumerate(decided)
    ]
    recent = run(manager, graph, HistoryGrading(graph.values, FirstWords()), records)
    expected = [
        FULL if distance <= 3 else SUMMARY if distance <= 8 else KEY_ONLY if yes else ARCHIVED
        for distance, yes in reversed(list(enumerate(reversed(decided), start=1)))
    ]
    assert list(grades(graph, manager.head).values()) == expected if decided else recent == ()
    assert len(recent) == min(len(decided), 8)


def test_a_completion_regrades_two_records_at_most() -> None:
    graph = a_graph()
    manager = ContextLayerManager(graph)
    run(manager, graph, HistoryGrading(graph.values, FirstWords()), [ActivityRecord(f"a{n}") for n in range(30)])
    assert all(len(commit.shown) <= 2 and len(commit.writes) == 1 for commit in graph.drain())


def test_a_summary_is_marked_and_at_most_30_percent() -> None:
    graph = a_graph()
    output = graph.values.put("the pool ran dry " * 60)
    record = ActivityRecord("dig", "Dig", outputs={"cause": output}, decision="restart")
    words = FirstWords()
    manager = ContextLayerManager(graph)
    run(manager, graph, HistoryGrading(graph.values, words), [record, *[ActivityRecord(f"a{n}") for n in range(3)]])
    item = item_at(graph, manager.head, "HISTORY/@1:dig")
    full = render_value(graph.values, "HISTORY/@1:dig", type(item)(item.value, item.meta))
    text = shown_text(graph, manager.head, "@1:dig")
    assert item.fidelity is SUMMARY
    assert text.startswith(MARK)
    assert len(f"@1:dig: {text}") <= 0.3 * len(f"@1:dig: {full}")
    assert "the pool ran dry" in text, "the summariser reads the outputs, not their hashes"
    assert words.calls == 1


def test_short_records_need_no_summariser() -> None:
    graph = a_graph()
    output = graph.values.put({"severity": "high"})
    records = [
        ActivityRecord("plain", "Plain"),
        ActivityRecord("out", outputs={"result": output}),
        ActivityRecord("gate", decision="x" * 100),
        *[ActivityRecord(f"a{n}") for n in range(3)],
    ]
    words = FirstWords()
    manager = ContextLayerManager(graph)
    run(manager, graph, HistoryGrading(graph.values, words), records)
    texts = [shown_text(graph, manager.head, name) for name in ("@1:plain", "@2:out", "@3:gate")]
    assert texts == [MARK + "Plain", MARK + 'result={"severity":"high"}', MARK + "x" * 79 + "…"]
    assert words.calls == 0


def test_an_old_decision_is_shown_in_80_characters() -> None:
    graph = a_graph()
    manager = ContextLayerManager(graph)
    record = ActivityRecord("gate", decision="because " * 30)
    run(
        manager,
        graph,
        HistoryGrading(graph.values, FirstWords()),
        [record, *[ActivityRecord(f"a{n}") for n in range(8)]],
    )
    assert item_at(graph, manager.head, "HISTORY/@1:gate").fidelity is KEY_ONLY
    assert shown_text(graph, manager.head, "@1:gate") == ("because " * 30)[:79] + "…"


def test_another_branch_that_grades_the_same_record_asks_nobody_again() -> None:
    graph = a_graph()
    words = FirstWords()
    grading = HistoryGrading(graph.values, words)
    manager = ContextLayerManager(graph)
    big = ActivityRecord("dig", outputs={"o": graph.values.put("word " * 200)})
    recent = run(manager, graph, grading, [big, ActivityRecord("b"), ActivityRecord("c")])
    for branch in ("left", "right"):
        side = ContextLayerManager(graph, manager.head, branch=branch)
        side.move_to_history(ActivityRecord("d"), recent, grading)
        side.commit("activity", "d", LATER)
        assert item_at(graph, side.head, "HISTORY/@1:dig").fidelity is SUMMARY
    assert words.calls == 1


def test_grading_only_lowers() -> None:
    graph = a_graph()
    grading = HistoryGrading(graph.values, FirstWords())
    manager = ContextLayerManager(graph)
    recent = run(manager, graph, grading, [ActivityRecord("a", decision="go"), ActivityRecord("b")])
    manager.commit("D1", "c", at(10), shown={"HISTORY/@1:a": Shown(ARCHIVED)})
    for second in range(11, 20):
        recent = manager.move_to_history(ActivityRecord("c"), recent, grading)
        manager.commit("activity", "c", at(second))
    assert item_at(graph, manager.head, "HISTORY/@1:a").fidelity is ARCHIVED


def test_after_a_join_the_records_of_both_branches_count_by_time() -> None:
    graph = a_graph()
    grading = HistoryGrading(graph.values, FirstWords())
    manager = ContextLayerManager(graph)
    recent = run(manager, graph, grading, [ActivityRecord("before")])
    sides = {}
    for offset, branch in enumerate(("left", "right")):
        side = ContextLayerManager(graph, manager.head, branch=branch)
        path = recent
        for number in range(3):
            path = side.move_to_history(ActivityRecord(f"{branch}{number}"), path, grading)
            side.commit("activity", f"{branch}{number}", at(1 + 2 * number + offset))
        sides[branch] = (side, path)
    (left, left_path), (right, right_path) = sides.values()
    right_writes = {
        key: write for snapshot in (*graph.log(right.head),) for key, write in snapshot.writes.items() if "right" in key
    }
    joined = graph.commit([left.head, right.head], carry=right_writes, meta=graph.get(left.head).meta)
    manager = ContextLayerManager(graph, joined.id)
    merged = interleaved(graph.values, graph.contents(joined.id), [left_path, right_path])
    assert [name.partition(":")[2] for name in merged] == [
        "before",
        "left0",
        "right0",
        "left1",
        "right1",
        "left2",
        "right2",
    ]
    manager.move_to_history(ActivityRecord("after"), merged, grading, after_join=True)
    manager.commit("activity", "after", at(20))
    assert list(grades(graph, manager.head).values()) == [SUMMARY] * 5 + [FULL] * 3


def test_interleaving_breaks_ties_by_generation_and_branch_number() -> None:
    graph = a_graph()
    manager = ContextLayerManager(graph)
    for name in ("b10@2:x", "b2@2:x", "b9@1:x"):
        manager.write(Layer.HISTORY, name, {"activity": "x"}, producer=Producer.ENGINE)
    manager.commit("activity", "x", START)
    paths = [["b10@2:x", "b2@2:x"], ["b9@1:x", "gone@1:x"]]
    assert interleaved(graph.values, graph.contents(manager.head), paths) == ("b9@1:x", "b2@2:x", "b10@2:x")
