"""An instance made again from its log comes to the same snapshots, whatever is in it; what was altered is named."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from engine.activities.work import BpmnErrorRaised, Finding, Outcome, Suspended, Work
from engine.events import EventType
from engine.replay.errors import NotReplayable
from engine.store.packing import pack, unpack
from governance.tools.confirming import Question
from governance.vocabulary import InteractionLevel, Producer, Trigger
from tests.engine.cli.command import governor
from tests.engine.evidence.logs import meddle, read
from tests.engine.replay.models import flows, house, model
from tests.samples.folders import SAMPLES, options, process

START, END = '<startEvent id="s"/>', '<endEvent id="e"/>'


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_samples_come_to_the_same(sample: Path, tmp_path: Path) -> None:
    db = str(tmp_path / "governor.db")
    run = governor("run", process(sample), *options(sample), "--db", db, "--quiet", "--json")
    told = governor("replay", run.json["instance"], "--db", db, "--json")
    assert told.code == 0, told.out
    assert told.json["difference"] is None
    ((snapshots,),) = read(Path(db), "SELECT count(*) FROM gov_snapshot")
    assert told.json["snapshots"] + told.json["taken"] == snapshots


def test_services_people_and_gateways(tmp_path: Path) -> None:
    source = model(
        START, '<serviceTask id="a" gov:jobType="x"/><parallelGateway id="g"/><userTask id="u"/><userTask id="v"/>'
        '<parallelGateway id="j"/><scriptTask id="t"><script>n = n + 1</script></scriptTask>', END,
        flows("s>a", "a>g", "g>u", "g>v", "u>j", "v>j", "j>t", "t>e"),
    )  # fmt: skip
    with house(tmp_path / "db", {"a": lambda work: Outcome(outputs={"n": 1, "big": 2**70, "text": "x" * 500})}) as at:
        instance = at.start(source, {"z": 1, "a": [1, {"b": 2.5}]})
        at.do("v", {"who": "v", "n": 3})
        at.do("u", {"who": "u"})
        found = at.same(instance)
        assert (found.advances, found.taken) == (4, 0)


def test_timers_messages_and_errors(tmp_path: Path) -> None:
    source = model(
        START, '<serviceTask id="a" gov:jobType="x"/>'
        '<boundaryEvent id="b" attachedToRef="a"><errorEventDefinition errorRef="err"/></boundaryEvent>'
        '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration>'
        '</timerEventDefinition></intermediateCatchEvent>'
        '<intermediateCatchEvent id="m"><messageEventDefinition messageRef="paid"/></intermediateCatchEvent>',
        END, flows("s>a", "a>e", "b>t", "t>m", "m>e"),
    )  # fmt: skip

    def fail(work: Work) -> Outcome:
        raise BpmnErrorRaised("broken", "it broke", {"why": ["heat"]})

    with house(tmp_path / "db", {"a": fail}) as at:
        instance = at.start(source)
        at.later(4000)
        at.governor.resume(instance)
        at.later()
        at.governor.correlate(instance, "paid", {"amount": 12})
        assert at.store.instance(instance).status == "completed"
        at.same(instance)


def test_failures_and_another_try(tmp_path: Path) -> None:
    tries: list[int] = []

    class Unreachable(OSError):
        pass

    def flaky(work: Work) -> Outcome:
        tries.append(1)
        if len(tries) == 1:
            raise Unreachable("connection refused")
        return Outcome(outputs={"done": True}, findings=(Finding("it works the second time", 0.9),))

    source = model(START, '<serviceTask id="a" gov:jobType="x"/>', END, flows("s>a", "a>e"))
    with house(tmp_path / "db", {"a": flaky}) as at:
        instance = at.start(source)
        at.later()
        at.governor.retry(instance)
        assert at.store.instance(instance).status == "completed"
        at.same(instance)


def test_a_known_dead_end_is_reached_again(tmp_path: Path) -> None:
    def fail(work: Work) -> Outcome:
        raise ValueError("no such order")

    source = model(START, '<serviceTask id="a" gov:jobType="x"/>', END, flows("s>a", "a>e"))
    with house(tmp_path / "db", {"a": fail}) as at:
        first = at.start(source, {"order": 7})
        at.later()
        second = at.start(source, {"order": 7})
        asked = at.store.interventions(instance=second)
        if asked:
            at.later()
            at.governor.answer(asked[0].id, "approve", by="lea")
        at.same(first)
        at.same(second)


def test_people_are_asked_and_answer(tmp_path: Path) -> None:
    source = model(
        '<extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/></extensionElements>',
        START, '<serviceTask id="a" gov:jobType="x"/>', END, flows("s>a", "a>e"),
    )  # fmt: skip
    with house(tmp_path / "db", {"a": lambda work: Outcome(outputs={"n": work.attempt})}) as at:
        instance = at.start(source)
        for decision in ("deny", "approve"):
            at.later()
            (asked,) = at.store.interventions(instance=instance)
            at.governor.answer(asked.id, decision, by="lea", reason="because")  # type: ignore[arg-type]
        assert at.store.instance(instance).status == "completed"
        at.same(instance)


def test_operators_and_contexts(tmp_path: Path) -> None:
    source = model(START, '<userTask id="u"/><userTask id="v"/>', END, flows("s>u", "u>v", "v>e"))
    with house(tmp_path / "db") as at:
        instance = at.start(source, {"x": 1})
        first = at.store.instance(instance).head
        at.do("u", {"x": 2})
        at.later()
        at.governor.suspend(instance, by="op", reason="wait")
        at.later()
        at.governor.unsuspend(instance, by="op")
        assert first is not None
        at.governor.restore_context(instance, first, by="op")
        at.governor.edit(instance, {"y": [1, 2]}, by="op")
        at.governor.chat_turn(instance, "how is it going?", by="ann")
        at.do("v")
        at.same(instance)


def test_knowledge_is_found_as_it_was_then(tmp_path: Path) -> None:
    source = model(
        START,
        '<task id="a"><extensionElements><gov:policy>'
        '<gov:knowledgeRequirement type="any" query="refund" count="2"/></gov:policy>'
        "</extensionElements></task>",
        END,
        flows("s>a", "a>e"),
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "refund.md").write_text("# Refund\n\nA refund is paid within ten days.\n")
    with house(tmp_path / "db") as at:
        at.governor.knowledge.take_in(tmp_path / "docs")
        instance = at.start(source)
        (tmp_path / "docs" / "refund.md").write_text("# Refund\n\nA refund is never paid. Not for a refund at all.\n")
        at.governor.knowledge.take_in(tmp_path / "docs")
        (found,) = at.store.events(instance, types=[EventType.KNOWLEDGE_INJECTED])
        assert found.data["items"]
        at.same(instance)


def test_what_an_agent_did_between_its_calls_is_taken_as_recorded(tmp_path: Path) -> None:
    def agent(work: Work) -> Outcome:
        work.compress(600)
        return Outcome(outputs={"answer": "short"}, head=work.context.head, confidence=0.9)

    source = model(
        START, '<scriptTask id="t"><script>y = 1</script></scriptTask>'
        '<serviceTask id="a" gov:jobType="x"><extensionElements><gov:policy windowTokens="1000"/></extensionElements>'
        "</serviceTask>", END, flows("s>t", "t>a", "a>e"),
    )  # fmt: skip
    with house(tmp_path / "db", {"a": agent}) as at:
        instance = at.start(source, {"text": "Much is said of many things. " * 60})
        d1 = [e for e in at.store.events(instance, types=[EventType.D1]) if e.data["compressed"]]
        assert d1, "D1 before the call compresses"
        assert at.same(instance).taken > 0


def test_what_is_kept_of_work_does_not_change_with_what_becomes_of_it(tmp_path: Path) -> None:
    def agent(work: Work) -> Outcome:
        work.note("notice", {"message": "hm", "trigger": "RUNTIME", "level": "MICRO_SUGGESTION"})
        return Outcome(outputs={"x": 1}, confidence=0.2, producer=Producer.AGENT)

    nearly_full = '<extensionElements><gov:policy workingThreshold="1000" retainKeys="text"/></extensionElements>'
    source = model(START, f'<serviceTask id="a" gov:jobType="x">{nearly_full}</serviceTask>', END, flows("s>a", "a>e"))
    with house(tmp_path / "db", {"a": agent}) as at:
        instance = at.start(source, {"text": "word " * 170})  # so that people are told before the work
        (asked,) = at.store.interventions(instance=instance)
        at.later()
        at.governor.answer(asked.id, "approve", by="lea")
        at.same(instance)
        history = at.governor._history(instance)
        assert [history.replay().difference for _ in range(2)] == [None, None]


def test_what_an_agent_asks_in_the_middle_of_its_work(tmp_path: Path) -> None:
    question = Question(Trigger.RUNTIME, InteractionLevel.EXPLICIT_APPROVAL, "may I?", {"what": "delete it"})

    def agent(work: Work) -> Outcome:
        assert work.desk is not None
        heard = work.desk.ask("call-1", question, "it is dear")
        if heard is None:
            raise Suspended(work.element.id)
        return Outcome(outputs={"allowed": heard.approved}, confidence=0.9)

    source = model(START, '<serviceTask id="a" gov:jobType="x"/>', END, flows("s>a", "a>e"))
    with house(tmp_path / "db", {"a": agent}) as at:
        instance = at.start(source)
        (asked,) = at.store.interventions(instance=instance)
        at.later()
        at.governor.answer(asked.id, "approve", by="lea", reason="fine")
        assert at.governor.result(instance).variables == {"allowed": True}
        at.same(instance)


def test_an_instance_that_waits_is_replayed_so_far(tmp_path: Path) -> None:
    source = model(START, '<userTask id="u"/>', END, flows("s>u", "u>e"))
    with house(tmp_path / "db") as at:
        assert at.same(at.start(source, {"x": 1})).advances == 1


def altered(path: Path, kind: str, old: object, new: object) -> None:
    """Another value in the place of one that an advance of this kind was made by."""
    hashes = {each: bytes.fromhex(_hash(each)) for each in (orjson.dumps(old), orjson.dumps(new))}
    ((version, body),) = read(path, f"SELECT version, body FROM gov_cause WHERE kind = '{kind}' LIMIT 1")
    text = unpack(body).decode().replace(hashes[orjson.dumps(old)].hex(), hashes[orjson.dumps(new)].hex())
    meddle(
        path,
        ("INSERT OR IGNORE INTO gov_value VALUES (?, ?)", (hashes[orjson.dumps(new)], pack(orjson.dumps(new)))),
        ("UPDATE gov_cause SET body = ? WHERE version = ?", (pack(text.encode()), version)),
    )


def _hash(raw: bytes) -> str:
    from governance.snapshots.canonical import digest

    return digest(raw)


def test_the_first_difference_is_named(tmp_path: Path) -> None:
    source = model(
        START, '<userTask id="u"/><scriptTask id="t"><script>y = x * 2</script></scriptTask>', END,
        flows("s>u", "u>t", "t>e"),
    )  # fmt: skip
    with house(tmp_path / "db") as at:
        instance = at.start(source)
        at.do("u", {"x": 21})
        altered(tmp_path / "db", "done", 21, 22)
        found = at.replayed(instance).difference
        assert found is not None
        assert found.advance == 2
        assert "advance 2 (done) made snapshot" in found.message
        assert "differs in" in found.message
        assert "WORKING/x" in found.message


def test_what_was_not_kept_is_told(tmp_path: Path) -> None:
    source = model(START, '<userTask id="u"/>', END, flows("s>u", "u>e"))
    with house(tmp_path / "db") as at:
        instance = at.start(source)
        at.do("u", {"x": "something"})
        meddle(tmp_path / "db", ("DELETE FROM gov_value WHERE hash = ?", (bytes.fromhex(_hash(b'"something"')),)))
        with pytest.raises(NotReplayable, match="it was erased"):
            at.replayed(instance)
        meddle(tmp_path / "db", "DELETE FROM gov_cause WHERE version = 1")
        with pytest.raises(NotReplayable, match="before causes were kept"):
            at.replayed(instance)
