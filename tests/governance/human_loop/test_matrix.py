"""The 20 cells: each reached by facts, with its boundaries, its reason and what is called."""

from __future__ import annotations

import itertools

import pytest

from governance.human_loop.detector import HumanLoopTriggerDetector
from governance.human_loop.facts import ConflictFacts, DesignFacts, Facts, QualityFacts, RuntimeFacts, review_score
from governance.human_loop.matrix import MATRIX
from governance.vocabulary import InteractionLevel, Trigger

ALLOW = InteractionLevel.AUTO_ALLOW
SUGGEST = InteractionLevel.MICRO_SUGGESTION
PREVIEW = InteractionLevel.DIFF_PREVIEW
APPROVE = InteractionLevel.EXPLICIT_APPROVAL
DENY = InteractionLevel.AUTO_DENY

CASES: list[tuple[Facts, InteractionLevel, str]] = [
    (DesignFacts(activities=4), ALLOW, "nothing found"),
    (DesignFacts(warnings=("no retain keys",), activities=4), SUGGEST, "lint warnings: no retain keys"),
    (DesignFacts(errors=("no accountable",), activities=4), SUGGEST, "lint errors: no accountable"),
    (DesignFacts(changed=("working_threshold",), activities=4), PREVIEW, "policy changed: working_threshold"),
    (DesignFacts(key_rules=("retain_keys",), changed=("x",)), APPROVE, "key rules changed: retain_keys"),
    (DesignFacts(errors=("a", "b", "c"), activities=4), APPROVE, "review score below 0.3: 0.25"),
    (DesignFacts(errors=("a",) * 7, activities=10), SUGGEST, "lint errors: " + ", ".join("a" * 7)),
    (DesignFacts(invalid=("threshold 0",), key_rules=("x",)), DENY, "invalid policy: threshold 0"),
    (RuntimeFacts(), ALLOW, "attention of 0.8 or more after D1"),
    (RuntimeFacts(score_after_d1=0.8), ALLOW, "attention of 0.8 or more after D1"),
    (RuntimeFacts(score_after_d1=0.79), SUGGEST, "attention after D1 below 0.8: 0.79"),
    (RuntimeFacts(score_after_d1=0.2), SUGGEST, "attention after D1 below 0.8: 0.2"),
    (RuntimeFacts(score_after_d1=0.9, warning_80=True), SUGGEST, "WORKING reached 80 % of its threshold"),
    (RuntimeFacts(drift_alert=True), SUGGEST, "the activity drifts from its target"),
    (RuntimeFacts(declared_inputs_compressed=("log",)), PREVIEW, "declared inputs were compressed: log"),
    (RuntimeFacts(score_after_d1=0.19), APPROVE, "attention after D1 below 0.2: 0.19"),
    (RuntimeFacts(score_after_d1=-0.5), APPROVE, "attention after D1 below 0.2: -0.5"),
    (RuntimeFacts(retained_overflow=("a", "b")), APPROVE, "retained entries alone exceed the threshold: a, b"),
    (RuntimeFacts(usage_overflow=True), APPROVE, "the prompt exceeds the window with nothing left to lower"),
    (RuntimeFacts(system_write_by="host"), APPROVE, "SYSTEM written after start: host"),
    (RuntimeFacts(system_write_by="operator"), APPROVE, "SYSTEM written after start: operator"),
    (RuntimeFacts(system_write_by="model"), DENY, "SYSTEM written after start: model"),
    (RuntimeFacts(system_write_by="tool", score_after_d1=0.1), DENY, "SYSTEM written after start: tool"),
    (QualityFacts(), ALLOW, "confidence of 0.7 or more"),
    (QualityFacts(0.7), ALLOW, "confidence of 0.7 or more"),
    (QualityFacts(0.69), SUGGEST, "confidence below 0.7: 0.69"),
    (QualityFacts(0.4), SUGGEST, "confidence below 0.7: 0.4"),
    (QualityFacts(0.39), PREVIEW, "confidence below 0.4: 0.39"),
    (QualityFacts(0.0), PREVIEW, "confidence below 0.4: 0"),
    (QualityFacts(0.9, broken_chain=("cites [k7]",)), PREVIEW, "broken chain: cites [k7]"),
    (QualityFacts(0.9, missing_outputs=("cause",)), APPROVE, "declared outputs missing: cause"),
    (QualityFacts(0.9, mistyped=("count",)), APPROVE, "declared outputs of the wrong type: count"),
    (QualityFacts(0.9, blocked_tool="rm"), DENY, "blocked tool: rm"),
    (QualityFacts(0.9, breached_guard="no secrets"), DENY, "breached guard: no secrets"),
    (ConflictFacts(settled=("a",)), ALLOW, "all settled by rule"),
    (ConflictFacts(settled=("a",), notices=("b",)), SUGGEST, "settled by LAST_WRITE for want of a rule: b"),
    (ConflictFacts(notices=("b",), open_keys=("c", "d")), PREVIEW, "open conflicts: c, d"),
    (
        ConflictFacts(open_keys=("c", "d"), open_on_retained_or_gateway=("d",)),
        APPROVE,
        "open conflicts on retained or gateway keys: d",
    ),
    (ConflictFacts(open_keys=("c",), denied=("total",)), DENY, "cannot be merged: total"),
]


