"""What a variable says in a prompt is not said again by the record of the activity that wrote it."""

from __future__ import annotations

import pytest

from bpmn.definition import LoopCharacteristics
from engine.prompts.assembler import Assembled, PromptAssembler
from governance.vocabulary import Fidelity, Layer
from tests.engine.activities.works import Run, Story, a_run, an_element

REPORT = "The pump leaks at its second seal. " * 20
RECORD = "HISTORY/@2:look"
SEEN = '"outputs":{"report":"(as the variable report)"}'


def looked(story: Story | None = None, decision: str | None = "Looked.") -> Story:
    return (story or Story()).done("look", "Look", decision, report=REPORT)


def prompt(run: Run) -> Assembled:
    return PromptAssembler().assemble(run.work)


def text(story: Story, **run: object) -> str:
    return prompt(a_run(story, **run)).messages[1].content  # type: ignore[arg-type]


def test_a_long_output_that_stands_among_the_variables_is_named_in_its_record() -> None:
    found = text(looked())
    assert found.count(REPORT.strip()) == 1
    assert SEEN in found
    assert '"decision":"Looked."' in found


def test_a_short_output_stands_in_both() -> None:
    assert text(Story().done("look", found=3)).count('"found":3') == 1
    assert "as the variable" not in text(Story().done("look", found=3))


def test_an_output_under_another_name_is_known_by_what_it_holds() -> None:
    story = looked().put(copy=REPORT).shown("WORKING/report", Fidelity.ARCHIVED)
    assert '"report":"(as the variable copy)"' in text(story)


def test_an_output_that_was_written_over_since_stays_in_its_record() -> None:
    found = text(looked().put(report="Dry again. " * 20))
    assert "as the variable" not in found
    assert REPORT.strip() in found


@pytest.mark.parametrize("fidelity", [Fidelity.KEY_ONLY, Fidelity.ARCHIVED])
def test_an_output_whose_variable_is_not_told_stays_in_its_record(fidelity: Fidelity) -> None:
    told = "report" if fidelity is Fidelity.KEY_ONLY else None
    assert REPORT.strip() in text(looked().shown("WORKING/report", fidelity, told))


def test_a_variable_that_is_hidden_by_a_local_one_tells_nothing() -> None:
    element = an_element(loop=LoopCharacteristics(kind="parallel", input_item="report"))
    assert REPORT.strip() in text(looked(), element=element, variables={"report": "one"})


def test_a_summary_gives_way_to_the_record_where_that_is_shorter() -> None:
    long, short = f"[Compressed] {REPORT[:300]}", "[Compressed] leaks"
    assert SEEN in text(looked().shown(RECORD, Fidelity.SUMMARY, long))
    assert "@2:look: [Compressed] leaks" in text(looked().shown(RECORD, Fidelity.SUMMARY, short))
    assert "@2:look: look" in text(looked().shown(RECORD, Fidelity.KEY_ONLY, "look"))


def test_the_variable_may_be_shown_as_a_summary() -> None:
    found = text(looked().shown("WORKING/report", Fidelity.SUMMARY, "[Compressed] The pump leaks."))
    assert "report: [Compressed] The pump leaks." in found
    assert SEEN in found
    assert REPORT.strip() not in found


def test_what_is_no_entry_counts_the_same_whether_or_not_a_record_refers_to_a_variable() -> None:
    once, twice = prompt(a_run(looked())), prompt(a_run(looked().shown("WORKING/report", Fidelity.ARCHIVED)))
    assert once.overhead_tokens == pytest.approx(twice.overhead_tokens, abs=25)
    assert once.tokens_ungoverned == pytest.approx(once.tokens + len(REPORT) / 5, rel=0.15)


def test_prompts_say_how_references_are_read() -> None:
    story = looked().put(Layer.KNOWLEDGE, 0.9, rule={"text": "Ask."})
    assert "`(as the variable NAME)` stands for what that variable holds" in prompt(a_run(story)).messages[0].content
