"""D2 and D3 around gateways: branches, conflicts, people."""

from __future__ import annotations

import pytest

from engine.events import EventType
from engine.status import Status
from governance.merging.errors import UnknownAnswer
from governance.vocabulary import Fidelity
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, instances, model, script, start, user
from tests.engine.running import Run


def two(join: str = "", *, after: str = "", split: str = "") -> bytes:
    """Two people's tasks between a split and a join; `after` is a condition behind the join that reads variables."""
    inside = f'<parallelGateway id="j">{join}</parallelGateway>'
    tail = (
        gateway("x", "exclusive", default="d"), script("yes", "went = 'yes'"), end(), end("e2"),
        edges(f"j > x -{after}-> yes > e", "x =d=> e2"),
    ) if after else (end(), edges("j > e"))  # fmt: skip
    first = f'<parallelGateway id="g">{split}</parallelGateway>'
    return model(start(), first, user("a"), user("b"), inside, *tail, edges("s > g > a > j", "g > b > j"))


def conflicting(source: bytes) -> Run:
    return Run(source, {"x": 0}, code={"a": "x = 1", "b": "x = 2"}).do_all("ab")


def test_a_branch_has_a_name_a_person_can_read() -> None:
    run = Run(two(), code={"a": "x = 1", "b": "y = 1"})
    assert sorted(item.branch for item in run.instance.work_items.values()) == ["/g@1:2.a", "/g@1:2.b"]
    (split,) = run.events(EventType.D2)
    assert split.data["branches"] == ["/g@1:2.a", "/g@1:2.b"]
    run.do_all()
    (merge,) = run.events(EventType.D3)
    assert merge.branch == ""
    assert sorted(merge.data["branches"]) == ["/g@1:2.a", "/g@1:2.b"]


def test_a_plain_conflict_is_settled_by_the_last_write_and_told() -> None:
    run = conflicting(two())
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 2})
    (notice,) = [event for event in run.events(EventType.NOTICE) if event.data["trigger"] == "CONFLICT"]
    assert (notice.data["level"], notice.data["keys"]) == ("MICRO_SUGGESTION", "x")
    (merge,) = run.events(EventType.D3)
    (conflict,) = merge.data["conflicts"]
    assert [value["value"] for value in conflict["values"]] == [1, 2]
    assert [lost["value"] for lost in merge.data["record"]["conflicts"][0]["lost"]] == [1]


def test_losing_values_stay_readable_in_history() -> None:
    run = conflicting(two())
    contents = run.instance.graph.contents(run.head)
    records = [run.instance.graph.values.get(item.value) for _, item in contents.items("HISTORY")]
    assert [record["decision"] for record in records if record["activity"] == "j"] == ["merged x"]


def test_a_key_that_a_condition_behind_the_join_reads_asks_a_person() -> None:
    run = conflicting(two(after="x == 1"))
    assert run.instance.status is Status.WAITING
    (asked,) = run.instance.interventions.values()
    assert (asked.kind, asked.level.value, asked.element, asked.options) == (
        "conflict", "EXPLICIT_APPROVAL", "j", ("resolve", "deny"),
    )  # fmt: skip
    with pytest.raises(UnknownAnswer):
        run.answer(asked.id, "resolve", values={"nothing": 1})
    run.reload()
    run.answer(asked.id, "resolve", values={"x": {"take": "/g@1:2.a"}}, reason="measured twice")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 1, "went": "yes"})
    (merge,) = run.events(EventType.D3)
    assert merge.data["decided_by"] == "ann"


def test_a_person_may_give_a_value_of_their_own() -> None:
    run = conflicting(two(after="x == 1"))
    run.answer(next(iter(run.instance.held)), "resolve", values={"x": 7})
    assert run.variables == {"x": 7}


def test_a_denied_merge_is_an_incident_and_can_be_tried_again() -> None:
    run = conflicting(two(after="x == 1"))
    run.answer(next(iter(run.instance.held)), "deny", reason="ask the vendor")
    assert (run.instance.status, "ask the vendor" in (run.instance.reason or "")) == (Status.FAILED, True)
    run.reload()
    (task,) = run.instance.incidents
    run.retry(task)
    run.answer(next(iter(run.instance.held)), "resolve", values={"x": 1})
    assert run.instance.status is Status.COMPLETED


