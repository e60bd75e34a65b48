"""The benchmark of traces: readers by shape, ways side by side, figures by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.choosing.baselines import baselines
from benchmarks.choosing.ours import Memory
from benchmarks.choosing.selecting import Selector
from benchmarks.trace_sets.case import Case, History, Piece, TraceSet, tokens
from benchmarks.trace_sets.conversations import Conversations
from benchmarks.trace_sets.folder import sampled, sets_in
from benchmarks.trace_sets.generated import conversations
from benchmarks.trace_sets.staged import staged
from benchmarks.trace_sets.written import talks
from benchmarks.traces_costs import cost_figures
from benchmarks.traces_measures import mean, measured, relations
from benchmarks.traces_process import Forgetting, Remembering, walk
from tests.project.tree import ROOT

CONVERSATION = {
    "sample_id": "c",
    "conversation": {
        "speaker_a": "Nadia",
        "speaker_b": "Tomas",
        "session_2": [{"speaker": "Tomas", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a red kite"}],
        "session_1": [{"speaker": "Nadia", "dia_id": "D1:1", "text": "I moved to Lisbon."}],
        "session_3": [{"speaker": "Nadia", "dia_id": "D1:1", "text": "That id again."}],
        "session_1_date_time": "1:56 pm on 4 May, 2023",
        "session_2_date_time": "some day",
    },
    "qa": [
        {"question": "Where did Nadia move?", "answer": "Lisbon", "evidence": ["D1:1"], "category": 4},
        {"question": "What do they show?", "answer": "kite", "evidence": ["D:2:01; D1:1", "D9:9"], "category": 1},
        {"question": "What did she never say?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
    ],
    "session_summary": {"session_1_summary": "Nadia moved."},
}
ODD: dict[str, Any] = {
    "conversation": {
        "session_1": [
            {"speaker": "Mara", "dia_id": "D1:1", "text": "My sister Ilse opened a bakery."},
            {"speaker": "Otto", "dia_id": "D1:02", "blip_caption": "a loaf of rye"},
            {"speaker": "Mara", "dia_id": "D1:3", "text": None, "img_url": ["u"], "query": "oven fire"},
            {"speaker": "Otto", "dia_id": "D1:4", "text": "", "blip_caption": None},
            {"dia_id": None, "text": 7},
            "no turn",
        ],
        "session_2": [],
        "session_3": None,
        "session_4_date_time": "10:04 am on 19 June, 2023",
        "events": [],
    },
    "qa": [
        {"question": "Who opened a bakery?", "answer": 2022, "evidence": ["D1:1 D1:02", "d1:3"], "category": 3},
        {"question": "What was shown?", "answer": ["rye", None], "evidence": [["D:1:2"]], "category": 1},
        {"question": "What was seldom said?", "answer": "?", "evidence": ["D1:4"], "category": 4},
        {"question": "What was never said?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
        {"question": "What has no turn?", "answer": "x", "evidence": ["D", "", "D9:9", None, 3], "category": 2},
        {"question": "What has no evidence?", "answer": "x", "evidence": [], "category": 2},
        {"question": "What has none at all?", "answer": "x"},
        {"question": "What has one text?", "evidence": "(D1:1)", "category": 4},
        {"question": None, "evidence": ["D1:1"]},
        "no question",
    ],
    "session_summary": {"session_1_summary": "Ilse bakes. Otto shows rye.", "session_2_summary": None},
    "observation": {"session_1_observation": {"Mara": [["Ilse has a bakery.", "D1:1; D1:2"], ["x"], None]}},
    "event_summary": {"events_session_1": {"Mara": ["A bakery opens."], "date": "8 May, 2023"}},
}
HOTPOT = {
    "question": "Where was the maker of Orbit born?",
    "answer": "Graz",
    "context": [["Orbit", ["Orbit is by Lena Gruber.", "It is long."]], ["Lena Gruber", ["She was born in Graz."]]],
    "supporting_facts": [["Orbit", 0], ["Lena Gruber", 0]],
}
MUSIQUE = {
    "question": "Where?",
    "answer": "Graz",
    "paragraphs": [
        {"title": "Orbit", "paragraph_text": "By Lena.", "is_supporting": True},
        {"title": "Rivers", "paragraph_text": "Long.", "is_supporting": False},
    ],
}
CALL = {"function": {"name": "cancel", "arguments": '{"order_id": "A-1701"}'}}
FILLER = [{"role": "user", "content": "some words of no use " * 60} for _ in range(6)]
TAU = {
    "traj": [
        {"role": "system", "content": "x"},
        {"role": "user", "content": "it is A-1701"},
        *FILLER,
        {"role": "user", "content": "please"},
        {"role": "assistant", "content": "sure"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
    ]
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    hotpot_columns = {
        **HOTPOT,
        "context": {"title": ["Orbit"], "sentences": [["By Lena."]]},
        "supporting_facts": {"title": ["Orbit"], "sent_id": [0]},
    }
    documents: dict[str, Any] = {
        "any/name.json": [CONVERSATION], "h.json": [HOTPOT], "columns.json": [hotpot_columns], "m.json": [MUSIQUE],
        "t.json": [TAU], "other.json": {"a": 1}, "list.json": [1, 2],
    }  # fmt: skip
    for name, document in documents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(document))
    (tmp_path / "broken.json").write_text("{")
    return tmp_path


def test_files_are_known_by_their_shape(folder: Path) -> None:
    found = {each.name: len(each.cases) for each in sets_in(folder)}
    assert found == {"conversation_qa": 2, "hotpotqa": 2, "musique": 1, "tau_bench": 1}


def test_a_conversation_is_read_with_its_evidence_and_pictures() -> None:
    cases = list(Conversations().cases("f", [CONVERSATION]))
    assert [piece.id for piece in cases[0].pieces] == ["D1:1", "D2:1", "D1:1#2"]
    assert cases[0].pieces[1].text == "Tomas: Look! [picture: a red kite]"
    assert [case.evidence for case in cases] == [{"D1:1"}, {"D2:1", "D1:1"}]
    assert cases[0].history.summaries == ("Nadia moved.",)
    assert [piece.said_at for piece in cases[0].pieces] == ["1:56 pm on 4 May, 2023", "", ""]
    assert all("2023" not in piece.text for piece in cases[0].pieces)


def test_what_is_odd_in_a_conversation_is_read_as_it_is_meant_or_passed_over() -> None:
    cases = list(Conversations().cases("f", ODD))
    pieces = {piece.id: (piece.text, piece.role) for piece in cases[0].pieces}
    assert pieces == {
        "D1:1": ("Mara: My sister Ilse opened a bakery.", "user"),
        "D1:2": ("Otto:  [picture: a loaf of rye]", "assistant"),
        "D1:3": ("Mara:  [picture: oven fire]", "user"),
        "None": (": 7", "assistant"),
    }
    assert [case.evidence for case in cases] == [{"D1:1", "D1:2", "D1:3"}, {"D1:2"}, {"D1:1"}]
    assert [case.answer for case in cases] == ["2022", "rye", ""]
    assert cases[0].history.summaries == ("Ilse bakes. Otto shows rye.",)
    assert cases[0].history.observations == (("Ilse has a bakery.", frozenset({"D1:1", "D1:2"})),)


@pytest.mark.parametrize("wrapped", [[ODD], {"samples": [ODD]}, {"c-1": ODD}, [ODD, 3, {"qa": None}]])
def test_samples_are_found_in_a_list_or_under_names(wrapped: Any) -> None:
    assert len(list(Conversations().cases("f", wrapped))) == 3


@pytest.mark.parametrize("name", ["conversation", "qa", "session_summary", "observation"])
@pytest.mark.parametrize("instead", [None, [], {}, "x", 3, [[]], {"session_1": {}, "session_1_summary": []}])
def test_whatever_stands_for_a_part_of_a_sample_nothing_is_raised(name: str, instead: Any) -> None:
    odd = {**ODD, name: instead}
    assert len(list(Conversations().cases("f", odd))) == (0 if name in ("conversation", "qa") else 3)


def test_facts_that_a_model_wrote_down_count_for_the_turns_they_come_from() -> None:
    [way] = [way for way in baselines() if way.name == "llm_observations"]
    first, second, _ = Conversations().cases("f", ODD)
    kept = way.keep(first, 20)
    assert kept is not None
    assert kept.whole == {"D1:1", "D1:2"}
    assert kept.text == "Ilse has a bakery."
    none = way.keep(second, 1)
    assert none is not None
    assert (none.whole, none.text) == (frozenset(), "")


def test_a_set_of_odd_conversations_is_measured_to_the_end(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text(json.dumps([ODD, CONVERSATION]), encoding="utf-8-sig")
    command = [sys.executable, "-m", "benchmarks.traces", "--data", str(tmp_path), "--json"]
    command += ["--sets", "conversation_qa"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    figures = {figure["name"]: figure for figure in json.loads(done.stdout)["figures"]}
    beside = figures["traces.conversation_qa.answer_survival@25"]["baselines"]
    assert {"llm_summaries", "llm_observations"} <= set(beside)
    assert figures["traces.conversation_qa.evidence_recall@5"]["goal"] == 0.86
    assert figures["density.vs_summaries"]["goal"] == 1.3


def test_a_call_asks_for_values_that_stand_earlier(folder: Path) -> None:
    (found,) = [each for each in sets_in(folder) if each.name == "tau_bench"]
    assert found.cases[0].values == ("a-1701",)
    assert found.cases[0].tool == "cancel order_id"


def made() -> TraceSet:
    reader = Conversations()
    samples = conversations(1, sessions=6)
    observed = {"session_1_observation": {"Nadia": [["Nadia moved to Lisbon.", "D1:1"]]}}
    return reader.described(list(reader.cases("made", [{**each, "observation": observed} for each in samples])))


@pytest.mark.parametrize("way", [Memory(), *baselines()], ids=lambda way: way.name)
def test_every_way_keeps_to_its_budget(way: Selector) -> None:
    for case in made().cases[::7]:
        for budget in (40, 200):
            kept = way.keep(case, budget)
            assert kept is not None
            assert tokens(kept.text) <= budget + kept.text.count("\n")
            if way.name != "llm_observations":  # another text stands for a piece
                assert all(piece.text in kept.text for piece in case.pieces if piece.id in kept.whole)


def test_the_memory_finds_what_was_said_once() -> None:
    found = made()
    ours = mean(measured(found, Memory()), 25)
    (last,) = [mean(measured(found, way), 25) for way in baselines() if way.name == "keep_last"]
    assert ours is not None
    assert last is not None
    assert ours > 0.7 > last


def test_a_sample_is_spread_over_the_set() -> None:
    found = made()
    few = sampled(found, 3)
    assert len(few.cases) == 3
    assert few.cases[0] is found.cases[0]
    assert few.conditions.startswith("3 of ")


def test_rows_of_a_table_stay_together() -> None:
    figure = relations(rows=120)
    assert figure.reached


def test_a_process_stays_on_course_where_forgetting_does_not() -> None:
    ours, last = walk(Remembering(), 200), walk(Forgetting("keep_last"), 200)
    assert ours.least() >= 0.8 > last.least()
    assert ours.repeated == 0 < last.repeated


def test_costs_are_told_for_each_size() -> None:
    names = [figure.name for figure in cost_figures({60: None, 120: 2.0})]
    assert names == ["cda.append_score_ms@60", "cda.append_score_ms@120"]


def test_the_command_prints_one_object(folder: Path) -> None:
    command = [sys.executable, "benchmarks/traces.py", "--data", str(folder), "--json", "--sets", "hotpotqa,tau_bench"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    figures = {figure["name"]: figure for figure in json.loads(done.stdout)["figures"]}
    assert {"traces.hotpotqa.evidence_recall@25", "traces.tau_bench.argument_survival@10"} <= set(figures)
    assert figures["traces.hotpotqa.evidence_recall@25"]["goal"] == 0.92
    assert "query known" in figures["traces.hotpotqa.evidence_recall@25"]["conditions"]


def test_a_folder_without_sets_is_one_clear_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.traces", "--data", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "no file in the shape of a known set" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_history_counts_its_tokens() -> None:
    assert History(id="h", pieces=(Piece(id="1", text="abcde"), Piece(id="2", text="a"))).tokens == 3
    assert Case(history=History(id="h", pieces=(Piece(id="1", text="a"),)), query="q", upto=0).pieces == ()


def test_written_conversations_are_in_the_shape_that_is_read_and_every_answer_stands() -> None:
    samples = talks()
    cases = list(Conversations().cases("written", samples))
    assert len(cases) == sum(len(sample["qa"]) for sample in samples) > 100
    asked = {case.query: case for case in cases}
    evidence = asked["What birds does Nora paint?"]
    [id] = evidence.evidence
    assert "Herons" in next(piece.text for piece in evidence.pieces if piece.id == id)


def test_conversations_of_one_name_in_two_files_are_told_apart() -> None:
    first, second = (next(iter(Conversations().cases(name, [CONVERSATION]))) for name in ("a.json", "b.json"))
    assert first.history.id != second.history.id


def test_a_question_without_an_answer_is_known_whichever_way_its_category_is_written() -> None:
    odd = {**CONVERSATION, "qa": [{**CONVERSATION["qa"][2], "category": "5"}, {"evidence": ["D1:1"], "category": 4}]}  # type: ignore[index]
    assert list(Conversations().cases("f", [odd])) == []


def test_staged_conversations_are_long_the_same_each_time_and_their_evidence_stands() -> None:
    samples = staged(1)
    assert samples == staged(1)
    cases = list(Conversations().cases("staged", samples))
    assert len(cases) == len(samples[0]["qa"]) > 90
    pieces = {piece.id: piece for piece in cases[0].pieces}
    assert len(pieces) > 400
    assert all(piece.said_at for piece in pieces.values())
    asked = next(case for case in cases if case.query.startswith("What planet did "))
    [id] = asked.evidence
    assert "Saturn" in pieces[id].text
    assert pieces[id].speaker in asked.query
    assert any(len(case.evidence) > 2 for case in cases)
    assert any("picture" in piece.text for piece in pieces.values())


@pytest.mark.parametrize("samples", [talks(), staged(1)], ids=["written", "staged"])
def test_the_memory_keeps_at_least_what_the_best_simple_mix_keeps(samples: list[dict[str, Any]]) -> None:
    reader = Conversations()
    found = reader.described(list(reader.cases("own", samples)))
    (mix,) = [measured(found, way) for way in baselines() if way.name == "simple_mix"]
    ours = measured(found, Memory())
    for budget in (5, 10, 25):
        own, others = mean(ours, budget), mean(mix, budget)
        assert own is not None
        assert others is not None
        assert own >= others
