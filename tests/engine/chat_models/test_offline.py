"""What the model without a model picks out of a prompt, and how sure it says it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.models.base import ModelAnswer
from engine.models.offline.finding import FIRST, GUESSED, NAMED, NEAR, READ
from engine.models.offline.model import OfflineModel
from tests.engine.chat_models.requests import asking

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
TRUTH = {"type": "boolean"}


def line(name: str, value: Any) -> str:
    return f"{name}: {json.dumps(value)}"


def answer(outputs: dict[str, Any] | None, *entries: str, **fields: Any) -> ModelAnswer:
    return OfflineModel().answer(asking(outputs, *entries, **fields))


def found(name: str, schema: dict[str, Any], *entries: str, task: str = "") -> tuple[Any, float | None]:
    """The value of one output, and the confidence."""
    said = answer({name: schema}, *entries, task=task)
    assert said.outputs is not None
    return said.outputs[name], said.confidence


ORDER = line("order", {"customer": {"name": "Ann", "id": 7}, "total": 120.5, "paid": False, "lines": [{"sku": "A1"}]})


@pytest.mark.parametrize(
    ("name", "schema", "value", "support"),
    [
        ("total", NUMBER, 120.5, NAMED),
        ("customer_name", TEXT, "Ann", NAMED),
        ("customerId", {"type": "integer"}, 7, NAMED),
        ("order_paid", TRUTH, False, NAMED),
        ("customer", {"type": "object"}, {"name": "Ann", "id": 7}, NAMED),
        ("lines", {"type": "array"}, [{"sku": "A1"}], NAMED),
        ("order_line_sku", TEXT, "A1", NEAR),
        ("final_order_total", NUMBER, 120.5, NEAR),
        ("discount", NUMBER, 0, GUESSED),
    ],
)
def test_a_fact_is_found_by_its_name(name: str, schema: dict[str, Any], value: Any, support: float) -> None:
    assert found(name, schema, ORDER) == (value, support)


def test_a_fact_of_another_type_is_passed_over() -> None:
    assert found("total", NUMBER, line("total", "many"), line("sum", {"total": 3})) == (3, NAMED)


def test_the_fact_nearest_to_the_end_is_taken() -> None:
    assert found("total", NUMBER, line("total", 1), line("sum", {"total": 2})) == (2, NAMED)


def test_outputs_of_finished_activities_are_facts_and_their_hashes_are_none() -> None:
    record = {"activity": "check", "name": "Check", "decision": "All fine.", "outputs": {"stock": 12}}
    assert found("stock", NUMBER, line("/fork@3:2.a@5:check", record)) == (12, NAMED)
    assert found("name", TEXT, line("@5:check", record))[1] != NAMED


def test_a_decision_is_read_but_has_no_name() -> None:
    record = line("@5:check", {"activity": "check", "decision": "The stock is 12 pieces.", "outputs": {}})
    assert found("stock", NUMBER, record) == (12, READ)
    assert found("decision", TEXT, record) == ("[offline] The stock is 12 pieces.", FIRST)


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The error rate rose to 41 percent.", 41),
        ("Of 200 users 12 complained; the error rate is 3.5 now.", 3.5),
        ("The error rate fell by -2.", -2),
        ("There were 1,250 errors.", 1250),
        ("Release 2024.7.1 has errors: 7 of them.", 7),
    ],
)
def test_a_number_is_read_near_the_words_of_its_name(sentence: str, value: float) -> None:
    report = line("report", f"{sentence} Call 555 for help, or write to 12 Main Street.")
    assert found("error_rate", NUMBER, report) == (value, READ)


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The manager approved the budget.", True),
        ("The manager has not approved the budget.", False),
        ("Nobody approved it.", False),
    ],
)
def test_a_truth_is_read_with_its_negation(sentence: str, value: bool) -> None:
    mail = line("mail", f"{sentence} It is late, so this mail is longer than a word.")
    assert found("approved", TRUTH, mail) == (value, READ)


LEVELS = {"enum": ["low", "medium", "high"]}


@pytest.mark.parametrize(
    ("text", "value", "support"),
    [
        ("Damage is low. Severity is high, users are locked out.", "high", READ),
        ("It is not high. The severity of this incident is medium.", "medium", READ),
        ("Nothing is said about it here, whatever you may look for.", "low", GUESSED),
    ],
)
def test_of_allowed_values_the_one_that_is_spoken_for_is_chosen(text: str, value: str, support: float) -> None:
    assert found("severity", LEVELS, line("report", text)) == (value, support)


def test_an_allowed_value_that_is_a_fact_comes_first() -> None:
    assert found("severity", LEVELS, line("report", "All is high here."), line("severity", "low")) == ("low", NAMED)


REPORT = line(
    "report", "Users cannot log in. The team that owns login is Platform. It rains in Berlin. We had tea at four."
)


def test_text_is_the_sentences_that_have_to_do_with_the_output_and_is_marked() -> None:
    owner = {"type": "string", "description": "team that owns the incident"}
    assert found("owner", owner, REPORT) == ("[offline] The team that owns login is Platform.", READ)


def test_long_text_is_read_for_an_output_that_its_name_is_part_of_and_not_copied() -> None:
    long = line("report", "Users cannot log in since nine. " + "It rains in Berlin. " * 9 + "In short: all is down.")
    assert found("short_report", TEXT, long) == ("[offline] In short: all is down.", READ)


def test_failing_that_it_is_the_sentences_about_the_task() -> None:
    value, support = found("summary", TEXT, REPORT, task="What does the weather bring? Does it rain?")
    assert (value, support) == ("[offline] It rains in Berlin.", READ)


def test_failing_that_it_is_the_first_sentences() -> None:
    value, support = found("summary", TEXT, REPORT, task="Go.")
    assert (value, support) == ("[offline] Users cannot log in. The team that owns login is Platform.", FIRST)


def test_text_that_was_put_together_before_is_said_once_and_marked_once() -> None:
    before = line("summary", "[offline] Users cannot log in.")
    assert found("verdict", TEXT, before, line("report", "Users cannot log in.")) == (
        "[offline] Users cannot log in.",
        FIRST,
    )


def test_what_the_model_said_of_its_own_work_is_not_read() -> None:
    record = line("@5:check", {"activity": "check", "decision": "[offline] extracted total from the context."})
    assert answer(None, record, task="The total?").text == "[offline] There is no text in the context."


def test_text_that_must_have_a_form_is_not_put_together() -> None:
    assert found("due", {"type": "string", "format": "date"}, REPORT) == ("2000-01-01", GUESSED)
    assert found("code", {"type": "string", "maxLength": 3}, REPORT) == ("<co", GUESSED)


def test_an_object_is_put_together_from_what_is_found() -> None:
    schema = {
        "type": "object",
        "properties": {"name": TEXT, "total": NUMBER, "discount": NUMBER},
        "required": ["name", "total"],
    }
    supplier = line("supplier", {"name": "Bob"})
    assert found("customer", schema, ORDER, supplier) == ({"name": "Ann", "total": 120.5}, NEAR)


def test_a_list_of_texts_holds_what_was_read() -> None:
    value, support = found("teams", {"type": "array", "items": TEXT}, REPORT)
    assert (value, support) == (["[offline] The team that owns login is Platform."], READ)


def test_references_and_alternatives_are_followed() -> None:
    severity = {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/level"}]}
    request = asking({"severity": severity}, line("report", "It is high now."))
    assert isinstance(request.outputs_schema, dict)
    request.outputs_schema["$defs"] = {"level": LEVELS}
    said = OfflineModel().answer(request)
    assert said.outputs == {"severity": "high"}


def test_the_answer_says_what_was_extracted_and_what_is_a_placeholder() -> None:
    said = answer({"total": NUMBER, "discount": NUMBER}, ORDER)
    assert said.text == "[offline] extracted total from the context; placeholders for discount."
    assert said.model == "offline"


def test_the_least_supported_output_decides_the_confidence() -> None:
    assert answer({"total": NUMBER}, ORDER).confidence == NAMED
    assert answer({"total": NUMBER, "discount": NUMBER}, ORDER).confidence == GUESSED


def test_an_optional_output_without_support_is_left_out() -> None:
    said = answer({"total": NUMBER, "discount": NUMBER}, ORDER, required=["total"])
    assert (said.outputs, said.confidence) == ({"total": 120.5}, NAMED)


def test_without_declared_outputs_the_answer_is_text() -> None:
    said = answer(None, REPORT, task="Who owns login?")
    assert said.outputs is None
    assert said.text.startswith("[offline] The team that owns login is Platform.")


def test_without_any_text_it_says_so() -> None:
    said = answer(None, line("n", 1), task="Who owns login?")
    assert (said.text, said.confidence) == ("[offline] There is no text in the context.", GUESSED)


def test_a_prompt_without_data_gives_placeholders() -> None:
    said = OfflineModel().answer(asking({"a": TEXT, "n": {"type": "integer"}}))
    assert (said.outputs, said.confidence) == ({"a": "<a>", "n": 0}, GUESSED)


def test_an_output_whose_name_says_nothing_is_a_placeholder() -> None:
    record = line("@5:check", {"activity": "check", "decision": "Fine.", "outputs": {}})
    assert found("_", {"type": "integer"}, ORDER, record) == (0, GUESSED)


def test_only_fenced_data_is_read() -> None:
    assert found("total", NUMBER, ORDER, task="total: 7")[0] == 120.5


def test_names_of_archived_entries_are_no_facts() -> None:
    assert found("total", TEXT, "(2 archived: ask for them by name: total, sum)")[1] == GUESSED


def test_compressed_text_is_read_without_its_mark() -> None:
    value, _ = found("summary", TEXT, "report: [Compressed] Users cannot log in.\n  Since nine.")
    assert value == "[offline] Users cannot log in. Since nine."


PARTS = [TEXT, NUMBER, TRUTH, LEVELS, {"type": "array", "items": TEXT}, {}, True]
entries = st.lists(
    st.tuples(
        st.sampled_from(["total", "severity", "report", "@3:check"]),
        st.one_of(st.text(max_size=40), st.integers(), st.booleans(), st.dictionaries(st.text(max_size=4), st.text())),
    ).map(lambda pair: line(*pair)),
    max_size=5,
)


@given(entries, st.dictionaries(st.sampled_from(["total", "severity", "note"]), st.sampled_from(PARTS), max_size=3))
def test_answers_fit_and_are_the_same_every_time(given_entries: list[str], outputs: dict[str, Any]) -> None:
    request = asking(outputs, *given_entries, task="Check the report.")
    first, second = OfflineModel().answer(request), OfflineModel().answer(request)
    assert first == second
    assert request.outputs_schema is not None
    assert list(Draft202012Validator(request.outputs_schema).iter_errors(first.outputs)) == []
    assert first.confidence is not None
    assert GUESSED <= first.confidence <= NAMED
