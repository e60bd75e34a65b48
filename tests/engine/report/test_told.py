"""What a report tells of a run: headline, timeline, conflicts, people, compression, incidents, log."""

from __future__ import annotations

from typing import Any

import pytest

from engine.events import Event, EventType
from engine.governor import Governor
from engine.names import Names
from engine.people.work_item import WorkItem
from engine.report.model.activities import tally
from engine.report.model.attention import attention
from engine.report.model.differences import Piece, pieces
from engine.report.model.eventlog import event_log
from engine.report.model.growth import grow
from engine.report.model.incidents import incident_rows
from engine.report.model.people import Asked, asked_of_people
from engine.report.model.report import Report, make_report
from engine.report.model.telling import is_told, tell
from engine.report.model.timeline import timeline
from engine.report.run import Run, read_run
from engine.report.words import clock, lasting, moment, score_text, value_text
from governance.human_loop.intervention import Intervention, InterventionAnswer
from governance.human_loop.rights import TIMEOUT
from governance.vocabulary import Layer
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.report.stories import STORY, ran

NAMES = Names()


def test_the_headline_says_what_became_of_it(report: Report) -> None:
    head = report.headline
    assert (head.process, head.status, head.starter) == ("p", "failed", "ann")
    assert "division by zero" in head.reason
    assert (head.activities, head.by_agents, head.model_calls) == (6, 1, 1)
    assert (head.splits, head.merges, head.conflicts, head.conflicts_by_people) == (1, 1, 2, 1)
    assert (head.compressions, head.incidents) == (1, 1)
    assert head.saved == pytest.approx(1 - head.tokens / head.tokens_ungoverned)
    assert head.waiting == ["“check” has failed and may be tried again"]


def test_the_demo_saves_most_of_its_tokens(demo: Run) -> None:
    head = make_report(demo).headline
    assert head.status == "completed"
    assert head.saved is not None
    assert head.saved > 0.7


def test_a_waiting_run_says_for_what(governor: Governor) -> None:
    source = model(start(), user("u"), end(), edges("s > u > e"))
    found = make_report(read_run(governor.store, ran(governor, source).instance))
    assert found.headline.waiting == ["“u” waits for a task by anybody"]
    assert [node.element.id for node in found.planes[0].nodes if node.waits] == ["u"]
    assert found.headline.saved is None


def test_a_run_that_waits_for_an_event_says_so(governor: Governor) -> None:
    late = "<timerEventDefinition><timeDuration>PT9H</timeDuration></timerEventDefinition>"
    event = f'<intermediateCatchEvent id="c">{late}</intermediateCatchEvent>'
    source = model(start(), event, end(), edges("s > c > e"))
    found = make_report(read_run(governor.store, ran(governor, source).instance))
    assert found.headline.waiting == ["“c” waits for a timer"]
    assert not found.growth
    assert found.attention is None


def test_the_timeline_tells_decisions_with_reasons(report: Report) -> None:
    rows = {row.telling.title: row for row in report.timeline.rows}
    compressed = rows["Compressed for weigh: 126% full → 29%"].telling
    facts = dict(compressed.facts)
    assert "medium" in facts["why"] or "forced" in facts["why"]
    assert facts["log"].startswith("FULL → ")
    assert facts["before"].startswith("126%")
    split = rows["Split at split into 2 branches"].telling
    assert dict(split.facts)["branches"] == "left, right"
    merged = dict(rows["Merged 2 branches at join: 2 conflicts"].telling.facts)
    assert merged["verdict"] == "innocent (of right, by a person)"
    assert merged["decided by"] == "judge"
    assert rows["judge answers: resolve"].telling.aside == "saw it happen"
    assert [row.telling.kind for row in report.timeline.rows][-2:] == ["trouble", "trouble"]
    assert report.timeline.lanes == 3


