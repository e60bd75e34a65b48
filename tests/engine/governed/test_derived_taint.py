"""What is put together of something from outside is from outside, too: by merges, mappings, instances, errors, edits.

The parts are too short to be known again as texts: it is the values made of them that have to be known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.activities.work import BpmnErrorRaised, Outcome, Work
from engine.governor import Governor
from engine.mappings import Mappings
from engine.status import Status
from governance.vocabulary import Fidelity, Producer
from tests.bpmn.files import policy
from tests.engine.between.city import City, pools
from tests.engine.between.test_messages import MESSAGES, sending
from tests.engine.governed.test_tainting import giving
from tests.engine.models import (
    MESSAGE,
    boundary,
    edges,
    end,
    error,
    gateway,
    instances,
    message,
    model,
    service,
    start,
    sub,
    user,
)
from tests.engine.running import Run, deployed_from

OWN = '<ioSpecification><dataInput id="{0}_own" name="own"/></ioSpecification>'
APART = "s > fetch > g > left > j > last > e", "g > right > j"


KEEP_LAST = '<gov:policy><gov:mergeKey name="n" strategy="LAST_WRITE"/></gov:policy>'


def clean(identifier: str, inside: str = "") -> str:
    """A service that sees `own` alone."""
    return service(identifier, inside=inside + OWN.format(identifier))


def outside(**outputs: Any) -> Callable[[Work], Outcome]:
    return giving(outputs, outside=True)


def tainted(run: Run, *names: str) -> list[bool]:
    space = run.instance.graph.contents(run.head).space("WORKING")
    return [run.instance.taint.holds(space.item(name).value) for name in names]  # type: ignore[union-attr]


def mapped(*parts: tuple[str, str, str]) -> str:
    made = "".join(f'<zeebe:{kind} source="{source}" target="{target}"/>' for kind, source, target in parts)
    return f"<extensionElements><zeebe:ioMapping>{made}</zeebe:ioMapping></extensionElements>"


def merging(rule: str, *, left: Mapping[str, Any], right: Mapping[str, Any], **fetched: Any) -> Run:
    """Two services beside each other that see clean text alone, and a join of what they and `fetch` gave."""
    join = f'<parallelGateway id="j">{policy(f"<gov:policy>{rule}</gov:policy>")}</parallelGateway>'
    parts = (start(), service("fetch"), gateway("g"), clean("left"), clean("right"), join, user("last"), end())
    do = {"left": giving(left), "right": giving(right), "fetch": outside(**fetched)}
    return Run(model(*parts, edges(*APART)), {"own": "ours"}, handlers=do)


@pytest.mark.parametrize(
    ("strategy", "fetched", "left", "right", "value"),
    [
        ("SUM", 5, 7, 8, 10),
        ("APPEND", ["a"], ["a", "b"], ["a", "c"], ["a", "b", "c"]),
        ("APPEND", [], ["b"], ["c"], ["b", "c"]),
    ],
)
def test_a_reducer_s_value_is_made_of_all_that_it_folds(
    strategy: str, fetched: Any, left: Any, right: Any, value: Any
) -> None:
    run = merging(f'<gov:mergeKey name="n" strategy="{strategy}"/>', left={"n": left}, right={"n": right}, n=fetched)
    assert run.variables["n"] == value
    assert tainted(run, "n") == [True]


@pytest.mark.parametrize("strategy", ["SUM", "MAX", "LAST_WRITE"])
def test_what_is_made_of_clean_values_is_clean(strategy: str) -> None:
    run = merging(f'<gov:mergeKey name="n" strategy="{strategy}"/>', left={"n": 2}, right={"n": 3}, mail="a letter")
    assert tainted(run, "mail", "n") == [True, False]


def test_an_object_that_two_branches_changed_is_made_of_both() -> None:
    parts = (start(), clean("make"), gateway("g"), service("fetch"), clean("right"), gateway("j"), user("last"), end())
    flows = edges("s > make > g > fetch > j > last > e", "g > right > j")
    do = {
        "make": giving({"case": {"a": "", "b": ""}, "no": {"a": ""}}),
        "fetch": outside(case={"a": "x", "b": ""}),
        "right": giving({"case": {"a": "", "b": "y"}, "no": {"a": "z"}}),
    }
    run = Run(model(*parts, flows), {"own": "ours"}, handlers=do)
    assert run.variables["case"] == {"a": "x", "b": "y"}
    assert tainted(run, "case", "no") == [True, False]


@pytest.mark.parametrize("stranger", ["left", "right"])
def test_a_chosen_value_is_what_it_was_whatever_it_was_chosen_from(stranger: str) -> None:
    """Of two written at one time that of the later branch stands."""
    join = f'<parallelGateway id="j">{policy(KEEP_LAST)}</parallelGateway>'
    parts = (start(), gateway("g"), clean("left"), clean("right"), join, user("last"), end())
    do = {"left": giving({"n": "l"}), "right": giving({"n": "r"}), stranger: outside(n=stranger[0])}
    flows = edges("s > g > left > j > last > e", "g > right > j")
    run = Run(model(*parts, flows), {"own": "ours"}, handlers=do)
    assert run.variables["n"] == "r"
    assert tainted(run, "n") == [stranger == "right"]


@pytest.mark.parametrize(("answer", "expected"), [({"take": "left"}, True), ({"value": "mine"}, False)])
def test_a_person_s_own_value_is_theirs_and_one_that_they_take_is_a_branch_s(answer: Any, expected: bool) -> None:
    by_person = '<gov:mergeKey name="n" strategy="HUMAN"/>'
    join = f'<parallelGateway id="j">{policy(f"<gov:policy>{by_person}</gov:policy>")}</parallelGateway>'
    parts = (start(), gateway("g"), service("left"), clean("right"), join, user("last"), end())
    flows = edges("s > g > left > j > last > e", "g > right > j")
    run = Run(model(*parts, flows), {"own": "ours"}, handlers={"left": outside(n="x"), "right": giving({"n": "y"})})
    (asked,) = run.instance.interventions.values()
    if "take" in answer:
        shown: Any = asked.shown
        answer = {"take": next(each["branch"] for each in shown["conflicts"][0]["values"] if each["value"] == "x")}
    run.answer(asked.id, "resolve", values={"n": answer})
    assert tainted(run, "n") == [expected]


@pytest.mark.parametrize("sequential", [False, True])
def test_a_list_of_results_is_made_of_each_and_an_item_of_its_list(sequential: bool) -> None:
    def one(work: Work) -> Outcome:
        return Outcome(outputs={"o": work.variables["it"] * 2}, producer=Producer.SERVICE)

    inputs = '<ioSpecification><dataInput id="each_it" name="it"/></ioSpecification>'
    each = service("each", inside=inputs + instances(collection="found", output="doubled", sequential=sequential))
    parts = (start(), service("fetch"), each, user("last"), end(), edges("s > fetch > each > last > e"))
    run = Run(model(*parts), {"own": [1]}, handlers={"fetch": outside(found=[17, 18]), "each": one})
    assert run.variables["doubled"] == [34, 36]
    assert tainted(run, "doubled", "own") == [True, False]


def test_what_mappings_compute_is_made_of_what_they_read() -> None:
    told = mapped(
        ("input", "=mail.sum + 1", "inner"), ("input", "=size + 1", "fine"),
        ("output", "=inner + 1", "more"), ("output", "=fine + 1", "less"), ("output", "=more + less", "both"),
        ("output", "=own", "copy"),
    )  # fmt: skip
    box = sub("x", start("xs"), clean("do"), end("xe"), edges("xs > do > xe"), inside=told)
    parts = (start(), service("fetch"), box, user("last"), end(), edges("s > fetch > x > last > e"))
    run = Run(model(*parts), {"own": "ours", "size": 20}, handlers={"fetch": outside(mail={"sum": 4000})})
    assert {name: run.variables[name] for name in ("more", "less", "both")} == {"more": 4002, "less": 22, "both": 4024}
    assert tainted(run, "more", "less", "both", "copy") == [True, False, True, False]


def test_a_called_process_is_given_what_mappings_compute_and_gives_it_back() -> None:
    told = mapped(
        ("input", "=mail.sum + 1", "n"), ("input", "=size", "m"), ("output", "=n", "back"), ("output", "=m", "own")
    )
    call = f'<callActivity id="x" calledElement="q">{told}</callActivity>'
    beside = f'<process id="q">{start("qs")}{end("qe")}{edges("qs > qe")}</process>'
    parts = (start(), service("fetch"), call, user("last"), end(), edges("s > fetch > x > last > e"))
    run = Run(model(*parts, beside=beside), {"size": 20}, handlers={"fetch": outside(mail={"sum": 4000})}, process="p")
    assert (run.variables["back"], run.variables["own"]) == (4001, 20)
    assert tainted(run, "back", "own") == [True, False]


def test_an_activity_s_own_mappings_are_among_what_it_saw() -> None:
    told = mapped(("output", "=mail.sum + 1", "more"))
    parts = (start(), service("fetch"), clean("do", told), user("last"), end(), edges("s > fetch > do > last > e"))
    run = Run(model(*parts), {"own": "ours"}, handlers={"fetch": outside(mail={"sum": 4000})})
    assert (run.variables["more"], tainted(run, "more")) == (4001, [True])


@pytest.mark.parametrize(("inside", "expected"), [("", True), (OWN.format("do"), False)])
def test_an_error_carries_away_what_was_seen(inside: str, expected: bool) -> None:
    def fail(work: Work) -> Outcome:
        raise BpmnErrorRaised("E", "it is so", {"said": "x"})

    parts = (
        start(), service("fetch"), service("do", inside=inside), boundary("b", "do", error()), user("last"), end(),
        edges("s > fetch > do > e", "b > last > e"),
    )  # fmt: skip
    beside = '<error id="err" name="err" errorCode="E"/>'
    run = Run(model(*parts, beside=beside), {"own": "ours"}, handlers={"fetch": outside(mail="m"), "do": fail})
    assert (run.status, run.variables["said"]) == (Status.WAITING, "x")
    assert tainted(run, "said") == [expected]


def test_what_a_person_left_as_it_was_stays_what_it_was() -> None:
    asks = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/><gov:agent/>')
    parts = (start(), service("fetch"), f'<task id="do">{asks}</task>', user("last"), end())
    made = giving({"note": "n", "other": "o"}, Producer.AGENT)
    run = Run(
        model(*parts, edges("s > fetch > do > last > e")), {"own": "ours"},
        handlers={"fetch": outside(mail="m"), "do": made},
    )  # fmt: skip
    (asked,) = run.instance.interventions.values()
    run.answer(asked.id, "edit", values={"note": "mine"})
    assert (run.variables["note"], run.variables["other"]) == ("mine", "o")
    assert tainted(run, "note", "other") == [False, True]


@pytest.mark.parametrize("told", ["", mapped(("output", "=n + 1", "n"))], ids=["as it is", "mapped"])
def test_what_a_message_brings_is_from_outside(told: str) -> None:
    caught = f'<intermediateCatchEvent id="c">{told}{message()}</intermediateCatchEvent>'
    parts = (start(), caught, clean("right"), user("last"), end(), edges("s > c > right > last > e"))
    run = Run(model(*parts, beside=MESSAGE), {"own": "ours"}, handlers={"right": giving({"y": "r"})})
    run.go(lambda: run.advancing.correlate("m", {"n": 4710}, None))
    assert run.variables["n"] == (4711 if told else 4710)
    assert tainted(run, "n", "y") == [True, False]


def test_a_message_that_begins_an_instance_brings_it_too(tmp_path: Path) -> None:
    city = City(tmp_path / "governor.db")
    begins = start("qs", message("m")) + user("last") + end("qe") + edges("qs > last > qe")
    city.start(pools({"p": sending(), "q": begins}, {"t": "qs"}, MESSAGES), "p", x=4711)

    def look(governor: Governor) -> tuple[Any, bool]:
        stored = governor.store.load("i2")
        live, _ = governor._sessions.restore(stored)
        value = governor.result("i2").variables["x"]
        return value, live.taint.of(value)

    assert city.do(look) == (4711, True)


def test_a_summary_is_as_tainted_as_what_it_is_of() -> None:
    """The agent reads a line of a long letter, and that line is from outside as well."""
    letter = "The pump in hall four stopped at noon, and nobody was hurt by it. " * 40
    asks = policy('<gov:policy workingThreshold="2000"/><gov:agent/>')
    caught = f'<intermediateCatchEvent id="c">{message()}</intermediateCatchEvent>'
    parts = (start(), caught, f'<task id="do">{asks}</task>', user("last"), end(), edges("s > c > do > last > e"))
    run = Run(model(*parts, beside=MESSAGE), handlers={"do": giving({"note": "n"}, Producer.AGENT)})
    run.go(lambda: run.advancing.correlate("m", {"mail": letter}, None))
    mail = run.instance.graph.contents(run.head).space("WORKING").item("mail")
    assert mail is not None
    assert mail.fidelity is Fidelity.SUMMARY
    assert tainted(run, "note") == [True]


def test_what_an_agent_says_it_decided_is_made_of_what_it_saw() -> None:
    """It stands in the record that later agents read, and in no variable."""
    said = "the stranger is to be paid"
    parts = (start(), service("fetch"), f'<task id="do">{policy("<gov:agent/>")}</task>', user("last"), end())
    do = {"fetch": outside(mail="m"), "do": giving({"note": "n"}, Producer.AGENT, decision=said)}
    run = Run(model(*parts, edges("s > fetch > do > last > e")), handlers=do)
    assert run.instance.taint.of(said)


def test_it_outlives_a_restart_like_any_other() -> None:
    run = merging('<gov:mergeKey name="n" strategy="SUM"/>', left={"n": 7}, right={"n": 8}, n=5)
    stored = run.instance.taint.drain()
    assert run.instance.graph.contents(run.head).space("WORKING").item("n").value in stored  # type: ignore[union-attr]


def test_mappings_say_what_they_read() -> None:
    told = mapped(
        ("input", "=a + 1", "x"), ("input", "=x + b", "y.z"), ("output", "=c", "w"), ("output", "=w", "v"),
    )  # fmt: skip
    deployed = deployed_from(model(start(), service("do", inside=told), end(), edges("s > do > e")))
    mappings = Mappings(deployed.index.elements["do"], "m.bpmn")
    assert mappings.inputs_read == {"x": {"a"}, "y": {"x", "a", "b", "y"}}
    assert mappings.outputs_read == {"w": {"c"}, "v": {"w", "c"}}


def test_the_number_of_an_instance_is_made_of_nothing() -> None:
    task = service("a", inside=instances(cardinality="2", item="number"))
    run = Run(model(start(), task, end(), edges("s > a > e")), handlers={"a": outside(x="text")})
    assert run.status is Status.COMPLETED
