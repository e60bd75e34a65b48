"""What has finished is undone in reverse order, once, on the context of whoever throws."""

from __future__ import annotations

import pytest

from engine.activities.work import BpmnErrorRaised, Outcome, Work
from engine.events import EventType
from engine.status import Status
from tests.engine.models import (
    MESSAGE,
    boundary,
    edges,
    end,
    error,
    gateway,
    handler,
    instances,
    message,
    model,
    script,
    start,
    sub,
    throw,
    user,
)
from tests.engine.running import Run

UNDO = "<compensateEventDefinition/>"
ERROR = '<error id="err" errorCode="E1"/>'


def undone(host: str, code: str, *, by_person: bool = False) -> str:
    """A compensation handler `undo_<host>` of an activity."""
    work = user(f"undo_{host}") if by_person else script(f"undo_{host}", code)
    work = work.replace("Task id=", 'Task isForCompensation="true" id=')
    link = f'<association id="as_{host}" sourceRef="c_{host}" targetRef="undo_{host}"/>'
    return boundary(f"c_{host}", host, UNDO) + work + link


def only(activity: str) -> str:
    return f'<compensateEventDefinition activityRef="{activity}"/>'


def test_handlers_run_in_reverse_order_and_the_thrower_goes_on() -> None:
    source = model(
        start(), script("a", "x.append('a')"), undone("a", "x.append('-a')"), user("b"),
        undone("b", "", by_person=True), script("c", "x.append('c')"), throw("t", UNDO), throw("t2", UNDO),
        script("z", "x.append('z')"), end(), edges("s > a > b > c > t > t2 > z > e"),
    )  # fmt: skip
    run = Run(source, {"x": []}, code={"b": "x.append('b')", "undo_b": "x.append('-b')"})
    run.reload().do("b")
    assert run.open_items() == ["undo_b"]
    run.reload().do("undo_b")
    assert run.instance.status is Status.COMPLETED
    assert run.variables["x"] == ["a", "b", "c", "-b", "-a", "z"]
    assert [key for key in run.memory.rows if key[0] == "c"] == []


def test_what_has_not_finished_is_not_undone() -> None:
    source = model(
        start(), gateway("g"), user("a"), undone("a", "x = 9"), user("b"), throw("t", UNDO), end(), end("e2"),
        edges("s > g > a > e", "g > b > t > e2"),
    )  # fmt: skip
    run = Run(source, {"x": 0})
    run.do("b")
    run.do("a")
    assert (run.instance.status, run.variables, run.done()) == (Status.COMPLETED, {"x": 0}, ["b", "a"])


def test_one_activity_may_be_named_and_a_loop_is_undone_round_by_round() -> None:
    source = model(
        start(), script("a", "pass"), undone("a", "x.append('-a')"), gateway("m", "exclusive"),
        script("b", "n = n + 1"), undone("b", "x.append('-b')"), gateway("d", "exclusive", "out"), end("e", only("b")),
        edges("s > a > m > b > d", "d -n < 3-> m", "d =out=> e"),
    )  # fmt: skip
    assert Run(source, {"x": [], "n": 0}).variables["x"] == ["-b"] * 3


@pytest.mark.parametrize("sequential", [True, False])
def test_the_instances_of_an_activity_are_undone_with_their_items(sequential: bool) -> None:
    marker = instances(collection="l", item="it", sequential=sequential)
    source = model(
        start(), script("a", "pass", marker), undone("a", "x.append(it)"), user("u"), end("e", UNDO),
        edges("s > a > u > e"),
    )  # fmt: skip
    run = Run(source, {"x": [], "l": [1, 2, 3]})
    run.reload().do("u")
    assert run.variables["x"] == [3, 2, 1]


def test_a_sub_process_without_a_handler_is_undone_from_inside() -> None:
    inner = sub("sp", start("s2"), script("a", "pass"), undone("a", "x.append('-a')"), script("b", "pass"),
                undone("b", "", by_person=True), end("e2"), edges("s2 > a > b > e2"))  # fmt: skip
    source = model(start(), inner, script("c", "pass"), undone("c", "x.append('-c')"), user("u"), throw("t", UNDO),
                   script("z", "x.append('z')"), end(), edges("s > sp > c > u > t > z > e"))  # fmt: skip
    run = Run(source, {"x": []}, code={"undo_b": "x.append('-b')"})
    run.reload().do("u")
    run.reload().do("undo_b")
    assert (run.instance.status, run.variables["x"]) == (Status.COMPLETED, ["-c", "-b", "-a", "z"])
    assert run.instance.workflow.subprocesses == {}
    assert [key for key in run.memory.rows if key[0] in "cs"] == []


def test_a_handler_of_the_sub_process_takes_the_place_of_those_inside() -> None:
    inner = sub("sp", start("s2"), script("a", "pass"), undone("a", "x.append('-a')"), end("e2"), edges("s2 > a > e2"))
    source = model(start(), inner, undone("sp", "x.append('-sp')"), throw("t", UNDO), end(), edges("s > sp > t > e"))
    assert Run(source, {"x": []}).variables["x"] == ["-sp"]