@pytest.mark.parametrize(
    ("strategy", "a", "b", "after"),
    [
        ("SUM", "x = x + 1", "x = x + 5", 16),
        ("SUM", "x = x + 1", "x = x + 1", 12),
        ("MAX", "x = 12", "x = 11", 12),
        ("MIN", "x = 12", "x = 11", 11),
    ],
)
def test_a_key_may_have_a_reducer(strategy: str, a: str, b: str, after: int) -> None:
    rule = policy(f'<gov:policy><gov:mergeKey name="x" strategy="{strategy}"/></gov:policy>')
    run = Run(two(rule), {"x": 10}, code={"a": a, "b": b}).do_all("ba")
    assert run.variables == {"x": after}


def test_a_list_may_be_appended_to_by_both() -> None:
    rule = policy('<gov:policy><gov:mergeKey name="x" strategy="APPEND"/></gov:policy>')
    run = Run(two(rule), {"x": [0]}, code={"a": "x.append(1)", "b": "x.append(2)"}).do_all("ba")
    assert run.variables == {"x": [0, 1, 2]}


def test_a_strategy_that_cannot_apply_is_an_incident_at_the_join() -> None:
    rule = policy('<gov:policy><gov:mergeKey name="x" strategy="SUM"/></gov:policy>')
    run = Run(two(rule), {"x": 1}, code={"a": "x = 'many'", "b": "x = 2"}).do_all("ab")
    assert (run.instance.status, [each.element for each in run.instance.incidents.values()]) == (Status.FAILED, ["j"])


def test_the_floor_of_a_join_shows_even_settled_conflicts() -> None:
    floor = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')
    run = conflicting(two(floor))
    (asked,) = run.instance.interventions.values()
    assert (asked.level.value, asked.options) == ("DIFF_PREVIEW", ("approve", "resolve", "deny"))
    run.answer(asked.id, "approve")
    assert run.variables == {"x": 2}


@pytest.mark.parametrize(
    ("strategy", "shown"), [("ISOLATED", Fidelity.ARCHIVED), ("INHERIT_ALL", Fidelity.FULL)]
)
def test_a_split_decides_what_a_branch_shows_and_the_join_brings_it_back(strategy: str, shown: Fidelity) -> None:
    rule = policy(f'<gov:policy><gov:branchStrategy split="{strategy}"/></gov:policy>')
    run = Run(two(split=rule), {"x": 1}, code={"a": "y = x", "b": "z = x"})
    token = next(task.token for task in run.instance.workflow.live.values() if task.element_id == "a")
    item = run.instance.graph.contents(token.head).item("WORKING/x")
    assert item is not None
    assert item.fidelity is shown
    run.do_all()
    merged = run.instance.graph.contents(run.head).item("WORKING/x")
    assert merged is not None
    assert (run.variables, merged.fidelity) == ({"x": 1, "y": 1, "z": 1}, Fidelity.FULL)


def test_instances_that_disagree_ask_once_and_then_collect() -> None:
    marker = instances(collection="items", output="res")
    keep = policy('<gov:policy><gov:branchStrategy merge="HUMAN"/></gov:policy>')
    source = model(start(), user("m", keep + marker), end(), edges("s > m > e"))
    run = Run(source, {"items": [1, 2], "x": 0}, code={"m": "o = it\nx = it"}).do_all()
    (asked,) = run.instance.interventions.values()
    run.reload()
    run.answer(asked.id, "resolve", values={"x": 9})
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"items": [1, 2], "x": 9, "res": [1, 2]})


def test_instances_see_what_the_split_strategy_leaves_them() -> None:
    rule = policy('<gov:policy><gov:branchStrategy split="ISOLATED"/></gov:policy>')
    source = model(start(), user("m", rule + instances(cardinality="2", output="res")), end(), edges("s > m > e"))
    run = Run(source, {"x": 1}, code={"m": "o = x"})
    heads = [task.token.head for task in run.instance.workflow.live.values() if task.triggered]
    shown = [run.instance.graph.contents(head).item("WORKING/x") for head in heads]
    assert [item.fidelity for item in shown if item is not None] == [Fidelity.ARCHIVED] * 2
    run.do_all()
    merged = run.instance.graph.contents(run.head).item("WORKING/x")
    assert merged is not None
    assert (run.variables, merged.fidelity) == ({"x": 1, "res": [1, 1]}, Fidelity.FULL)


def test_open_conflicts_lower_attention() -> None:
    run = Run(two(), {"x": 0}, code={"a": "x = 1", "b": "x = 2"})
    run.do("a")
    run.do("b")
    completed = [event.data["attention"][1][4] for event in run.events(EventType.ACTIVITY_COMPLETED)]
    assert completed == [1.0, 0.0]
    assert (run.hooks.open_writes.conflicting, run.hooks.open_writes.written) == (0, 0)


