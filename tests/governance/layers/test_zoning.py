"""`ContextZones`: how much a model is shown of the records of a path."""

from __future__ import annotations

from typing import Any

from governance.cda.settings import CdaSettings
from governance.compression.decisions import D1Request
from governance.layers.history import ActivityRecord, HistoryGrading
from governance.layers.manager import ContextLayerManager
from governance.layers.zoning import ContextZones, Zoned
from governance.policy import Policy
from governance.snapshots.contents import Contents
from governance.snapshots.model import Shown, key_of
from governance.vocabulary import Fidelity, Layer, Zones
from tests.governance.layers.contexts import LATER, FirstWords, a_graph, started

FULL, SUMMARY, KEY_ONLY, ARCHIVED = Fidelity.FULL, Fidelity.SUMMARY, Fidelity.KEY_ONLY, Fidelity.ARCHIVED

_ASKED = "pump valve motor gasket rotor "


class Walk:
    """A path of activities, each of which wrote a text; `zones` graded nothing yet."""

    def __init__(self, settings: CdaSettings | None = None) -> None:
        self.graph = a_graph()
        self.context = started(self.graph, {})
        self.path: tuple[str, ...] = ()
        words = FirstWords()
        self.zones = ContextZones(self.graph, words, HistoryGrading(self.graph.values, words), settings)

    def did(self, activity: str, text: str, wrote: str = "x", shown: Shown | None = None) -> str:
        """The key of the activity's record."""
        record = ActivityRecord(activity, outputs={wrote: self.graph.values.put(text)})
        self.path = self.context.move_to_history(record, self.path, None)
        key = key_of(Layer.HISTORY, self.path[-1])
        self.context.commit("activity", activity, LATER, shown={} if shown is None else {key: shown})
        return key

    def graded(self, filtered: frozenset[str] = frozenset(), **more: Any) -> Zoned:
        request = D1Request(activity="ask", policy=Policy(zones=Zones.ON), query=_ASKED, path=self.path, **more)
        return self.zones.assemble(self.context.head, request, (), LATER, filtered)

    def contents(self, zoned: Zoned) -> Contents:
        return self.graph.contents(zoned.after)


def fidelities(contents: Contents, *keys: str) -> list[Fidelity]:
    found = [contents.item(key) for key in keys]
    return [item.fidelity for item in found if item is not None]


def test_of_the_end_of_the_path_what_is_short_is_shown_in_full_and_what_is_long_as_a_summary() -> None:
    walk = Walk()
    first, long, short, last = (
        walk.did(name, "a violin " * words) for name, words in (("a", 10), ("b", 100), ("c", 40), ("d", 10))
    )
    found = walk.contents(walk.graded())
    assert fidelities(found, first, long, short, last) == [KEY_ONLY, SUMMARY, FULL, FULL]


def test_how_short_it_has_to_be_is_a_setting() -> None:
    walk = Walk(settings=CdaSettings(path_whole_chars=300))
    keys = [walk.did(name, "a violin " * words) for name, words in (("a", 10), ("b", 40), ("c", 10))]
    assert fidelities(walk.contents(walk.graded()), *keys) == [FULL, SUMMARY, FULL]


def test_the_end_of_a_path_that_failed_is_not_shown_in_full() -> None:
    walk = Walk()
    failed, other = walk.did("a", "a violin " * 10), walk.did("b", "a violin " * 10)
    assert fidelities(walk.contents(walk.graded(filtered=frozenset({failed}))), failed, other) == [KEY_ONLY, FULL]


def test_what_d1_lowered_in_this_activity_is_not_raised_at_the_end_of_the_path() -> None:
    walk = Walk()
    key = walk.did("a", "a violin " * 10, shown=Shown(KEY_ONLY, walk.graph.values.put("a")))
    assert fidelities(walk.contents(walk.graded(lowered=frozenset({key}))), key) == [KEY_ONLY]
    assert fidelities(walk.contents(walk.graded()), key) == [FULL]


def test_what_one_branch_had_archived_before_its_first_call_is_found_though_another_was_graded_already() -> None:
    walk = Walk()
    base = walk.context.head
    walk.did("a", "a violin " * 10)
    walk.graded()
    walk.context, walk.path = ContextLayerManager(walk.graph, base, branch="/split:2.2"), ()
    pump = walk.did("p", _ASKED * 10, shown=Shown(ARCHIVED))
    for each in "qrs":
        walk.did(each, "a violin " * 100)
    assert fidelities(walk.contents(walk.graded()), pump) == [FULL]


def test_the_writer_that_a_kept_record_came_from_is_the_last_one_in_its_own_context() -> None:
    walk = Walk()
    old = walk.did("old", "a violin " * 100, wrote="sound")
    base, path = walk.context.head, walk.path
    elsewhere = walk.did("elsewhere", "a violin " * 100, wrote="sound")
    walk.graded()
    walk.context, walk.path = ContextLayerManager(walk.graph, base, branch="/split:2.2"), path
    walk.did("between", "a garden " * 100)
    reader = walk.did("reader", _ASKED * 10)
    for each in "qrs":
        walk.did(each, "a garden " * 100)
    found = walk.contents(walk.graded(reads={"reader": frozenset({"sound"})}))
    assert fidelities(found, reader, old) == [FULL, SUMMARY]
    assert found.item(elsewhere) is None


def test_without_a_kept_reader_its_writer_is_not_shown() -> None:
    walk = Walk()
    old = walk.did("old", "a violin " * 100, wrote="sound")
    walk.did("reader", _ASKED * 10)
    for each in "qrs":
        walk.did(each, "a garden " * 100)
    assert fidelities(walk.contents(walk.graded()), old) == [KEY_ONLY]
