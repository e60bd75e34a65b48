"""Instances go on with another definition, and what does not map is told before anything changes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from engine.events import EventType
from engine.operations.migration.planning import NotMigratable
from engine.refused import InstanceEnded
from engine.replay.rewinding import Consent
from engine.store.errors import UnknownDefinition
from tests.bpmn.files import document
from tests.engine.models import (
    boundary,
    catch,
    edges,
    end,
    gateway,
    instances,
    message,
    model,
    script,
    service,
    start,
    sub,
    timer,
    user,
)
from tests.engine.operating.office import Office, failing, read

OLD = model(start(), user("a"), script("b", "n = 1"), user("c"), end(), edges("s > a > b > c > e"))
NEW = model(start(), user("a"), script("b", "n = 2"), user("review"), user("c"), end(),
            edges("s > a > b > review > c > e"))  # fmt: skip


@pytest.fixture(autouse=True)
def replayed(office: Office) -> Iterator[None]:
    """Whatever a test makes of its instances, their logs make it again."""
    yield
    for each in office.do(lambda g: g.instances()):
        assert office.do(lambda g, id=each.id: g.replay(id)).difference is None  # type: ignore[misc]


def deploy(office: Office, source: bytes) -> str:
    hash: str = office.do(lambda g: g.deploy(read(source), by="dev").definition)
    return hash


def waits_at(office: Office, id: str) -> list[str]:
    return sorted(each["element"] for each in office.do(lambda g: g.result(id)).waiting)


def complete(office: Office, element: str, outputs: dict[str, Any] | None = None) -> Any:
    item = next(each for each in office.do(lambda g: g.work_items()) if each.element == element)
    return office.do(lambda g: g.complete(item.id, outputs or {}, by="ann"))


@pytest.mark.parametrize("suspended", [False, True])
def test_an_instance_goes_on_as_the_new_definition_says(office: Office, suspended: bool) -> None:
    id = office.start(OLD).instance
    if suspended:
        office.do(lambda g: g.suspend(id, by="olga"))
    hash = deploy(office, NEW)
    planned = office.do(lambda g: g.plan_migration(id, hash))
    assert (planned.mapped, planned.added, planned.removed, planned.problems) == ({"a": "a"}, ["review"], [], [])
    before = office.do(lambda g: g.store.instance(id))
    assert office.do(lambda g: g.store.instance(id)) == before, "to plan changes nothing"
    office.do(lambda g: g.migrate(id, hash, by="olga", reason="a review is wanted"))
    assert office.do(lambda g: g.store.instance(id)).definition == hash
    (event,) = office.log(id, EventType.INSTANCE_MIGRATED)
    assert dict(event.data) == {
        "by": "olga", "reason": "a review is wanted", "before": before.definition, "definition": hash,
        "mapped": {"a": "a"}, "added": ["review"],
    }  # fmt: skip
    if suspended:
        assert office.do(lambda g: g.result(id)).status == "suspended"
        office.do(lambda g: g.unsuspend(id, by="olga"))
    complete(office, "a")
    assert waits_at(office, id) == ["review"]
    complete(office, "review")
    result = complete(office, "c")
    assert (result.status, result.variables["n"]) == ("completed", 2)


def test_agents_are_told_of_the_process_as_it_is_now(office: Office) -> None:
    id = office.start(OLD).instance
    office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))

    def outlined(g: Any) -> list[str]:
        graph = g.graph(id)
        (head,) = g.heads(id).values()
        told = graph.values.get(graph.contents(head).item("PROCESS/definition").value)
        return [each[0] for each in told["activities"]]

    assert office.do(outlined) == ["a", "b", "review", "c"]


def test_what_has_another_id_is_mapped_by_hand(office: Office) -> None:
    renamed = model(start(), user("ask"), user("c"), end(), edges("s > ask > c > e"))
    id = office.start(OLD).instance
    hash = deploy(office, renamed)
    with pytest.raises(NotMigratable, match="a: a token stands there, and the new definition has no such element"):
        office.do(lambda g: g.migrate(id, hash, by="olga"))
    assert waits_at(office, id) == ["a"]
    office.do(lambda g: g.migrate(id, hash, mapping={"a": "ask"}, by="olga"))
    assert waits_at(office, id) == ["ask"]
    complete(office, "ask")
    assert complete(office, "c").status == "completed"


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (model(start(), script("a", "x = 1"), end(), edges("s > a > e")), "at a userTask, .* it is a scriptTask"),
        (model(start(), user("a", instances(cardinality="2")), end(), edges("s > a > e")), "looping userTask"),
        (model(start(), user("z"), end(), edges("s > z > e")), "has no such element"),
        (model(start(), sub("o", start("s1"), user("a"), end("e1"), edges("s1 > a > e1")), end(), edges("s > o > e")),
         "in the new definition it is not in p"),
    ],
)  # fmt: skip
def test_what_does_not_map_is_refused_and_nothing_changes(office: Office, new: bytes, why: str) -> None:
    id = office.start(OLD).instance
    hash = deploy(office, new)
    logged = office.log(id)
    with pytest.raises(NotMigratable, match=why):
        office.do(lambda g: g.migrate(id, hash, by="olga"))
    assert office.log(id) == logged
    assert complete(office, "a").status == "waiting"


def test_events_go_along_and_those_that_are_gone_wait_no_more(office: Office) -> None:
    old = model(start(), user("a"), boundary("late", "a", timer("PT1H")), boundary("told", "a", message()), end(),
                end("e2"), end("e3"), edges("s > a > e", "late > e2", "told > e3"), beside='<message id="m" name="m"/>')
    new = model(start(), user("a"), boundary("late", "a", timer("PT9H")), boundary("new", "a", timer("PT1M")), end(),
                end("e2"), end("e4"), user("after"), edges("s > a > e", "late > after > e2", "new > e4"))  # fmt: skip
    id = office.start(old).instance
    assert office.do(lambda g: g.store.posts.waiting(("message", "m"))) == [id]
    hash = deploy(office, new)
    planned = office.do(lambda g: g.plan_migration(id, hash))
    assert (planned.dropped, planned.not_armed, planned.problems) == (["told"], ["new"], [])
    office.do(lambda g: g.migrate(id, hash, by="olga"))
    assert office.do(lambda g: g.store.posts.waiting(("message", "m"))) == []
    office.clock.move_to(office.clock.now() + timedelta(hours=2))
    assert office.do(lambda g: g.due()) == [id]
    office.do(lambda g: g.resume(id))
    assert waits_at(office, id) == ["after"], "what was armed fires when it was to fire, and goes where it leads now"


def test_branches_come_together_at_the_new_join(office: Office) -> None:
    def branches(middle: str, way: str) -> bytes:
        return model(start(), gateway("g"), user("a"), user("b"), *([user(middle)] if middle else []), gateway("j"),
                     end(), edges(f"s > g > a > {way}j > e", "g > b > j"))  # fmt: skip

    id = office.start(branches("", "")).instance
    complete(office, "b")
    office.do(lambda g: g.migrate(id, deploy(office, branches("check", "check > ")), by="olga"))
    complete(office, "a")
    assert waits_at(office, id) == ["check"]
    assert complete(office, "check").status == "completed"


def test_a_token_that_has_come_to_a_join_by_a_way_that_is_gone(office: Office) -> None:
    old, new = (
        model(start(), gateway("g"), user("a"), user(each), gateway("j"), end(),
              edges("s > g > a > j > e", f"g > {each} > j"))
        for each in ("b", "x")
    )  # fmt: skip
    id = office.start(old).instance
    complete(office, "b")
    with pytest.raises(NotMigratable, match="j: a token has come from b, and nothing leads there from it now"):
        office.do(lambda g: g.migrate(id, deploy(office, new), by="olga"))
    office.do(lambda g: g.migrate(id, deploy(office, new), mapping={"b": "x"}, by="olga"))
    assert complete(office, "a").status == "completed"


def test_scopes_and_instances_go_along(office: Office) -> None:
    def nested(more: str, way: str) -> bytes:
        inner = sub("o", start("s1"), user("u", instances(collection="xs")), more, end("e1"),
                    edges(f"s1 > u > {way}e1"))  # fmt: skip
        return model(start(), inner, end(), edges("s > o > e"))

    id = office.start(nested("", ""), {"xs": [1, 2]}).instance
    complete(office, "u")
    office.do(lambda g: g.migrate(id, deploy(office, nested(script("v", "done = True"), "v > ")), by="olga"))
    result = complete(office, "u")
    assert (result.status, result.variables["done"]) == ("completed", True)


def test_a_failure_is_mended_by_a_better_definition(office: Office) -> None:
    def halves(code: str) -> bytes:
        return model(start(), script("a", code), end(), edges("s > a > e"))

    failed = office.start(halves("y = x / zero"), {"x": 4, "zero": 0})
    assert failed.status == "failed"
    office.do(lambda g: g.migrate(failed.instance, deploy(office, halves("y = x / 2")), by="olga"))
    result = office.do(lambda g: g.retry(failed.instance, by="olga"))
    assert (result.status, result.variables["y"]) == ("completed", 2)


def test_a_migration_may_be_asked_about_first(office: Office) -> None:
    def guarded(body: str) -> bytes:
        calm = '<extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/></extensionElements>'
        return document(f'<process id="p" isExecutable="true">{calm}{body}</process>')

    old = guarded(start() + user("a") + end() + edges("s > a > e"))
    new = guarded(start() + user("a") + user("z") + end() + edges("s > a > z > e"))
    id = office.start(old).instance
    hash, before = deploy(office, new), office.do(lambda g: g.store.instance(id)).definition
    office.do(lambda g: g.migrate(id, hash, by="olga", reason="because"))
    (question,) = office.do(lambda g: [each for each in g.interventions(id) if each.kind == "operation"])
    assert (question.shown["mapped"], question.shown["added"]) == ({"a": "a"}, ["z"])
    assert office.do(lambda g: g.store.instance(id)).definition == before
    office.do(lambda g: g.answer(question.id, "approve", by="ann"))
    assert office.do(lambda g: g.store.instance(id)).definition == hash
    assert office.log(id, EventType.INSTANCE_MIGRATED)[0].data["approved_by"] == "ann"
    assert waits_at(office, id) == ["a"]


def test_what_waits_for_a_message_waits_for_the_new_one(office: Office) -> None:
    def waits(name: str) -> bytes:
        named = f'<message id="m" name="{name}"/>'
        return model(start(), catch("c", message("m")), end(), edges("s > c > e"), beside=named)

    id = office.start(waits("old")).instance
    office.do(lambda g: g.migrate(id, deploy(office, waits("new")), by="olga"))
    waiting = office.do(lambda g: [g.store.posts.waiting(("message", name)) for name in ("old", "new")])
    assert waiting == [[], [id]]
    assert office.do(lambda g: g.correlate(id, "new")).status == "completed"


def test_what_has_ended_or_is_not_there_is_refused(office: Office) -> None:
    office.doers["a"] = failing(0)
    id = office.start(model(start(), service("a"), end(), edges("s > a > e"))).instance
    with pytest.raises(InstanceEnded):
        office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))
    with pytest.raises(UnknownDefinition):
        office.do(lambda g: g.migrate(id, "0" * 32, by="olga"))


def test_it_is_rewound_to_before_its_migration(office: Office) -> None:
    id = office.start(OLD).instance
    before = office.do(lambda g: g.store.instance(id))
    office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))
    complete(office, "a")
    assert waits_at(office, id) == ["review"]
    at = office.do(lambda g: g.store.snapshots(id))[0]
    office.do(lambda g: g.rewind(id, at, Consent(by="olga", reason="too soon")))
    assert office.do(lambda g: g.store.instance(id)).definition == before.definition
    assert office.do(lambda g: g.resume(id)).status == "waiting"
    assert waits_at(office, id) == ["a"]
    complete(office, "a")
    assert waits_at(office, id) == ["c"]
    assert office.do(lambda g: g.result(id)).variables["n"] == 1


def test_it_is_rewound_to_after_its_migration(office: Office) -> None:
    id = office.start(OLD).instance
    hash = deploy(office, NEW)
    office.do(lambda g: g.migrate(id, hash, by="olga"))
    complete(office, "a")
    at = office.do(lambda g: g.snapshots(id))[0].id
    complete(office, "review")
    assert waits_at(office, id) == ["c"]
    office.do(lambda g: g.rewind(id, at, Consent(by="olga", reason="look again")))
    office.do(lambda g: g.resume(id))
    assert (waits_at(office, id), office.do(lambda g: g.store.instance(id)).definition) == (["review"], hash)


def test_what_its_history_went_by_is_kept_as_long_as_the_instance(office: Office) -> None:
    id = office.start(OLD).instance
    before = office.do(lambda g: g.store.instance(id)).definition
    office.do(lambda g: g.migrate(id, deploy(office, NEW), by="olga"))
    assert office.do(lambda g: g.store.clean()).definitions == 0
    assert office.do(lambda g: g.definition(before)) is not None
    office.do(lambda g: g.cancel(id, by="olga"))
    later = office.clock.now() + timedelta(days=1)
    assert office.do(lambda g: g.store.clean(later, only_look=True)).definitions == 1
    assert office.do(lambda g: g.store.clean(later)).definitions == 1