def test_a_compression_that_changed_nothing_is_no_story() -> None:
    data = {"compressed": False, "overflow": None}
    assert not is_told(Event(0, "", EventType.D1, "a", "", data))
    assert is_told(Event(0, "", EventType.D1, "a", "", {**data, "overflow": {"kind": "usage_overflow"}}))
    assert not is_told(Event(0, "", EventType.MODEL_CALL, "a"))


def test_a_long_story_is_cut_and_says_so(story: Run) -> None:
    found = timeline(story.events, {}, NAMES, 5)
    assert (len(found.rows), found.left_out > 5) == (5, True)


@pytest.mark.parametrize(
    ("type", "data", "title"),
    [
        (EventType.INCIDENT_RESOLVED, {"how": "retry"}, "a is tried again"),
        (EventType.MESSAGE_RECEIVED, {"message": "paid"}, "Message paid arrives"),
        (EventType.CONTEXT_RESTORED, {"by": "ann", "snapshot": "ab", "before": "cd"}, "ann puts the context"),
        (EventType.REWOUND, {"by": "ann", "snapshot": "ab", "done": [["i/3/1", "write"]]}, "ann rewinds to ab"),
        (EventType.TAINT_LIFTED, {"by": "ann", "reason": "read it", "variables": ["x"]}, "ann takes x for clean"),
        (EventType.INTERRUPTED, {"interrupted": "b, c", "lost": [], "head": "x"}, "a interrupts b, c"),
        (EventType.INSTANCE_STALLED, {"reason": "a join waits"}, "Nothing can move any more"),
        (EventType.GATEWAY, {"taken": ["b.Split"]}, "a → b"),
    ],
)  # fmt: skip
def test_rare_events_are_told_too(type: EventType, data: dict[str, Any], title: str) -> None:
    assert tell(Event(0, "", type, "a", "", data), NAMES).title.startswith(title)


def test_conflicts_name_winner_losers_and_who_decided(report: Report) -> None:
    rows = {row.key: row for row in report.conflicts}
    verdict = rows["verdict"]
    assert [(side.branch, side.value, side.won) for side in verdict.sides] == [
        ("left", "guilty", False),
        ("right", "innocent", True),
    ]
    assert (verdict.value, verdict.by, verdict.by_person, verdict.why) == ("innocent", "judge", True, "saw it happen")
    assert (rows["count"].base, rows["count"].by, rows["count"].by_person) == ("0", "LAST_WRITE", False)


def test_a_conflict_that_waits_is_open(governor: Governor) -> None:
    found = make_report(read_run(governor.store, ran(governor, STORY, {"rate": 0}).instance))
    [row] = found.conflicts
    assert (row.key, row.status, row.value, row.by) == ("verdict", "open", None, "nobody yet")
    assert found.headline.waiting == ["“join” waits for an answer by anybody"]


def test_values_made_of_all_branches_have_no_loser(demo: Run) -> None:
    summed = next(row for row in make_report(demo).conflicts if row.key == "minutes_spent")
    assert all(side.folded and not side.won for side in summed.sides)
    assert (summed.value, summed.by) == ("19", "SUM")


def test_questions_and_tasks_say_who_when_and_why(report: Report) -> None:
    question, task = report.people
    assert (question.kind, question.answered, question.by, question.reason) == (
        "question", "decided", "judge", "saw it happen",
    )  # fmt: skip
    assert question.settled == {"verdict": "innocent"}
    assert [(shown.name, shown.text[0].text) for shown in question.shown] == [
        ("verdict", "guilty"),
        ("verdict", "innocent"),
    ]
    assert question.given[0].note == "taken from right"
    assert (task.kind, task.by, task.settled) == ("task", "clerk", {"signed": "yes, by the clerk"})
    assert [shown.name for shown in task.shown] == ["goal"]
    assert task.seconds is not None


