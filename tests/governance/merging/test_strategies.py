"""Which strategy applies, and what those that choose a value choose."""

from __future__ import annotations

import pytest

from governance.merging.conflicts import Status
from governance.merging.merge import Answer
from governance.merging.rules import MergeRules
from governance.vocabulary import InteractionLevel, MergeStrategy
from tests.governance.merging.branches import Branches, by

HIGHEST, HUMAN, LAST = MergeStrategy.HIGHEST_CONFIDENCE, MergeStrategy.HUMAN, MergeStrategy.LAST_WRITE


@pytest.fixture
def process() -> Branches:
    return Branches()


def heads(process: Branches, *confidences: float, name: str = "x") -> dict[str, str]:
    """Branches a, b, c write 1, 2, 3 one after another."""
    split = process.start({name: 0})
    return {
        branch: process.write(split, branch, {name: value}, confidence=confidence)
        for branch, value, confidence in zip("abc", (1, 2, 3), confidences, strict=False)
    }


@pytest.mark.parametrize(
    ("name", "path", "strategy"),
    [
        ("claim", "", HUMAN),
        ("claim", "/total", MergeStrategy.SUM),
        ("claim", "/total/net", MergeStrategy.SUM),
        ("claim", "/who", HUMAN),
        ("claims", "", HIGHEST),
        ("notes", "", MergeStrategy.APPEND),
        ("notes", '/[id="1"]/text', MergeStrategy.APPEND),
        ("x", "", LAST),
    ],
)
def test_an_exact_name_comes_before_a_glob_and_that_before_the_default(
    name: str, path: str, strategy: MergeStrategy
) -> None:
    keys = {"n*": MergeStrategy.APPEND, "c*": HIGHEST, "cl*": LAST, "claim": HUMAN, "claim/total": MergeStrategy.SUM}
    assert MergeRules(default=LAST, keys=keys).strategy(name, path) is strategy


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("o.f", "/f"),
        ("o/f", "/f"),
        ("o.f", "/f/deep"),
        ("o.f.deep", "/f/deep"),
        ("o.*", "/f/deep"),
        ("o/*", "/f"),
        ('o[id="7"].qty', '/[id="7"]/qty'),
        ('o/[id="7"]/qty', '/[id="7"]/qty'),
        ("o.lines[id=7]", "/lines/[id=7]/qty"),
        ("o.a/b", "/a~1b"),
    ],
)
def test_a_place_may_be_written_with_dots_or_slashes(written: str, path: str) -> None:
    rules = MergeRules(default=LAST, keys={"p": HUMAN, written: HIGHEST})
    assert rules.strategy("o", path) is HIGHEST
    assert rules.strategy("o", "") is LAST
    assert rules.strategy("o", "/other") is (HIGHEST if "*" in written else LAST)
    assert rules.strategy("oo", path) is LAST


def test_what_matters_is_retained_or_read_by_a_condition() -> None:
    rules = MergeRules(retained=("risk*", "id"), gateway_keys=frozenset({"amount"}))
    assert [name for name in ("risk", "risk_note", "id", "idx", "amount", "amounts") if rules.matters(name)] == [
        "risk",
        "risk_note",
        "id",
        "amount",
    ]


def test_without_a_strategy_the_last_write_stands_and_somebody_is_told(process: Branches) -> None:
    plan = process.plan(heads(process, 1, 1), MergeRules())
    (conflict,) = plan.notices
    assert (conflict.status, conflict.winner, conflict.value) == (Status.SETTLED, "b", 2)
    assert plan.open == ()


def test_a_declared_last_write_is_no_notice(process: Branches) -> None:
    plan = process.plan(heads(process, 1, 1), by(x=LAST))
    assert (len(plan.conflicts), plan.notices) == (1, ())


@pytest.mark.parametrize(
    "rules", [MergeRules(retained=("x",)), MergeRules(retained=("*",)), MergeRules(gateway_keys=frozenset({"x"}))]
)
def test_without_a_strategy_a_person_decides_about_what_matters(process: Branches, rules: MergeRules) -> None:
    plan = process.plan(heads(process, 1, 1), rules)
    (conflict,) = plan.open
    assert (conflict.strategy, plan.notices) == (HUMAN, ())


def test_a_declared_strategy_holds_for_what_matters_too(process: Branches) -> None:
    rules = MergeRules(keys={"x": LAST}, retained=("x",))
    assert process.plan(heads(process, 1, 1), rules).open == ()


@pytest.mark.parametrize("strategy", [HUMAN, MergeStrategy.MODEL])
def test_human_leaves_the_conflict_open(process: Branches, strategy: MergeStrategy) -> None:
    (conflict,) = process.plan(heads(process, 1, 1), by(x=strategy)).open
    assert conflict.strategy is strategy


def test_human_asks_nothing_when_the_branches_agree(process: Branches) -> None:
    split = process.start(x=0)
    both = {branch: process.write(split, branch, x=1) for branch in "ab"}
    assert process.plan(both, by(x=HUMAN)).conflicts == ()


def test_the_most_confident_value_stands(process: Branches) -> None:
    (conflict,) = process.plan(heads(process, 0.4, 0.9, 0.6), by(x=HIGHEST)).conflicts
    assert (conflict.winner, conflict.value) == ("b", 2)
    assert [value.confidence for value in conflict.values] == [0.4, 0.9, 0.6]


