"""What makes a change of a definition's policies one that a person has to look at."""

from __future__ import annotations

import pytest

from bpmn.load import load
from engine.people.design_review import Review, review
from governance.vocabulary import InteractionLevel
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, service, start


def process(inside: str = "", *, join: str = "", around: str = "", second: str = "b") -> bytes:
    return model(
        policy(around) if around else "", start(), gateway("g"), service("a", inside=policy(inside) if inside else ""),
        script(second, "x = 1"), f'<parallelGateway id="j">{policy(join) if join else ""}</parallelGateway>', end(),
        edges("s > g > a > j > e", f"g > {second} > j"),
    )  # fmt: skip


def compared(old: bytes, new: bytes) -> Review:
    loaded = load(new, file="new.bpmn")
    return review(loaded.definition, (), load(old, file="old.bpmn").definition)


def own(fields: str, children: str = "") -> str:
    return f"<gov:policy {fields}>{children}</gov:policy>"


@pytest.mark.parametrize(
    ("old", "new", "key", "change"),
    [
        (own('windowTokens="9000"'), own('windowTokens="8000"'), False, "windowTokens 9000 -> 8000 at a"),
        (own('retainKeys="x"'), own('retainKeys="x, y"'), False, 'retainKeys ["x"] -> ["x","y"] at a'),
        (own('retainKeys="x, y"'), own('retainKeys="x"'), True, 'retainKeys ["x","y"] -> ["x"] at a'),
        (
            own('interactionLevel="DIFF_PREVIEW"'), own('interactionLevel="EXPLICIT_APPROVAL"'), False,
            "interactionLevel DIFF_PREVIEW -> EXPLICIT_APPROVAL at a",
        ),
        (own('interactionLevel="DIFF_PREVIEW"'), "", True, "interactionLevel DIFF_PREVIEW -> AUTO_ALLOW at a"),
        (
            own("", '<gov:approval roles="x" due="PT1H"/>'), own("", '<gov:approval roles="x" due="PT2H"/>'), False,
            'approval {"due":"PT1H"} -> {"due":"PT2H"} at a',
        ),
    ],
)  # fmt: skip
def test_a_change_is_told_and_a_key_rule_is_approved(old: str, new: str, key: bool, change: str) -> None:
    found = compared(process(old), process(new))
    assert (found.facts.key_rules, found.facts.changed) == (((change,), ()) if key else ((), (change,)))
    level = InteractionLevel.EXPLICIT_APPROVAL if key else InteractionLevel.DIFF_PREVIEW
    assert found.verdict.level is level


@pytest.mark.parametrize("name", ["merge", "key"])
def test_a_merge_strategy_is_a_key_rule(name: str) -> None:
    by_key = '<gov:mergeKey name="x" strategy="SUM"/>'
    new = own("", by_key if name == "key" else '<gov:branchStrategy merge="HUMAN"/>')
    found = compared(process(), process(join=new))
    (rule,) = found.facts.key_rules
    assert rule.startswith("branchStrategy.")
    assert rule.endswith(" at j")


def test_what_is_inherited_is_told_once_with_where_it_counts() -> None:
    before, after = (process(around=own(f'windowTokens="{tokens}"')) for tokens in (9000, 8000))
    (change,) = compared(before, after).facts.changed
    assert change == "windowTokens 9000 -> 8000 at p, s, g, a and 3 more"


def test_an_activity_that_is_gone_takes_its_floor_with_it() -> None:
    old = process().replace(b'<scriptTask id="b"', b'<scriptTask id="b" gov:interactionLevel="EXPLICIT_APPROVAL"')
    assert compared(old, process(second="c")).facts.key_rules == ("interactionLevel EXPLICIT_APPROVAL gone at b",)
    assert compared(process(), process(second="c")).verdict.level is InteractionLevel.AUTO_ALLOW


def test_the_same_again_is_nothing() -> None:
    source = process(own('windowTokens="9000"'))
    assert compared(source, source).verdict.level is InteractionLevel.AUTO_ALLOW


def test_a_low_score_is_approved() -> None:
    loaded = load(process().replace(b"</process>", b'<task id="lonely"/><task id="lonelier"/></process>'), file="m")
    judged = review(loaded.definition, 9 * loaded.findings)
    assert judged.score < 0.3
    assert judged.verdict.level is InteractionLevel.EXPLICIT_APPROVAL
