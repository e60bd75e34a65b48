"""Prepared answers: their file, and how they are used up."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.people.answerers import AnswerRefused, FileAnswerer, NobodyNamed, SimulatedAnswerer
from engine.people.answers import PreparedAnswers, UnknownElement
from engine.people.answers_file import read_answers
from engine.people.yaml_nodes import BadYaml
from governance.vocabulary import Trigger
from tests.engine.people.inbox import intervention, work_item


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.yaml"


def answers(file: Path, text: str) -> PreparedAnswers:
    file.write_text(text, encoding="utf-8")
    return read_answers(file)


def test_an_answer_says_all_that_the_file_says(file: Path) -> None:
    found = answers(
        file,
        "# how it went\n"
        "- element: join\n  decision: edit\n  values: {a: [1]}\n  reason: better\n  by: ada\n"
        "  kind: quality\n  trigger: QUALITY\n  roles: [lead, owner]\n  times: 3\n",
    ).unused()[0]
    assert (found.element, found.line, found.decision, found.values) == ("join", 2, "edit", {"a": [1]})
    assert (found.reason, found.by, found.kind, found.trigger) == ("better", "ada", "quality", Trigger.QUALITY)
    assert (found.roles, found.times) == (("lead", "owner"), 3)
    assert found.place == f"{file}:2"


def test_an_empty_file_has_no_answers(file: Path) -> None:
    assert answers(file, "# nothing yet\n").unused() == []


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("element: a", 1, "a list is expected, found an object"),
        ("- approve", 1, "an object (name: value) is expected, found a single value"),
        ("- {element: a}", 1, "either `outputs` (of a task) or a `decision`"),
        ("- {element: a, outputs: {}, decision: deny}", 1, "either `outputs` (of a task) or a `decision`"),
        ("- outputs: {}", 1, "`element` must be text, found None"),
        ("- element: a\n  decison: deny", 2, "unknown field decison; did you mean decision?"),
        ("- element: a\n  decision: maybe", 2, "allowed: approve, deny, resolve, edit"),
        ("- element: a\n  outputs: yes", 2, "an object (name: value) is expected"),
        ("- element: a\n  outputs: {}\n  values: {}", 3, "`values` goes with a `decision`"),
        ("- element: a\n  decision: deny\n  kind: conflicts", 3, "allowed: retained_overflow,"),
        ("- element: a\n  decision: deny\n  trigger: conflict", 3, "allowed: DESIGN_TIME,"),
        ("- element: a\n  outputs: {}\n  times: 0", 3, "allowed: always, or 1 and more"),
        ("- element: a\n  outputs: {}\n  times: true", 3, "allowed: always, or 1 and more"),
        ("- element: a\n  outputs: {}\n  roles: 5", 3, "`roles` must be a list of names"),
        ("- element: a\n  outputs: {}\n  by: ' '", 3, "`by` must be text"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file: Path, text: str, line: int, word: str) -> None:
    with pytest.raises(BadYaml) as caught:
        answers(file, text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert word in str(caught.value)


def test_answers_for_an_element_are_used_in_order_and_used_up(file: Path) -> None:
    found = answers(
        file,
        "- {element: a, outputs: {n: 1}}\n- {element: b, outputs: {n: 9}}\n- {element: a, outputs: {n: 2}, times: 2}\n",
    )
    taken = [found.for_work_item(work_item("a")) for _ in range(4)]
    assert [answer and answer.outputs for answer in taken] == [{"n": 1}, {"n": 2}, {"n": 2}, None]
    assert [answer.element for answer in found.unused()] == ["b"]


def test_an_answer_for_always_is_never_used_up(file: Path) -> None:
    found = answers(file, "- {element: a, outputs: {}, times: always}\n- {element: b, outputs: {}, times: always}\n")
    assert all(found.for_work_item(work_item("a")) for _ in range(3))
    assert [answer.element for answer in found.unused()] == ["b"]


def test_tasks_take_outputs_and_interventions_take_decisions(file: Path) -> None:
    found = answers(file, "- {element: a, decision: deny}\n- {element: a, outputs: {}}\n")
    done = found.for_work_item(work_item("a"))
    assert done is not None
    assert done.outputs == {}
    decided = found.for_intervention(intervention("a"))
    assert decided is not None
    assert decided.decision == "deny"


def test_an_answer_may_be_for_one_kind_or_trigger_only(file: Path) -> None:
    found = answers(
        file,
        "- {element: a, decision: deny, kind: quality}\n"
        "- {element: a, decision: deny, trigger: RUNTIME}\n"
        "- {element: a, decision: deny, kind: conflict, reason: this}\n",
    )
    answer = found.for_intervention(intervention("a"))
    assert answer is not None
    assert answer.reason == "this"


def test_an_element_that_is_not_there_is_told_at_once(file: Path) -> None:
    found = answers(file, "- {element: aprove, outputs: {}}\n")
    with pytest.raises(UnknownElement, match=r"answers\.yaml:1: .* no element aprove; did you mean approve"):
        found.require_known(["approve", "join"])
    found.require_known(["aprove"])


def test_who_answers_is_who_the_file_says_or_the_user(file: Path) -> None:
    text = "- {element: a, outputs: {}, by: ada, times: always}\n- {element: b, outputs: {}, times: 2}\n"
    found = answers(file, text)
    by = FileAnswerer(found, "maria")
    assert [done and done.by for done in (by.do(work_item("a")), by.do(work_item("b")))] == ["ada", "maria"]
    with pytest.raises(NobodyNamed, match=r"answers\.yaml:2: nobody's name is given"):
        FileAnswerer(found, None).do(work_item("b"))


def test_a_refusal_names_the_entry(file: Path) -> None:
    answerer = FileAnswerer(answers(file, "\n- {element: a, outputs: {}}\n"), "maria")
    answerer.do(work_item("a"))
    with pytest.raises(AnswerRefused, match=r"answers\.yaml:2: no good \(instance i waits\)"):
        answerer.refused(ValueError("no good"))


@pytest.mark.parametrize(
    ("take", "branch"), [("b", "/f@2:2.b"), ("/f@2:2.a", "/f@2:2.a"), ("nobody", "nobody")]
)
def test_a_branch_is_named_by_where_it_leads(file: Path, take: str, branch: str) -> None:
    text = f"- {{element: join, decision: resolve, values: {{severity: {{take: {take}}}}}}}\n"
    decided = FileAnswerer(answers(file, text), "maria").decide(intervention())
    assert decided is not None
    assert decided.values == {"severity": {"take": branch}}


def test_other_values_stay_as_they_are(file: Path) -> None:
    text = "- {element: join, decision: resolve, values: {severity: {take: a, note: b}, other: 5}}\n"
    decided = FileAnswerer(answers(file, text), "maria").decide(intervention())
    assert decided is not None
    assert decided.values == {"severity": {"take": "a", "note": "b"}, "other": 5}


def test_a_simulation_takes_the_first_branch_or_approves() -> None:
    resolved = SimulatedAnswerer().decide(intervention(roles=["lead"]))
    assert resolved is not None
    assert (resolved.decision, resolved.values) == ("resolve", {"WORKING/severity": {"take": "/f@2:2.a"}})
    assert (resolved.by, resolved.roles) == ("simulation", ("lead",))
    approved = SimulatedAnswerer().decide(intervention(options=("approve", "edit", "deny")))
    assert approved is not None
    assert (approved.decision, approved.values) == ("approve", None)