def test_of_equally_confident_values_the_last_stands(process: Branches) -> None:
    (conflict,) = process.plan(heads(process, 0.9, 0.9, 0.6), by(x=HIGHEST)).conflicts
    assert (conflict.winner, conflict.status) == ("b", Status.SETTLED)


@pytest.mark.parametrize("level", list(InteractionLevel))
def test_a_tie_is_asked_about_from_diff_preview_on(process: Branches, level: InteractionLevel) -> None:
    rules = MergeRules(default=HIGHEST, level=level)
    asked = bool(process.plan(heads(process, 0.9, 0.9, 0.6), rules).open)
    assert asked == level.at_least(InteractionLevel.DIFF_PREVIEW)


def test_equal_values_are_no_tie(process: Branches) -> None:
    split = process.start(x=0)
    branches = {
        branch: process.write(split, branch, x=value, confidence=confidence)
        for branch, value, confidence in (("a", 1, 0.9), ("b", 1, 0.9), ("c", 2, 0.3))
    }
    rules = MergeRules(default=HIGHEST, level=InteractionLevel.EXPLICIT_APPROVAL)
    assert process.plan(branches, rules).conflicts[0].value == 1


def test_what_an_inner_join_took_keeps_its_confidence(process: Branches) -> None:
    branches = heads(process, 0.9, 0.5, 0.7)
    c = branches.pop("c")
    inner = process.joined(branches, by(x=HIGHEST), branch="ab")
    assert process.value(process.joined({"ab": inner, "c": c}, by(x=HIGHEST)), "x") == 1


def test_a_copy_of_what_was_overwritten_is_not_the_surest(process: Branches) -> None:
    """a wrote 1, surest of all, and split; a2 overwrote it. a1, which only has the copy, is joined with c first."""
    split = process.start(x=0)
    a = process.write(split, "a", x=1, confidence=0.9)
    a1, a2 = process.write(a, "a1", y=1), process.write(a, "a2", x=2, confidence=0.1)
    c = process.write(split, "c", x=3, confidence=0.5)
    first = process.joined({"a1": a1, "c": c}, by(x=HIGHEST), branch="a1+c")
    assert process.value(first, "x") == 1
    assert process.value(process.joined({"a1+c": first, "a2": a2}, by(x=HIGHEST)), "x") == 3
    assert process.value(process.joined({"a1": a1, "a2": a2, "c": c}, by(x=HIGHEST)), "x") == 3


def test_an_agreement_is_as_sure_as_the_surest_who_agrees(process: Branches) -> None:
    split = process.start(x=0)
    a, b = process.write(split, "a", x=1, confidence=0.9), process.write(split, "b", x=1, confidence=0.1)
    c = process.write(split, "c", x=2, confidence=0.5)
    inner = process.joined({"a": a, "b": b}, by(x=HIGHEST), branch="ab")
    assert process.value(process.joined({"ab": inner, "c": c}, by(x=HIGHEST)), "x") == 1


def test_what_a_person_decided_is_sure(process: Branches) -> None:
    branches = heads(process, 0.9, 0.2, 0.95)
    c = branches.pop("c")
    inner = process.joined(branches, by(x=HUMAN), answers={"x": Answer.take("b")}, branch="ab")
    (conflict,) = process.plan({"ab": inner, "c": c}, by(x=HIGHEST)).conflicts
    assert (conflict.winner, conflict.value) == ("b", 2)
    assert [(value.value, value.confidence, value.activity) for value in conflict.values] == [
        (2, 1.0, "join"),
        (3, 0.95, "by c"),
    ]


def test_fields_taken_by_an_inner_join_keep_their_own_confidence(process: Branches) -> None:
    split = process.start(v={"p": 0, "q": 0})
    a = process.write(split, "a", v={"p": 1, "q": 0}, confidence=0.9)
    b = process.write(process.write(split, "b", v={"p": 2, "q": 0}, confidence=0.2), "b", v={"p": 2, "q": 2})
    d = process.write(split, "d", v={"p": 0, "q": 4}, confidence=0.3)
    inner = process.joined({"a": a, "b": b, "d": d}, by(v=HIGHEST), branch="abd")
    assert process.value(inner, "v") == {"p": 1, "q": 2}
    c = process.write(split, "c", v={"p": 3, "q": 3}, confidence=0.5)
    assert process.value(process.joined({"abd": inner, "c": c}, by(v=HIGHEST)), "v") == {"p": 1, "q": 2}


def test_time_comes_before_generation_and_that_before_the_branch(process: Branches) -> None:
    split = process.start(x=0)
    short_late = process.write(split, "a", x="late", at=7)
    long_early = process.write(process.write(split, "b", y=1, at=6), "b", x="deep", at=6)
    assert process.value(process.joined({"a": short_late, "b": long_early}, at=9), "x") == "late"
    short_same = process.write(split, "z", x="shallow", at=6)
    assert process.value(process.joined({"z": short_same, "b": long_early}, at=9), "x") == "deep"
    other_same = process.write(split, "y", x="y", at=6)
    assert process.value(process.joined({"z": short_same, "y": other_same}, at=9), "x") == "shallow"