def test_a_compensation_event_sub_process_decides_itself() -> None:
    own = handler("h", UNDO, script("ha", "x.append('h')"), throw("ht", only("a")), end("he"),
                  edges("h_s > ha > ht > he"))  # fmt: skip
    inner = sub("sp", start("s2"), script("a", "pass"), undone("a", "x.append('-a')"), script("b", "pass"),
                undone("b", "x.append('-b')"), end("e2"), edges("s2 > a > b > e2"), own)  # fmt: skip
    source = model(start(), inner, user("u"), throw("t", UNDO), end(), edges("s > sp > u > t > e"))
    run = Run(source, {"x": []})
    run.reload().do("u")
    assert (run.instance.status, run.variables["x"]) == (Status.COMPLETED, ["h", "-a"])


def test_an_error_handler_undoes_what_its_scope_has_done() -> None:
    own = handler("h", error(), throw("ht", UNDO), end("he"), edges("h_s > ht > he"))
    source = model(start(), script("a", "x = 1"), undone("a", "seen = x"), end("e", error()), edges("s > a > e"), own,
                   beside=ERROR)  # fmt: skip
    run = Run(source, {"x": 0})
    assert (run.status, run.variables) == (Status.COMPLETED, {"x": 1, "seen": 1})


def test_a_handler_that_fails_is_an_incident_and_goes_on_when_retried() -> None:
    def fail(work: Work) -> Outcome:
        raise BpmnErrorRaised("E1", "no")

    service = '<serviceTask id="undo_a" isForCompensation="true" gov:jobType="job"/>'
    source = model(
        start(), script("a", "pass"), boundary("c_a", "a", UNDO), service,
        '<association id="as" sourceRef="c_a" targetRef="undo_a"/>', throw("t", UNDO), script("z", "y = x"), end(),
        edges("s > a > t > z > e"),
    )  # fmt: skip
    run = Run(source, handlers={"undo_a": fail})
    assert run.status is Status.FAILED
    run.handlers["undo_a"] = lambda work: Outcome(outputs={"x": 1})
    run.reload()
    (task,) = run.instance.incidents
    run.retry(task)
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 1})


TRANSACTION = sub(
    "t", start("s2"), gateway("g"), script("a", "x = 1"), undone("a", "refund = x"), user("b"), user("c"),
    end("e2"), end("e3", "<cancelEventDefinition/>"), edges("s2 > g > a > b > e2", "g > c > e3"),
).replace("subProcess", "transaction")  # fmt: skip


def test_a_cancelled_transaction_is_taken_back_and_goes_on_at_its_cancel_event() -> None:
    source = model(start(), TRANSACTION, boundary("k", "t", "<cancelEventDefinition/>"), user("h"), user("n"), end(),
                   end("e4"), edges("s > t > n > e", "k > h > e4"))  # fmt: skip
    run = Run(source, {"x": 0})
    run.reload().do("c")
    assert run.open_items() == ["h"]
    assert "refund" in run.variables
    run.reload().do("h")
    assert run.instance.status is Status.COMPLETED
    assert "n" not in run.done()
    assert len(run.events(EventType.INTERRUPTED)) == 2


def test_a_transaction_that_is_not_cancelled_is_a_sub_process() -> None:
    plain = sub("t", start("s2"), script("a", "x = 1"), end("e2"), edges("s2 > a > e2"))
    source = model(start(), plain.replace("subProcess", "transaction"), end(), edges("s > t > e"))
    assert Run(source).variables == {"x": 1}


def test_an_interrupted_activity_has_nothing_to_undo() -> None:
    source = model(
        start(), user("a", instances(cardinality="2", sequential=True, item="")), undone("a", "x = 9"),
        boundary("b", "a", message()), throw("t", UNDO), end(), end("e2"), edges("s > a > e", "b > t > e2"),
        beside=MESSAGE,
    )  # fmt: skip
    run = Run(source, {"x": 0})
    run.do("a")
    run.reload().go(lambda: run.advancing.correlate("m", {}))
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 0})


def test_who_does_not_wait_goes_on_beside_it() -> None:
    hurried = UNDO.replace("/>", ' waitForCompletion="false"/>')
    source = model(
        start(), script("a", "x = 1"), undone("a", "", by_person=True), throw("t", hurried), user("b"), end(),
        edges("s > a > t > b > e"),
    )  # fmt: skip
    run = Run(source, code={"undo_a": "y = x", "b": "z = x"})
    assert sorted(run.reload().open_items()) == ["b", "undo_a"]
    run.do("b")
    assert run.instance.status is Status.WAITING
    run.do("undo_a")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "y": 1, "z": 1})


def test_an_end_event_ends_once_all_is_undone_whether_it_waits_or_not() -> None:
    hurried = UNDO.replace("/>", ' waitForCompletion="false"/>')
    source = model(start(), script("a", "x = 1"), undone("a", "x = 2"), end("e", hurried), edges("s > a > e"))
    run = Run(source)
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 2})