def asked(shown: Any, answer: InterventionAnswer | None = None, kind: Any = "output_preview") -> Asked:
    """A question that shows this, as the report tells it."""
    question = Intervention.model_validate(
        {
            "id": "i-1", "instance": "i", "trigger": "QUALITY", "level": "DIFF_PREVIEW", "kind": kind, "element": "a",
            "created_at": "2026-01-01T00:00:00.000000Z", "message": "m", "shown": shown,
            "options": ["approve", "edit", "deny"], "status": "open" if answer is None else "answered",
            "answer": answer,
        }
    )  # fmt: skip
    [found] = asked_of_people([question], [], NAMES)
    return found


def answer(decision: str, **values: Any) -> InterventionAnswer:
    at = "2026-01-01T00:01:30.000000Z"
    return InterventionAnswer.model_validate(
        {"decision": decision, "by": "ann", "at": at, "shown_hash": "", "values": values or None}
    )


def test_outputs_are_compared_with_what_stood_there_or_what_a_person_made_of_them() -> None:
    outputs = {"a": "one two", "b": 1, "c": "new"}
    shown = {"outputs": outputs, "before": {"a": "one", "b": 2}, "problems": ["missing: d"]}
    found = asked(shown, answer("edit", c="newer"))
    told = {each.name: (each.note.partition(" ")[0], [piece.kind for piece in each.text]) for each in found.shown}
    assert told == {
        "problem": ("", ["same"]),
        "a": ("proposed,", ["same", "added"]),
        "b": ("proposed,", ["removed", "added"]),
        "c": ("what", ["removed", "added"]),
    }
    assert (found.seconds, found.settled, found.given) == (90.0, {"c": ""}, ())


def test_what_would_be_lowered_or_released_is_shown() -> None:
    change = {"key": "WORKING/log", "from": "FULL", "to": "SUMMARY", "before": "a b c", "after": "a c"}
    found = asked({"changes": [change], "release": {"goal": 4_000}}, kind="d1_preview")
    assert [(each.name, each.note) for each in found.shown] == [
        ("log", "models would see it as SUMMARY"),
        ("goal", "kept; could be released"),
    ]
    assert found.answered == ""


def test_anything_else_is_shown_as_it_is() -> None:
    assert [each.name for each in asked({"x": 1, "y": [2]}, kind="system_write").shown] == ["x", "y"]
    assert [each.text[0].text for each in asked("plain", kind="emergency").shown] == ["plain"]


def test_an_expired_question_names_no_person() -> None:
    expired = answer("approve").model_copy(update={"by": TIMEOUT})
    assert asked({"x": 1}, expired).by == "nobody in time: the stated default"


def test_questions_and_tasks_stand_in_the_order_of_time() -> None:
    items = [
        WorkItem(id=f"w{n}", instance="i", task=n, element="u", name="U", created_at=f"2026-01-0{n}T00:00:00.000000Z")
        for n in (3, 1, 2)
    ]
    assert [each.id for each in asked_of_people([], items, NAMES)] == ["w1", "w2", "w3"]


def test_the_ledger_tells_what_models_read_instead(report: Report) -> None:
    entry = next(entry for entry in report.ledger if entry.name == "log")
    [fall] = entry.falls
    assert (fall.element, fall.from_, fall.before > fall.after) == ("weigh", "FULL", True)
    assert fall.text.startswith("[Compressed] line of the log")
    assert entry.saved == fall.before - fall.after
    assert [each.saved for each in report.ledger] == sorted((each.saved for each in report.ledger), reverse=True)


def test_the_ledger_notes_what_was_shown_in_full_again(demo: Run) -> None:
    found = make_report(demo)
    logs = next(entry for entry in found.ledger if entry.key == "WORKING/logs")
    assert any(fall.raised for fall in logs.falls)
    assert all(fall.element in {"Triage", "Analyse database", "Analyse network", "Propose fix", "Adjust fix",
                                "Write post-mortem"} for fall in logs.falls)  # fmt: skip


def test_layers_grow_in_full_and_stay_small_as_shown(report: Report, demo: Run) -> None:
    last = make_report(demo).growth[-1]
    assert last.full > 4 * last.shown
    weighed = next(step for step in report.growth if step.element == "weigh")
    [fall] = weighed.falls
    assert fall.before > fall.after
    assert [size.layer for size in weighed.layers] == list(Layer)
    assert all(size.shown <= size.full for step in report.growth for size in step.layers)