@pytest.mark.parametrize(("facts", "level", "reason"), CASES, ids=lambda case: str(case)[:60])
def test_facts_stand_in_their_cell(facts: Facts, level: InteractionLevel, reason: str) -> None:
    verdict = HumanLoopTriggerDetector().evaluate(facts.trigger, facts)
    assert (verdict.trigger, verdict.level, verdict.reason) == (facts.trigger, level, reason)


def test_all_twenty_cells_are_reached_and_described() -> None:
    cells = set(itertools.product(Trigger, InteractionLevel))
    assert len(cells) == 20
    assert {(facts.trigger, level) for facts, level, _ in CASES} == cells
    assert all(MATRIX[trigger][level].meaning for trigger, level in cells)


def test_all_signs_of_a_cell_are_told() -> None:
    verdict = HumanLoopTriggerDetector().evaluate(
        Trigger.RUNTIME, RuntimeFacts(score_after_d1=0.5, warning_80=True, drift_alert=True)
    )
    assert verdict.reasons == (
        "attention after D1 below 0.8: 0.5",
        "WORKING reached 80 % of its threshold",
        "the activity drifts from its target",
    )


def test_facts_of_another_trigger_are_refused() -> None:
    with pytest.raises(TypeError, match="QualityFacts are facts of QUALITY, not of RUNTIME"):
        HumanLoopTriggerDetector().evaluate(Trigger.RUNTIME, QualityFacts())


@pytest.mark.parametrize(("level", "floor"), [*itertools.product(InteractionLevel, InteractionLevel)])
def test_the_floor_raises_and_never_lowers(level: InteractionLevel, floor: InteractionLevel) -> None:
    detector = HumanLoopTriggerDetector()
    assert detector.determine_level(level, floor).rank == max(level.rank, floor.rank)
    assert detector.determine_level(level, floor, applies=False) is level


def test_a_raised_verdict_says_so() -> None:
    detector = HumanLoopTriggerDetector()
    raised = detector.evaluate(Trigger.QUALITY, QualityFacts(0.9), floor=PREVIEW, applies=True)
    assert (raised.level, raised.reasons) == (
        PREVIEW,
        ("confidence of 0.7 or more", "the activity asks for DIFF_PREVIEW at least"),
    )
    assert detector.evaluate(Trigger.QUALITY, QualityFacts(0.9), floor=PREVIEW).level is ALLOW


@pytest.mark.parametrize(
    ("facts", "mode"),
    [
        (QualityFacts(0.9), None),
        (QualityFacts(0.5), "suggestion"),
        (QualityFacts(0.1), "diff_preview"),
        (QualityFacts(missing_outputs=("x",)), "explicit_approval"),
        (QualityFacts(blocked_tool="x"), None),
    ],
)
def test_what_human_confirm_is_called_with(facts: QualityFacts, mode: str | None) -> None:
    assert HumanLoopTriggerDetector().evaluate(Trigger.QUALITY, facts).confirm_mode == mode


@pytest.mark.parametrize(
    ("errors", "warnings", "activities", "score"),
    [(0, 0, 0, 1.0), (0, 4, 4, 0.75), (1, 2, 2, 0.25), (9, 0, 2, 0.0), (1, 0, 0, 0.0), (7, 0, 10, 0.3)],
)
def test_review_score(errors: int, warnings: int, activities: int, score: float) -> None:
    assert review_score(errors, warnings, activities) == pytest.approx(score)
