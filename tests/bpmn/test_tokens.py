"""Tokens are played through: what waits for ever, what runs twice, what never ends; and what is right stays quiet."""

from __future__ import annotations

import pytest

from tests.bpmn.files import loaded, process
from tests.engine.models import boundary, edges, end, gateway, model, script, start

SOUND = {"join-deadlock", "runs-twice", "no-way-out", "not-decided"}


def found(*content: str, beside: str = "") -> dict[str, list[str | None]]:
    """The elements that each of these rules names."""
    told: dict[str, list[str | None]] = {}
    for finding in loaded(model(*content, beside=beside), process="p").findings:
        if finding.rule in SOUND:
            told.setdefault(finding.rule, []).append(finding.element)
    return told


def xor(id: str) -> str:
    return f'<exclusiveGateway id="{id}"/>'


def ior(id: str) -> str:
    return f'<inclusiveGateway id="{id}"/>'


TASKS = [script(name, "x = 1") for name in "abcd"]
DIAMOND = "s > g > a > j > e", "g > b > j"


def test_what_is_split_and_joined_alike_is_right() -> None:
    for one in (xor, gateway, ior):
        assert found(start(), one("g"), *TASKS[:2], one("j"), end(), edges(*DIAMOND)) == {}


def test_a_choice_before_a_join_waits_for_ever() -> None:
    assert found(start(), xor("g"), *TASKS[:2], gateway("j"), end(), edges(*DIAMOND)) == {"join-deadlock": ["j"]}


def test_some_of_a_choice_before_a_join_may_wait_for_ever() -> None:
    assert found(start(), ior("g"), *TASKS[:2], gateway("j"), end(), edges(*DIAMOND)) == {"join-deadlock": ["j"]}


def test_a_split_before_a_merge_runs_what_follows_twice() -> None:
    assert found(start(), gateway("g"), *TASKS[:2], xor("j"), end(), edges(*DIAMOND)) == {"runs-twice": ["j"]}


def test_a_split_into_one_activity_runs_it_twice() -> None:
    assert found(start(), gateway("g"), *TASKS[:3], end(), edges("s > g > a > c > e", "g > b > c")) == {
        "runs-twice": ["c"]
    }


def test_an_inclusive_join_takes_what_comes_of_a_parallel_split() -> None:
    assert found(start(), gateway("g"), *TASKS[:2], ior("j"), end(), edges(*DIAMOND)) == {}


def test_inclusive_joins_in_a_loop_do_not_wait_for_each_other() -> None:
    ways = edges(
        "s > m > g > h > a > j > k > w > e", "h > b > j", "g > i > c > l > k", "i > d > l", "w > m"
    )
    gates = [xor("m"), gateway("g"), ior("h"), ior("i"), ior("j"), ior("l"), gateway("k"), xor("w")]
    assert found(start(), *gates, *TASKS, end(), ways) == {}


def test_a_deadlock_behind_other_gateways_is_found() -> None:
    ways = edges("s > g > a > h > b > j > e", "h > c > j", "g > d > j")
    assert found(start(), gateway("g"), xor("h"), *TASKS, gateway("j"), end(), ways) == {"join-deadlock": ["j"]}


def test_a_nested_split_into_one_join_is_right() -> None:
    ways = edges("s > g > a > h > b > j > e", "h > c > j", "g > d > j")
    assert found(start(), gateway("g"), gateway("h"), *TASKS, gateway("j"), end(), ways) == {}


def test_a_loop_with_a_way_out_is_right_and_one_without_is_not() -> None:
    assert found(start(), xor("m"), TASKS[0], xor("d"), end(), edges("s > m > a > d > e", "d > m")) == {}
    assert list(found(start(), xor("m"), *TASKS[:2], edges("s > m > a > b > m"))) == ["no-way-out"]


def test_a_loop_of_choices_without_an_end_never_ends() -> None:
    told = found(start(), xor("m"), xor("d"), *TASKS[:2], edges("s > m > d > a > m", "d > b > m"))
    assert list(told) == ["no-way-out"]


def test_a_split_in_a_loop_sends_tokens_out_for_ever() -> None:
    told = found(start(), xor("m"), gateway("g"), TASKS[0], end(), edges("s > m > g > e", "g > a > m"))
    assert list(told) == ["no-way-out"]


def test_an_interrupting_event_beside_a_join_is_a_deadlock() -> None:
    timer = boundary("t", "a", "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>")
    content = [start(), gateway("g"), *TASKS[:2], timer, gateway("j"), end(), '<endEvent id="x"/>']
    assert found(*content, edges(*DIAMOND, "t > x")) == {"join-deadlock": ["j"]}


def test_a_terminate_end_takes_the_other_tokens_with_it() -> None:
    stop = '<endEvent id="x"><terminateEventDefinition/></endEvent>'
    ways = edges("s > g > a > d > j > e", "d > x", "g > b > j")
    assert found(start(), gateway("g"), xor("d"), *TASKS[:2], gateway("j"), stop, end(), ways) == {}


def test_a_link_leads_on() -> None:
    throw = '<intermediateThrowEvent id="out"><linkEventDefinition name="l"/></intermediateThrowEvent>'
    catch = '<intermediateCatchEvent id="in"><linkEventDefinition name="l"/></intermediateCatchEvent>'
    ways = edges("s > g > a > j > e", "g > out", "in > b > j")
    assert found(start(), gateway("g"), *TASKS[:2], throw, catch, gateway("j"), end(), ways) == {}


def test_several_start_events_are_ways_to_begin_and_not_tokens_beside_each_other() -> None:
    assert found(start(), start("s2"), TASKS[0], end(), edges("s > a > e", "s2 > a")) == {}


def test_what_is_too_large_to_be_played_through_says_so() -> None:
    content, ways = [start(), gateway("g"), gateway("j"), end()], ["s > g", "j > e"]
    for number in range(14):
        names = [f"x{number}", f"a{number}", f"b{number}", f"m{number}"]
        content += [xor(names[0]), script(names[1], "x = 1"), script(names[2], "x = 1"), gateway(names[3])]
        ways += [f"g > {names[0]} > {names[1]} > j", f"{names[0]} > {names[2]} > j"]
    assert "not-decided" in found(*content, edges(*ways))


def test_a_long_row_and_a_wide_split_are_played_at_once() -> None:
    row = [script(f"r{number}", "x = 1") for number in range(1_000)]
    assert found(start(), *row, end(), edges(" > ".join(["s", *(f"r{number}" for number in range(1_000)), "e"]))) == {}
    ways = [f"g > r{number} > j" for number in range(500)]
    assert found(start(), gateway("g"), *row[:500], gateway("j"), end(), edges("s > g", "j > e", *ways)) == {}


@pytest.mark.parametrize("kind", ["complexGateway"])
def test_gateways_that_count_are_not_decided(kind: str) -> None:
    content = f'<startEvent id="s"/><{kind} id="g"/><endEvent id="e"/>'
    flows = '<sequenceFlow id="f" sourceRef="s" targetRef="g"/><sequenceFlow id="h" sourceRef="g" targetRef="e"/>'
    findings = loaded(process(content + flows)).findings
    assert "not-decided" in [each.rule for each in findings]
