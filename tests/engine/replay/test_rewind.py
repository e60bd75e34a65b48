"""An instance goes on from an earlier snapshot; nothing is lost, nothing has a key or an id twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.evidence.audit import audit
from engine.replay.errors import NotRewindable, RewindRefused
from engine.replay.rewinding import Consent
from governance.vocabulary import Effect, InteractionLevel
from tests.engine.cli.command import governor
from tests.engine.cli.files import STEPS, Folder
from tests.engine.replay.models import House, flows, house, model

START, END = '<startEvent id="s"/>', '<endEvent id="e"/>'
ORDER = model(
    START, '<userTask id="u"/><serviceTask id="pay" gov:jobType="x"/><userTask id="v"/>', END,
    flows("s>u", "u>pay", "pay>v", "v>e"),
)  # fmt: skip
AGREED = Consent("ops", "paid twice", level=InteractionLevel.EXPLICIT_APPROVAL)


def pay(work: Work) -> Outcome:
    return Outcome(outputs={"paid": work.key, "amount": work.variables["amount"]})


def made_after(at: House, instance: str, kind: str, activity: str = "") -> str:
    """The newest snapshot of a kind."""
    graph = at.governor.graph(instance)
    found = [graph.get(id) for id in at.store.snapshots(instance)]
    return next(c.id for c in reversed(found) if (c.meta.kind, c.meta.activity) == (kind, activity or c.meta.activity))


def intact(at: House, instance: str) -> bool:
    log, version = at.store.log, at.store.instance(instance).version
    return audit(instance, log.seals(instance), log.events(instance), version).finding is None


def test_a_finished_instance_goes_on_from_an_earlier_snapshot(tmp_path: Path) -> None:
    with house(tmp_path / "db", {"pay": pay}) as at:
        instance = at.start(ORDER)
        before = at.store.instance(instance).head
        assert before is not None
        at.do("u", {"amount": 10})
        at.do("v")
        old = set(at.store.snapshots(instance))
        items = {item.id: item for item in at.store.work_items(status=None)}
        at.later()
        at.governor.rewind(instance, before, AGREED)
        assert at.governor.resume(instance).status == "waiting"
        (event,) = at.store.events(instance, types=[EventType.REWOUND])
        assert (event.data["abandoned"], event.data["by"]) == (3, "ops")
        assert [effect for _, effect in event.data["done"]] == ["write"]
        at.do("u", {"amount": 20})
        at.do("v")
        result = at.governor.result(instance)
        assert (result.status, result.variables["amount"]) == ("completed", 20)
        assert len(set(at.handlers.keys)) == 2, "what is done again has another key"
        assert old < set(at.store.snapshots(instance)), "nothing is lost"
        again = {item.id: item for item in at.store.work_items(status=None)}
        assert all(again[id] == item for id, item in items.items()), "what people did stays on record"
        assert intact(at, instance)
        at.same(instance)


def test_it_is_rewound_while_it_waits_and_twice(tmp_path: Path) -> None:
    with house(tmp_path / "db", {"pay": pay}) as at:
        instance = at.start(ORDER)
        before = at.store.instance(instance).head
        assert before is not None
        for amount in (1, 2, 3):
            at.do("u", {"amount": amount})
            if amount < 3:
                at.later()
                at.governor.rewind(instance, before, AGREED)
                at.governor.resume(instance)
        at.do("v")
        assert at.governor.result(instance).variables["amount"] == 3
        assert len(set(at.handlers.keys)) == 3
        assert [item.status for item in at.store.work_items(status=None) if item.element == "v"].count("cancelled") == 2
        at.same(instance)


def test_it_stops_between_two_steps_of_an_advance(tmp_path: Path) -> None:
    source = model(
        START, '<scriptTask id="a"><script>x = 1</script></scriptTask><scriptTask id="b"><script>x = x + 1</script>'
        "</scriptTask>", END, flows("s>a", "a>b", "b>e"),
    )  # fmt: skip
    with house(tmp_path / "db") as at:
        instance = at.start(source)
        at.later()
        at.governor.rewind(instance, made_after(at, instance, "activity", "a"), Consent("ops"))
        assert at.governor.result(instance).variables == {"x": 1}
        at.governor.edit(instance, {"x": 10}, by="ops")
        result = at.governor.resume(instance)
        assert (result.status, result.variables) == ("completed", {"x": 11})
        at.same(instance)


def test_a_question_is_asked_again_under_another_id(tmp_path: Path) -> None:
    source = model(
        START, '<serviceTask id="a" gov:jobType="x"><extensionElements>'
        '<gov:policy interactionLevel="EXPLICIT_APPROVAL"/></extensionElements></serviceTask>', END,
        flows("s>a", "a>e"),
    )  # fmt: skip
    with house(tmp_path / "db", {"a": lambda work: Outcome(outputs={"n": 1})}) as at:
        instance = at.start(source)
        (asked,) = at.store.interventions(instance=instance)
        at.later()
        at.governor.answer(asked.id, "approve", by="lea", reason="fine")
        at.later()
        with pytest.raises(RewindRefused, match="EXPLICIT_APPROVAL"):
            at.governor.rewind(instance, made_after(at, instance, "start"), Consent("ops"))
        at.governor.rewind(instance, made_after(at, instance, "start"), AGREED)
        at.governor.resume(instance)
        (again,) = at.store.interventions(instance=instance)
        assert again.id != asked.id
        assert at.store.intervention(asked.id).status == "answered"
        at.governor.answer(again.id, "approve", by="lea", reason="fine")
        at.same(instance)


@pytest.mark.parametrize(
    ("effect", "consent", "goes"),
    [
        (Effect.READ, Consent("ops"), True),
        (Effect.WRITE, Consent("ops"), False),
        (Effect.WRITE, Consent("ops", level=InteractionLevel.DIFF_PREVIEW), True),
        (Effect.IRREVERSIBLE, Consent("ops", "why", level=InteractionLevel.DIFF_PREVIEW), False),
        (Effect.IRREVERSIBLE, Consent("ops", level=InteractionLevel.EXPLICIT_APPROVAL), False),
        (Effect.IRREVERSIBLE, AGREED, True),
    ],
)
def test_what_was_done_outside_says_who_has_to_agree(
    tmp_path: Path, effect: Effect, consent: Consent, goes: bool
) -> None:
    with house(tmp_path / "db", {"pay": pay}, {"pay": effect}) as at:
        instance = at.start(ORDER)
        before = at.store.instance(instance).head
        at.do("u", {"amount": 10})
        assert before is not None
        version = at.store.instance(instance).version
        if goes:
            at.governor.rewind(instance, before, consent)
            return
        with pytest.raises(RewindRefused) as refused:
            at.governor.rewind(instance, before, consent)
        assert [each.key for each in refused.value.done] == at.handlers.keys
        assert at.store.instance(instance).version == version


def test_roles_and_four_eyes_of_the_policy_hold(tmp_path: Path) -> None:
    source = model(
        '<extensionElements><gov:policy><gov:approval roles="boss" fourEyes="true"/></gov:policy></extensionElements>',
        START, '<userTask id="u"/><serviceTask id="pay" gov:jobType="x"/>', END, flows("s>u", "u>pay", "pay>e"),
    )  # fmt: skip
    with house(tmp_path / "db", {"pay": pay}, {"pay": Effect.IRREVERSIBLE}) as at:
        instance = at.start(source)
        before = at.store.instance(instance).head
        at.do("u", {"amount": 10})
        assert before is not None
        level = InteractionLevel.EXPLICIT_APPROVAL
        with pytest.raises(RewindRefused, match="roles boss"):
            at.governor.rewind(instance, before, Consent("ops", "why", (), level))
        for starter in ("sue", " Sue", "su\u200be"):
            with pytest.raises(RewindRefused, match="four eyes"):
                at.governor.rewind(instance, before, Consent(starter, "why", ("boss",), level))
        at.governor.rewind(instance, before, Consent("ops", "why", ("boss",), level))


def test_a_branch_in_the_middle(tmp_path: Path) -> None:
    source = model(
        START, '<parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><parallelGateway id="j"/>'
        '<userTask id="c"/>', END, flows("s>g", "g>a", "g>b", "a>j", "b>j", "j>c", "c>e"),
    )  # fmt: skip
    with house(tmp_path / "db") as at:
        instance = at.start(source)
        at.do("a", {"x": 1})
        after_a = made_after(at, instance, "activity", "a")
        at.do("b", {"y": 1})
        at.do("c")
        at.later()
        at.governor.rewind(instance, after_a, Consent("ops"))
        assert [item.element for item in at.store.work_items()] == ["b"]
        at.do("b", {"y": 2})
        at.do("c")
        assert at.governor.result(instance).variables == {"x": 1, "y": 2}
        at.same(instance)


def test_an_unknown_snapshot(tmp_path: Path) -> None:
    with house(tmp_path / "db") as at:
        instance = at.start(model(START, '<userTask id="u"/>', END, flows("s>u", "u>e")))
        with pytest.raises(NotRewindable, match="no advance made it"):
            at.governor.rewind(instance, "0" * 32, Consent("ops"))


def test_from_the_command_line(folder: Folder) -> None:
    file = folder.put("steps.bpmn", STEPS)
    instance = governor("run", file, "--db", folder.db, "--quiet", "--json").json["instance"]
    log = governor("context", "log", instance, "--db", folder.db, "--json").json["snapshots"]
    first = log[-1]["id"]
    dry = governor("rewind", instance, "--to", first[:10], "--db", folder.db, "--dry-run", "--json")
    assert (dry.code, dry.json["rewound"], dry.json["level"]) == (0, False, "AUTO_ALLOW")
    told = governor("rewind", instance, "--to", first[:10], "--db", folder.db)
    assert told.code == 0
    assert "go on: governor resume" in told.out
    assert len(governor("context", "log", instance, "--db", folder.db, "--json").json["snapshots"]) == len(log)
    assert governor("resume", instance, "--db", folder.db, "--quiet").code == 0
    assert governor("replay", instance, "--db", folder.db).code == 0
    assert "rewind" in governor("show", instance, "--events", "--db", folder.db).out