def test_a_long_run_is_thinned_and_keeps_its_falls(story: Run) -> None:
    full, thin = grow(story.graph, story.events), grow(story.graph, story.events, most=2)
    assert thin[-1].number == full[-1].number
    assert len(thin) == 2
    assert sum(len(step.falls) for step in thin) == sum(len(step.falls) for step in full)


def test_attention_has_its_lowest_average_and_last(report: Report) -> None:
    found = report.attention
    assert found is not None
    assert found.lowest.score == min(measure.score for measure in found.measures)
    assert found.lowest.score <= found.average <= 1
    assert sum(dimension.weight for dimension in found.dimensions) == pytest.approx(1)
    assert all(dimension.lowest <= dimension.average for dimension in found.dimensions)
    assert attention([]) is None


def test_an_element_is_tallied(story: Run) -> None:
    found = tally(story.events)
    assert (found["weigh"].completed, found["weigh"].compressed) == (1, 1)
    assert (found["join"].merges, found["join"].conflicts, found["join"].asked) == (1, 2, 1)
    assert (found["ask"].by, found["ask"].tokens > 0) == ("agent", True)
    assert (found["check"].incidents, found["check"].open_incidents) == (1, 1)
    assert found["sign"].seconds >= 0


def test_an_incident_is_resolved_by_another_try() -> None:
    def event(seq: int, type: EventType, branch: str = "", **data: Any) -> Event:
        return Event(seq, f"2026-01-01T00:00:0{seq}.000000Z", type, "a", branch, data)

    failed = {"error": "boom", "kind": "Broken"}
    log = [
        event(1, EventType.INCIDENT, **failed),
        event(2, EventType.INCIDENT_RESOLVED, how="retry"),
        event(3, EventType.INCIDENT, **failed),
        event(4, EventType.INCIDENT, "/b", **failed),
        event(5, EventType.INCIDENT_RESOLVED, "/c", how="retry"),
    ]
    assert [bool(row.resolved_at) for row in incident_rows(log, NAMES)] == [True, False, False]


def test_the_log_keeps_its_ends(story: Run) -> None:
    full = event_log(story.events, NAMES)
    assert len(full.rows) == len(story.events)
    short = event_log(story.events, NAMES, most=4)
    assert [row.seq for row in short.rows] == [0, 1, len(story.events) - 2, len(story.events) - 1]
    assert short.left_out == len(story.events) - 4


def test_texts_are_compared_word_by_word() -> None:
    found = pieces("the quick brown fox", "the slow brown fox")
    assert [(piece.kind, piece.text) for piece in found] == [
        ("same", "the "), ("removed", "quick"), ("added", "slow"), ("same", " brown fox"),
    ]  # fmt: skip
    long = "word " * 400
    assert [piece.kind for piece in pieces(long + "a", long + "b")] == ["left out", "same", "removed", "added"]
    assert pieces(None, "x") == [Piece("added", "x")]
    assert pieces("x", None) == [Piece("removed", "x")]


def test_numbers_and_moments_read_well() -> None:
    assert [lasting(seconds) for seconds in (0, 0.0241, 1.12, 42, 61, 3_600, 90_061)] == [
        "0 ms", "24 ms", "1.1 s", "42 s", "1 min 1 s", "1 h", "1 d 1 h",
    ]  # fmt: skip
    assert [score_text(score) for score in (1, 0.5975, 0.6, 0.29, -0.104)] == ["1.00", "0.59", "0.60", "0.29", "-0.11"]
    assert moment("2026-01-02T03:04:05.678901Z") == "2026-01-02 03:04:05 UTC"
    assert clock("2026-01-02T03:04:05.678901Z") == "03:04:05.678"
    assert value_text([1, "a"]) == '[1,"a"]'
    assert value_text("x" * 20, 5) == "xxxxx … (15 more characters)"
    assert value_text({"key": "v" * 200}).startswith("{\n")