def test_open_writes_are_found_again_after_a_restart() -> None:
    run = Run(two(), {"x": 0}, code={"a": "x = 1", "b": "x = 2"})
    run.do("a")
    run.reload()
    assert run.hooks.open_writes.written == 1
    run.do("b")
    assert run.events(EventType.ACTIVITY_COMPLETED)[-1].data["attention"][1][4] == 0.0


def test_the_reason_of_a_merge_tells_a_dispute_from_a_sum() -> None:
    rule = policy('<gov:policy><gov:mergeKey name="n" strategy="SUM"/></gov:policy>')
    code = {"a": "x = 1\nn = n + 1", "b": "x = 2\nn = n + 1"}
    run = Run(two(rule), {"x": 0, "n": 0}, code=code).do_all("ab")
    (merge,) = run.events(EventType.D3)
    assert merge.data["reason"] == "2 branches disagree about x and add to n"


def test_the_reason_of_a_merge_says_of_each_place_what_became_of_it() -> None:
    rule = policy('<gov:policy><gov:mergeKey name="o.n" strategy="SUM"/></gov:policy>')
    code = {"a": "o['f'] = 1\no['n'] = o['n'] + 1", "b": "o['f'] = 2\no['n'] = o['n'] + 1"}
    run = Run(two(rule), {"o": {"f": 0, "n": 0}}, code=code).do_all("ab")
    (merge,) = run.events(EventType.D3)
    assert merge.data["reason"] == "2 branches disagree about o.f and add to o.n"
    (notice,) = [event for event in run.events(EventType.NOTICE) if event.data["trigger"] == "CONFLICT"]
    assert (notice.data["message"], run.variables) == ("settled by the last write: o.f", {"o": {"f": 2, "n": 2}})


def test_a_place_is_asked_about_and_answered_as_people_write_it() -> None:
    rule = policy('<gov:policy><gov:mergeKey name="o.f" strategy="HUMAN"/></gov:policy>')
    run = Run(two(rule), {"o": {"f": 0}}, code={"a": "o['f'] = 1", "b": "o['f'] = 2"}).do_all("ab")
    (asked,) = run.instance.interventions.values()
    assert asked.message == "branches disagree about o.f at j"
    run.answer(asked.id, "resolve", values={"o.f": {"take": "/g@1:2.a"}})
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"o": {"f": 1}})


def naming(strategy: str, join: str = "") -> bytes:
    """The first branch's task names a merge strategy; so does the join, perhaps."""
    own = policy(f'<gov:policy><gov:branchStrategy merge="{strategy}"/></gov:policy>') if strategy else ""
    at_join = policy(f'<gov:policy><gov:branchStrategy merge="{join}"/></gov:policy>') if join else ""
    inside = f'<parallelGateway id="j" name="All in">{at_join}</parallelGateway>'
    return model(
        start(), gateway("g"), user("a", own), user("b"), inside, user("z", own), end(),
        edges("s > g > a > j > z > e", "g > b > j"),
    )  # fmt: skip


def overruled(run: Run) -> list[tuple[str | None, str]]:
    return [(each.element, each.data["message"]) for each in run.events(EventType.NOTICE) if "overruled" in each.data]


@pytest.mark.parametrize(("join", "x"), [("", 2), ("LAST_WRITE", 2), ("MIN", 1)])
def test_the_joins_own_strategy_holds_and_a_notice_tells_of_others(join: str, x: int) -> None:
    run = Run(naming("HUMAN", join), {"x": 0}, code={"a": "x = 1", "b": "x = 2"}).do_all("ab")
    assert overruled(run) == [("j", "the merge strategy is that of All in: a names merge=HUMAN")]
    assert run.do_all().variables == {"x": x}


def test_the_notice_comes_once_for_a_join_that_waits_for_a_person() -> None:
    run = Run(naming("SUM", "HUMAN"), {"x": 0}, code={"a": "x = 1", "b": "x = 2"}).do_all("ab")
    run.reload()
    run.answer(next(iter(run.instance.held)), "resolve", values={"x": 9})
    assert overruled(run) == [("j", "the merge strategy is that of All in: a names merge=SUM")]


@pytest.mark.parametrize(("strategy", "join"), [("HUMAN", "HUMAN"), ("", "HUMAN"), ("", "")])
def test_there_is_no_notice_where_nothing_is_overruled(strategy: str, join: str) -> None:
    run = Run(naming(strategy, join), {"x": 0}, code={"a": "x = 1", "b": "y = 2"}).do_all("ab")
    assert overruled(run) == []
