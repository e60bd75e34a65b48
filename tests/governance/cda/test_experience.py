"""Hot experience makes a skill, by the numbers of the design (CDA, hot experience)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from governance.cda.experience.hot import HotSettings, skill_of
from governance.cda.experience.matching import of_use
from governance.cda.experience.model import Experience, Skill
from governance.ports import timestamp

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def at(days_ago: float) -> str:
    return timestamp(NOW - timedelta(days=days_ago))


def used(days_ago: float, alignment: float = 0.8, *, hit: bool = True, **more: Any) -> Experience:
    given = {"tool": "activity:fix", "features": ("input:order",), "told": "rolled back", **more}
    return Experience(hit=hit, at=at(days_ago), alignment=alignment, **given)


@pytest.mark.parametrize(
    ("experiences", "hot"),
    [
        ([used(3), used(2), used(1)], True),
        ([used(2), used(1)], False),
        ([used(7), used(2), used(1)], True),
        ([used(7.01), used(2), used(1)], False),
        ([used(3), used(2, hit=False), used(1)], False),
        ([used(3, 0.5), used(2, 0.8), used(1, 0.86)], False),
        ([used(3, 0.6), used(2, 0.8), used(1, 0.9)], True),
        ([used(3), used(2), used(-1)], False),
        ([used(4, 0.0, hit=False), used(3), used(2), used(1)], True),
    ],
    ids=["three", "two", "seven-days", "older", "a-miss", "uneven", "even-enough", "later", "and-a-miss"],
)
def test_three_even_hits_within_seven_days(experiences: list[Experience], hot: bool) -> None:
    assert (skill_of(experiences, at(0)) is not None) is hot


def test_the_deviation_must_be_below_the_limit() -> None:
    """0.65 and 0.95 around 0.80 deviate by 0.15 where there are as many of each."""
    assert skill_of([used(4, 0.65), used(3, 0.9501), used(2, 0.65), used(1, 0.9501)], at(0)) is None
    assert skill_of([used(4, 0.66), used(3, 0.95), used(2, 0.66), used(1, 0.95)], at(0)) is not None
    quarter = [used(4, 0.25), used(3, 0.75), used(2, 0.25), used(1, 0.75)]
    assert skill_of(quarter, at(0), HotSettings(deviation=0.25)) is None
    assert skill_of(quarter, at(0), HotSettings(deviation=0.2501)) is not None


def test_a_skill_says_what_to_do_and_where_it_does_not_hold() -> None:
    steps = ("look_up", "refund")
    hits = [used(day, steps=steps, told=f"refunded {day}") for day in (3, 2, 1)]
    skill = skill_of([used(4, hit=False, told="there was no account."), *hits], at(0))
    assert skill is not None
    assert skill.preconditions.evidence == ("activity:fix", "input:order")
    assert skill.execution_pattern.steps == steps
    assert skill.execution_pattern.transitions == {"after_look_up": "refund"}
    assert skill.boundaries.invalid_conditions == ("there was no account.",)
    assert skill.outcome_tags.success_patterns == ("refunded 1", "refunded 2", "refunded 3")
    assert skill.line() == (
        "Worked before: look_up -> refund. Holds for: input:order. Not: there was no account."
    )


def test_a_skill_is_of_use_where_all_its_evidence_is() -> None:
    skill = skill_of([used(3), used(2), used(1)], at(0))
    assert skill is not None
    assert of_use([skill], {"activity:fix", "input:order", "input:note"}, "") == [skill]
    assert of_use([skill], {"activity:fix"}, "") == []


def test_evidence_may_be_words_of_the_task() -> None:
    skill = Skill.model_validate(
        {"id": "s", "preconditions": {"evidence": ["refactoring code"]}, "execution_pattern": {"steps": ["read it"]}}
    )
    assert of_use([skill], (), "Refactor this code, please") == [skill]
    assert of_use([skill], (), "Write code") == []


@pytest.mark.parametrize(
    ("features", "of_it"),
    [
        ({"input:order"}, True),
        ({"input:order", "input:claim"}, False),
        ({"input:claim"}, False),
        ({"input:note"}, False),
    ],
)
def test_a_skill_holds_where_its_conditions_say(features: set[str], of_it: bool) -> None:
    """Words among the conditions are for the model to judge."""
    boundaries = {"valid_conditions": ["input:order", "whole code"], "invalid_conditions": ["input:claim", "unclear"]}
    pattern = {"steps": ["read it"]}
    given = {"id": "s", "preconditions": {"evidence": ["refactor"]}, "execution_pattern": pattern}
    skill = Skill.model_validate({**given, "boundaries": boundaries})
    assert (of_use([skill], features, "Refactor this") == [skill]) is of_it


@pytest.mark.parametrize("phase", ["bootstrap", "ingest", "after_turn", "compact"])
def test_a_skill_for_another_phase_is_not_shown_to_an_activity(phase: str) -> None:
    given = {"id": "s", "preconditions": {"phase": phase, "evidence": ["refactor"]}}
    skill = Skill.model_validate({**given, "execution_pattern": {"steps": ["read it"]}})
    assert of_use([skill], (), "Refactor this") == []