def test_a_run_without_compression_has_no_ledger(governor: Governor) -> None:
    source = model(start(), script("t", "x = 1"), end(), edges("s > t > e"))
    found = make_report(read_run(governor.store, ran(governor, source).instance))
    assert (found.ledger, found.conflicts, found.people, found.incidents) == ([], [], [], [])
    assert found.variables == {"x": "1"}


@pytest.mark.parametrize("name", ["o.f", "o/f"])
def test_a_field_that_was_settled_is_told_as_people_write_it(governor: Governor, name: str) -> None:
    human = '<gov:policy><gov:mergeKey name="o" strategy="HUMAN"/></gov:policy>'
    source = model(
        start(),
        script("first", "o = {'f': 0, 'g': 0}"),
        gateway("split"),
        script("left", "o['f'] = 1"),
        script("right", "o['f'] = 2"),
        f'<parallelGateway id="join">{policy(human)}</parallelGateway>',
        end(),
        edges("s > first > split > left > join > e", "split > right > join"),
    )
    instance = ran(governor, source).instance
    [question] = governor.store.interventions(instance=instance)
    branch = question.shown["conflicts"][0]["values"][1]["branch"]
    governor.answer(question.id, "resolve", by="judge", reason="seen", values={name: {"take": branch}})
    found = make_report(read_run(governor.store, instance))
    assert [row.key for row in found.conflicts] == ["o.f"]
    [told] = [each for each in found.people if each.kind == "question"]
    assert {shown.name for shown in told.shown} == {"o.f"}
    assert list(told.settled.values()) in (["1"], ["2"])


def told_title(kind: EventType, **data: Any) -> str:
    event = Event(seq=0, at="2026-05-04T09:00:00.000000Z", type=kind, element="pay", branch="", data=data)
    return tell(event, NAMES).title


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (EventType.INSTANCE_SUSPENDED, "Suspended"),
        (EventType.INSTANCE_UNSUSPENDED, "Goes on"),
        (EventType.INSTANCE_CANCELLED, "Cancelled"),
        (EventType.INSTANCE_COMPLETED, "Completed"),
        (EventType.INSTANCE_STALLED, "Nothing can move any more"),
        (EventType.INSTANCE_FAILED, "Failed"),
    ],
)
def test_how_an_instance_ends_is_told(kind: EventType, title: str) -> None:
    assert told_title(kind) == title


@pytest.mark.parametrize(
    ("what", "title"),
    [
        ("registered", "pay: a dead end, kept so that it is not tried again"),
        ("refused", "pay: refused, it is a known dead end"),
        ("told", "pay: much like a known dead end"),
        ("worked", "pay: no dead end, it worked"),
    ],
)
def test_what_became_of_a_dead_end_is_told(what: str, title: str) -> None:
    assert told_title(EventType.DEAD_END, what=what, reason="no route", failed=1, id="d1") == title


@pytest.mark.parametrize(
    ("kind", "data", "title"),
    [
        (EventType.INCIDENT_RESOLVED, {}, "pay is tried again"),
        (EventType.INCIDENT_RESOLVED, {"how": "skip"}, "pay is passed over"),
        (EventType.VARIABLES_EDITED, {"by": "ann", "variables": ["a", "b"]}, "ann changes a, b"),
        (EventType.TAINT_LIFTED, {"by": "ann", "variables": ["a"]}, "ann takes a for clean"),
        (EventType.DATA_ERASED, {"by": "ann", "reason": "asked", "keys": ["a"]}, "ann erases personal data"),
        (EventType.INSTANCE_MIGRATED, {"by": "ann"}, "Goes on with another definition"),
        (
            EventType.TOKEN_MOVED,
            {"to": "check", "undone": [], "passed_over": [], "again": []},
            "The token at pay goes to check",
        ),
    ],
)
def test_what_operators_did_is_told(kind: EventType, data: dict[str, Any], title: str) -> None:
    assert told_title(kind, **data) == title
