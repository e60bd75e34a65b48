"""The six calls of the memory, and what it promises about them (Design: CDA, API)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.cda.embedding import HashingEmbedding, Vector, VectorIndex
from governance.cda.entry import text_of
from governance.cda.errors import BadMessage, BrokenJournal, UnknownEntry
from governance.cda.experience.model import Skill
from governance.cda.journal import FileJournal
from governance.cda.memory import CdaMemory
from governance.cda.phases import Phase
from governance.cda.settings import CdaSettings
from governance.cda.state import AssembledContext
from governance.similarity.dense import DenseIndex
from governance.similarity.vectors import TextVector
from governance.tokens import EstimatingCounter
from tests.governance.cda.memories import TenEach, filled, memory, shown_ids, talk, text, tokens_of


def test_an_empty_memory_passes_on_nothing() -> None:
    context = memory().assemble_context("anything", 1_000)
    assert context.messages == []
    assert context.metadata["mode"] == "passthrough"
    assert context.metadata["phase"] == Phase.BOOTSTRAP


def test_a_cold_start_tells_of_hot_dead_ends() -> None:
    found = memory()
    found.register_dead_end({"tool": "search", "arguments": {"q": "ledger"}}, "the index is empty")
    (message,) = found.assemble_context("find the ledger", 1_000).messages
    assert "search" in message["content"]
    assert "the index is empty" in message["content"]


def skill(id: str, *evidence: str) -> Skill:
    steps = {"steps": [f"do as {id} says"]}
    return Skill.model_validate({"id": id, "preconditions": {"evidence": evidence}, "execution_pattern": steps})


def test_a_cold_start_tells_of_skills_and_later_contexts_of_those_of_use() -> None:
    known = [skill("a", "ledger"), skill("b", "tool:search"), skill("c", "harbour")]
    found = memory(skills=known)
    start = text(found.assemble_context("find the ledger", 1_000))
    assert all(each.line() in start for each in known)
    found.append_turn(talk(1))
    later = text(found.assemble_context("find the ledger", 1_000, tools=["search query"]))
    assert [each.line() in later for each in known] == [True, True, False]


def test_what_is_preloaded_takes_the_place_of_what_was_known_also_after_a_restart(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "memory.jsonl")
    found = memory(skills=[skill("a", "ledger")], journal=journal)
    for id in "cb":
        found.preload([skill(id, "ledger")])
    for each in (found, memory(skills=[skill("a", "ledger")], journal=journal)):
        assert each.skills == (skill("b", "ledger"),)
        assert skill("b", "ledger").line() in text(each.assemble_context("find the ledger", 1_000))


def test_what_a_start_tells_is_in_the_room() -> None:
    found = memory(skills=[skill(name * 40, "ledger") for name in "abc"])
    for room in (0, 5, 20, 60, 100):
        assert found.assemble_context("ledger", room).metadata["tokens"] <= room


@given(st.integers(0, 200), st.integers(0, 6))
def test_everything_is_passed_on_only_with_the_lines_that_come_first(room: int, count: int) -> None:
    found = filled(count, skills=[skill("a", "ledger"), skill("b", "ledger")])
    context = found.assemble_context("the ledger", room)
    assert context.metadata["tokens"] <= room


def test_what_fits_is_passed_on_as_it_is() -> None:
    found = filled(6)
    context = found.assemble_context("amber", 1_000)
    assert [message["content"] for message in context.messages] == [message["content"] for message in talk(6)]
    assert context.metadata["mode"] == "passthrough"


def test_what_does_not_fit_is_chosen_by_what_is_asked() -> None:
    context = filled(200).assemble_context("what is number 37 times 41 at the fjord?", 300)
    assert tokens_of(context) <= 300
    assert context.metadata["mode"] == "assembled"
    assert "e41" not in shown_ids(context) or "fjord" in text(context)
    assert text(context).count("fjord") >= 4


def test_messages_come_in_the_order_of_their_coming() -> None:
    ids = shown_ids(filled(200).assemble_context("fjord and oasis", 300))
    assert list(ids) == sorted(ids, key=lambda id: int(id[1:]))


def test_the_last_entries_are_there() -> None:
    ids = shown_ids(filled(200).assemble_context("amber", 1_000))
    assert {"e197", "e198", "e199"} <= set(ids)


def test_retained_entries_are_always_there() -> None:
    found = filled(200)
    assert "e100" in shown_ids(found.assemble_context("amber", 200, retained=["e100"]), "FULL")
    with pytest.raises(UnknownEntry, match="session s: no entry e999"):
        found.assemble_context("amber", 200, retained=["e999"])


def test_zones_switch_on_with_usage_or_turns() -> None:
    assert not filled(50).switched_on
    assert filled(51).switched_on
    assert filled(10, {"window_tokens": 300}).switched_on
    assert filled(1, {"zones": "on"}).switched_on
    assert not filled(60, {"zones": "off"}).switched_on


@pytest.mark.parametrize(("window", "compacted"), [(100, False), (99, True)])
def test_a_turn_that_ends_above_red_and_not_at_it_is_followed_by_a_compaction(window: int, compacted: bool) -> None:
    found = memory({"window_tokens": window, "red": 0.5, "yellow": 0.5}, counter=TenEach())
    for message in talk(5):
        found.append_turn([message])
    assert any(each.to is Phase.COMPACT for each in found.transitions) is compacted


def test_zones_switch_on_at_a_fifth_of_the_window() -> None:
    tokens = round(filled(10, {"window_tokens": 1_000}).usage * 1_000)
    assert filled(10, {"window_tokens": 5 * tokens}).switched_on
    assert not filled(10, {"window_tokens": 5 * tokens + 1}).switched_on


def test_without_filling_zones_alone_decide() -> None:
    context = filled(200, {"fill": False}).assemble_context("fjord", 100_000)
    assert context.metadata["mode"] == "assembled"
    assert set(shown_ids(context, "FULL")) < set(shown_ids(filled(200).assemble_context("fjord", 100_000)))


def test_what_was_kept_for_an_earlier_query_is_not_before_what_fits_this_one_better() -> None:
    found = filled(30, {"zones": "on", "path_kept": 0})
    for id, content in (("mended", "mended by the Lindqvist firm"), ("lifted", "lifted turbine blades for Oslo")):
        found.append_turn([{"role": "user", "content": f"The harbour crane {content}.", "id": id}])
        for each in talk(20, len(found)):
            found.append_turn([each])
    assert shown_ids(found.assemble_context("the crane and the Lindqvist firm", 14)) == ["mended"]
    assert shown_ids(found.assemble_context("harbour crane Oslo", 14)) == ["lifted"]


def test_a_text_said_again_is_shown_once() -> None:
    found = memory()
    for _ in range(30):
        found.append_turn([{"role": "user", "content": "The fjord is number seven, as before."}])
    assert text(found.assemble_context("fjord", 120)).count("number seven") == 1


def test_a_call_and_its_result_are_never_torn_apart() -> None:
    found = memory()
    for at in range(40):
        call = {"id": f"c{at}", "type": "function", "function": {"name": "look", "arguments": f'{{"at": {at}}}'}}
        result = f"At {at} there is {'sand and stone ' * 9}."
        found.append_turn([
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{at}", "content": result},
        ])  # fmt: skip
    for query, room in (("sand at 7", 90), ("stone at 12 and 13", 300), ("look", 700)):
        messages = found.assemble_context(query, room).messages
        called = [call["id"] for message in messages for call in message.get("tool_calls", ())]
        answered = [message["tool_call_id"] for message in messages if message.get("role") == "tool"]
        assert sorted(called) == sorted(answered)
        assert all(called.index(id) <= answered.index(id) for id in answered)


def test_compact_writes_what_assemble_reads() -> None:
    found = filled(200)
    found.assemble_context("fjord", 300)
    done = found.compact("aggressive")
    assert done.compacted
    assert done.tokens_after < done.tokens_before
    left = {entry.id for entry in found.items()}
    assert len(left) < 200
    for query in ("fjord", "number 37", "oasis near the ridge"):
        assert set(shown_ids(found.assemble_context(query, 5_000))) <= left


def test_a_call_stays_whole_as_long_as_its_result_is_at_the_end_of_the_path() -> None:
    found = filled(20)
    call = {"id": "c1", "function": {"name": "look", "arguments": "{}"}}
    found.append_turn([{"role": "assistant", "id": "call", "content": "I look. " * 40, "tool_calls": [call]}])
    for message in talk(4, 20):
        found.append_turn([message])
    found.append_turn([{"role": "tool", "id": "result", "tool_call_id": "c1", "content": "seen"}])
    assert found.compact("aggressive").compacted
    kept = {entry.id for entry in found.items()}
    assert {"call", "result"} <= kept
    assert "e3" not in kept


def test_edges_are_there_still_after_a_compaction() -> None:
    found = memory()
    for at, message in enumerate(talk(120)):
        found.append_turn([{**message, "content": f"{message['content']} {'It went on as before. ' * 9}"}])
        if at == 90:
            found.append_turn([{"role": "user", "content": "The gate is shut.", "id": "gate", "causes": ["e7"]}])
    found.assemble_context("Why?", 300)
    assert found.compact("aggressive").compacted
    context = found.assemble_context("Why is the gate shut?", 300, retained=["gate", "e7"])
    assert ["gate", "because", "e7"] in context.metadata["edges"]
    assert "gate because e7" in text(context)


def test_auto_has_nothing_to_do_below_yellow() -> None:
    done = filled(10).compact()
    assert not done.compacted
    assert done.reason == "usage 0.00 is below 0.70"
    assert done.tokens_before == done.tokens_after


def test_auto_stops_at_yellow() -> None:
    found = filled(100, {"window_tokens": 1_900, "red": 1.0})
    assert found.usage > 0.70
    done = found.compact()
    assert done.compacted
    assert 0.5 < found.usage < 0.70


def test_what_serves_the_aim_is_lowered_last() -> None:
    found = memory({"window_tokens": 1_500, "red": 1.0})
    found.aim("reconcile the supplier ledger")
    for at in range(40):
        found.append_turn([{"role": "user", "content": f"The supplier ledger has line {at} to reconcile today."}])
        found.append_turn([{"role": "user", "content": f"Lunch number {at} was soup with bread and salad."}])
    found.compact()
    left = [entry.text for entry in found.items()][:-3]
    assert sum("Lunch" in each for each in left) < sum("ledger" in each for each in left)


def test_everything_comes_back_byte_for_byte() -> None:
    found = memory({"window_tokens": 400})
    given: list[dict[str, Any]] = [
        {"z": 1, "role": "user", "content": "ünïcode \u0000 \ud83d\ude00 and\ttabs\r\n", "a": [1.0, 1, True, None]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "name": "f", "arguments": {"b": 2, "a": 1}}]},
        {"role": "tool", "tool_call_id": "c", "content": [{"text": "part"}, {"n": 12345678901234567890}]},
    ]
    ids = found.append_turn(given)
    for message in talk(60):
        found.append_turn([message])
    found.compact("aggressive")
    restored = found.restore(ids)
    assert [json.dumps(message) for message in restored] == [json.dumps(message) for message in given]
    assert set(ids) <= {entry.id for entry in found.items()}


def test_a_restarted_memory_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    before = filled(120, {"window_tokens": 2_500}, journal=FileJournal(path))
    before.aim("keep the fjord in mind")
    before.assemble_context("fjord", 300)
    before.register_dead_end({"tool": "dig", "arguments": {"at": 3}}, "rock")
    before.compact("aggressive")
    before.restore(["e3"])
    after = memory({"window_tokens": 2_500}, journal=FileJournal(path))
    assert [entry.message for entry in after.items()] == [entry.message for entry in before.items()]
    assert after.usage == before.usage
    assert [each.line() for each in after.list_dead_ends()] == [each.line() for each in before.list_dead_ends()]
    assert after.get_direction_state().intent == "keep the fjord in mind"
    every = [f"e{n}" for n in range(120)]
    assert json.dumps(after.restore(every)) == json.dumps(before.restore(every)) == json.dumps(talk(120))


def test_a_line_cut_off_by_a_crash_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    filled(3, journal=FileJournal(path))
    path.write_bytes(path.read_bytes()[:-20])
    after = memory(journal=FileJournal(path))
    assert len(after) == 2
    after.append_turn(talk(1, first=9))
    assert len(memory(journal=FileJournal(path))) == 3


def test_a_journal_that_is_none_is_told_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text('{"event":"aim","intent":"x"}\nnonsense\n')
    with pytest.raises(BrokenJournal, match=r"memory\.jsonl:2: no JSON"):
        memory(journal=FileJournal(path))


def test_a_turn_is_remembered_whole_or_not_at_all() -> None:
    found = memory()
    with pytest.raises(BadMessage, match=r"message 1 of the turn: found list; allowed is an object"):
        found.append_turn([{"role": "user", "content": "one"}, ["two"]])
    with pytest.raises(BadMessage, match="message 0"):
        found.append_turn([{"role": "user", "content": float("nan")}])
    found.append_turn([{"role": "user", "content": "x", "id": "mine"}])
    with pytest.raises(BadMessage, match="the id 'mine' again"):
        found.append_turn([{"role": "user", "content": "y", "id": "mine"}])
    assert len(found) == 1


def test_a_failed_trace_becomes_one_line() -> None:
    found = memory()
    call = {"id": "c1", "function": {"name": "deploy", "arguments": '{"to": "north"}'}}
    found.append_turn(talk(1))
    found.append_turn([
        {"role": "assistant", "content": "I deploy it.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "quota exceeded in region north, nothing was changed"},
    ])  # fmt: skip
    failed = found.register_dead_end({"tool": "deploy", "arguments": {"to": "north"}}, "no quota in north")
    assert failed is not None
    shown = text(found.assemble_context("deploy it", 2_000))
    assert shown.count("no quota in north") == 1
    assert "I deploy it." not in shown
    assert "nothing was changed" not in shown


def test_the_direction_turns_away_from_what_failed() -> None:
    found = filled(4)
    found.aim("search the ledger for amber")
    found.assemble_context("search the ledger for amber", 200)
    before = found.get_direction_state().drift_score
    found.register_dead_end({"tool": "search", "arguments": {"q": "ledger"}}, "the index is empty")
    assert found.get_direction_state().drift_score > before + 0.001


def test_a_scope_in_which_something_failed_matches_half_at_first() -> None:
    found = filled(60, {"zones": "on", "path_kept": 0})
    for id, content in (("tried", "We went by the bridge."), ("other", "The lantern swings over the bridge.")):
        found.append_turn([{"role": "user", "id": id, "content": content, "scope": "attic"}])

    def phase() -> float:
        entries = found.assemble_context("lantern", 60, scope="attic").metadata["entries"]
        return float(next(entry["phase"] for entry in entries if entry["id"] == "other"))

    before = phase()
    found.register_dead_end({"tool": "walk", "arguments": {}, "entries": ["tried"]}, "it is closed")
    assert (before, phase()) == (1.0, 0.5)


def test_a_failure_that_may_be_gone_is_not_kept() -> None:
    found = memory()
    assert found.register_dead_end({"tool": "fetch", "arguments": {}}, "timeout after 30 s") is None
    assert list(found.list_dead_ends()) == []


def test_dead_ends_are_listed_by_session() -> None:
    found = memory()
    for at in range(3):
        found.register_dead_end({"tool": "dig", "arguments": {"at": at}}, "rock")
    found.register_dead_end({"tool": "dig", "arguments": {"at": 9}}, "water", session_id="other")
    assert len(found.list_dead_ends()) == 3
    assert len(found.list_dead_ends(top_k=2)) == 2
    assert [each.reason for each in found.list_dead_ends("other")] == ["water"]


def test_the_direction_tells_drift_and_dead_ends_ahead() -> None:
    found = memory()
    found.append_turn([{"role": "user", "content": "reconcile the ledger of the quarter"}])
    found.register_dead_end({"tool": "recount", "arguments": {"at": 1}}, "locked")
    found.assemble_context("reconcile the ledger of the quarter", 500)
    near = found.get_direction_state()
    found.assemble_context("recount the umbrellas", 500)
    far = found.get_direction_state()
    assert near.intent == "reconcile the ledger of the quarter"
    assert near.drift_score < 0.3 < far.drift_score
    assert near.dead_end_matches == ()
    assert [match.line for match in far.dead_end_matches] != []


def test_metadata_is_plain_json_and_tells_how_entries_were_chosen() -> None:
    context = filled(200).assemble_context("fjord", 300)
    told = json.loads(json.dumps(context.metadata))
    assert json.loads(json.dumps(context.messages)) == context.messages
    (entry, *_) = [entry for entry in told["entries"] if entry.get("intent")]
    assert set(entry) == {"id", "fidelity", "zone", "intent", "phase", "tool", "causal", "qts"}
    assert told["tokens"] == tokens_of(context)
    assert told["left_out"] == 200 - len(told["entries"])
    assert {"drift", "gradient", "alignment", "calibration", "keys", "edges"} <= set(told)


def test_what_after_turn_measured_reaches_later_phases() -> None:
    found = filled(3)
    answer = {"role": "assistant", "content": "amber, near the birch"}
    found.append_turn([{"role": "user", "content": "amber?"}, answer])
    measured = found.assemble_context("amber", 500).metadata["last_turn"]
    assert measured["alignment"] > 0.0
    assert measured["usage"] == found.usage
    assert found.compact("aggressive").last_turn == measured
    assert memory().compact().last_turn is None


def test_neighbours_of_what_is_kept_are_told_by_their_keys() -> None:
    found = memory({"keys_share": 0.2})
    for at in range(200):
        said = f"{'filler words here ' * 6}{at} {'fjord' if at == 100 else ''}"
        found.append_turn([{"role": "user", "content": said}])
    context = found.assemble_context("fjord", 150)
    assert "e99" in context.metadata["keys"] or "e99" in shown_ids(context)


@pytest.mark.parametrize(("room", "fidelity", "told"), [(300, "FULL", True), (100, "SUMMARY", False)])
def test_only_what_is_kept_whole_tells_its_neighbours_by_their_keys(room: int, fidelity: str, told: bool) -> None:
    found = memory({"preset": "code", "zones": "on", "fill": False, "path_kept": 0, "keys_share": 0.5})
    found.append_turn([{"role": "user", "id": "beside", "content": "A postcard from Zermatt came.", "scope": "post"}])
    for message in talk(60):
        found.append_turn([{**message, "scope": "talk"}])
    lantern = "The lantern swings at Zermatt, lantern by lantern. " + "It was bought at a market in a town. " * 12
    found.append_turn([{"role": "user", "id": "kept", "content": lantern, "scope": "attic"}])
    found.assemble_context("quartz", 600, retained=["beside"])
    context = found.assemble_context("lantern", room)
    entries = {entry["id"]: entry["fidelity"] for entry in context.metadata["entries"]}
    assert entries == {"kept": fidelity}
    assert ("beside" in context.metadata["keys"]) is told


def test_what_a_kept_entry_came_from_is_shown_and_what_came_from_it_or_names_the_same_is_not() -> None:
    found = memory({"preset": "code", "zones": "on", "fill": False, "path_kept": 0, "keys_share": 0.0})

    def say(id: str, content: str, *causes: str) -> None:
        found.append_turn([{"role": "user", "id": id, "content": content, "scope": id, "causes": list(causes)}])

    say("cause", "The lock was oiled.")
    say("namesake", "A postcard from Zermatt came.")
    for message in talk(60):
        found.append_turn([{**message, "scope": "talk"}])
    say("kept", "The lantern swings at Zermatt, lantern by lantern.", "cause")
    say("result", "Everybody slept.", "kept")
    all_dropped = ["cause", "namesake", "result"]
    found.assemble_context("quartz", 600, retained=all_dropped)
    context = found.assemble_context("lantern", 600)
    zones = {entry["id"]: entry["zone"] for entry in context.metadata["entries"]}
    assert zones == {"cause": "compress", "kept": "keep"}


class Synonyms(HashingEmbedding):
    """Knows that a boat is a ship."""

    semantic = True

    def embed(self, text: str) -> Vector:
        return {0: 1.0} if "boat" in text or "ship" in text else {1: 1.0}

    def index(self) -> VectorIndex:  # type: ignore[override]
        return DenseIndex(2)


def test_an_embedding_finds_what_is_said_in_other_words() -> None:
    def context(**others: Any) -> AssembledContext:
        found = memory({"related_share": 0.0}, **others)
        found.append_turn([{"role": "user", "content": "Our boat lies in the harbour of Izola."}])
        for message in talk(60):
            found.append_turn([message])
        return found.assemble_context("where is the ship", 120)

    assert "Izola" in text(context(embedding=Synonyms()))
    assert "Izola" not in text(context())


def test_settings_refuse_what_they_do_not_know() -> None:
    with pytest.raises(ValueError, match="Extra inputs"):
        CdaMemory("s", CdaSettings(**{"zonez": "on"}))


@pytest.mark.parametrize(("density", "first"), [(0.0, "e0"), (1.0, "e1")])
def test_with_density_shorter_entries_go_first(density: float, first: str) -> None:
    found = memory({"density": density, "path_kept": 0})
    found.append_turn([{"role": "user", "content": "The fjord opens in May. " + "Sand lies there in heaps. " * 9}])
    found.append_turn([{"role": "user", "content": "A fjord."}])
    for message in talk(12):
        found.append_turn([{**message, "content": message["content"].replace("fjord", "strait")}])
    room = sum(EstimatingCounter().count(text_of(message)) for message in found.restore([first]))
    assert list(shown_ids(found.assemble_context("when does the fjord open", room), "FULL")) == [first]


def test_zones_and_direction_stand_where_they_stood_after_a_restart(tmp_path: Path) -> None:
    settings, queries = {"zones": "on"}, ["amber near birch", "cedar", "amber near birch", "ridge", "ledge number 37"]
    whole = filled(80, settings, journal=FileJournal(tmp_path / "whole"))
    parted = filled(80, settings, journal=FileJournal(tmp_path / "parted"))
    for query in queries:
        expected = whole.assemble_context(query, 200)
        assert parted.assemble_context(query, 200) == expected
        parted = memory(settings, journal=FileJournal(tmp_path / "parted"))
    assert parted.get_direction_state() == whole.get_direction_state()
    assert parted.phase is whole.phase


def test_an_answer_is_found_by_what_the_turn_before_asked() -> None:
    found = memory()
    found.append_turn([{"role": "user", "content": "Who is on the cover of the calendar?", "name": "Tom"}], scope="s")
    found.append_turn([{"role": "assistant", "content": "Captain Ruiz with his cat.", "name": "Ines"}], scope="s")
    found.append_turn([{"role": "user", "content": "Nice.", "name": "Tom"}], scope="t")
    scored = found._library.index.score("cover of the calendar")
    assert scored.keys() == {"0", "1"}
    assert scored["1"] < scored["0"]


def test_what_a_tool_said_helps_to_find_nothing_else() -> None:
    found = memory({"around_share": 1.0})
    found.append_turn([{"role": "tool", "content": "the calendar", "tool_call_id": "c"}], scope="s")
    (after,) = found.append_turn([{"role": "assistant", "content": "Done."}], scope="s")
    assert found._library.index.score("calendar").keys() == {"0"}
    assert after == "e1"


def test_only_dead_ends_that_share_words_with_a_query_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    found = filled(2)
    for number in range(120):
        found.register_dead_end({"tool": "search", "arguments": {"q": f"pump number {number}"}}, "nothing there")
    found.register_dead_end({"tool": "book", "arguments": {"seat": "window"}}, "it is sold")
    compared: list[str] = []

    class Counting:
        @staticmethod
        def of(text: str) -> TextVector:
            compared.append(text)
            return TextVector.of(text)

    monkeypatch.setattr("governance.cda.failures.TextVector", Counting)
    found.assemble_context("book a seat at the window", 500)
    assert len(compared) == 2
    compared.clear()
    found.assemble_context("which pump number", 500)
    assert len(compared) <= 51


def test_the_calls_of_a_failed_trace_are_found_by_their_tool() -> None:
    found = memory()
    for number in range(3):
        call = {"id": f"c{number}", "name": "search", "arguments": {"q": f"pump {number}"}}
        found.append_turn([{"role": "assistant", "content": "", "tool_calls": [call], "id": f"a{number}"}])
    found.register_dead_end({"tool": "search", "arguments": {"q": "pump 1"}}, "nothing there")
    assert found._failures.numbers == {1}


def test_who_goes_on_speaking_answers_nobody() -> None:
    found = memory()
    for said in ("the calendar", "Done."):
        found.append_turn([{"role": "assistant", "content": said}], scope="s")
    assert found._library.index.score("calendar").keys() == {"0"}
