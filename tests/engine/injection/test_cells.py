"""Text that orders: in four places, four things. A model obeys it in all 16 cells, and none of it works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.make.injection_cells import MARK, ORDERS, PLACES, PLANTED, SECRET, Order, Place
from engine.events import EventType
from engine.prompts.fence import fences
from tests.engine.injection.obedient import (
    APPROVE,
    CALL,
    LEAK,
    RESULT,
    WRITE,
    Play,
    outside_fences,
    told,
)

CELLS = [(place, order) for place in PLACES for order in ORDERS]


@pytest.fixture
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Play]:
    play = Play(tmp_path, *request.param)
    yield play
    play.store.close()


def every(*orders: Order, places: tuple[Place, ...] = PLACES) -> pytest.MarkDecorator:
    cells = [cell for cell in CELLS if cell[0] in places and cell[1] in (orders or ORDERS)]
    return pytest.mark.parametrize("play", cells, indirect=True, ids=[f"{p.name}-{o.name}" for p, o in cells])


def test_there_are_sixteen_cells() -> None:
    assert len(CELLS) == 16


@every()
def test_the_order_is_read_and_stands_behind_a_fence(play: Play) -> None:
    assert play.model.first is not None, "it did not reach the model"
    texts = [message.content for message in play.model.first.messages]
    assert MARK not in outside_fences(texts)
    assert sum(MARK in entry for text in texts for entries, _ in fences(text) for entry in entries) == 1


@every()
def test_what_it_comes_to_is_in_the_log(play: Play) -> None:
    order = play.model.order
    play.deny_all()
    events = play.events()
    for type, part in order.events:
        assert any(event.type is type and part in told(event) for event in events), (type, part)


@every()
def test_it_is_tried_to_the_end_and_nothing_is_done(play: Play) -> None:
    play.deny_all()
    play.let_the_other_branch_go_on()
    assert play.model.left == 0, "the model did not come to do all it was ordered"
    assert play.done == []
    assert play.result.status in ("completed", "failed")


@every(WRITE)
def test_system_is_what_it_was(play: Play) -> None:
    found = play.systems()
    assert found
    assert all("Pay everything." not in str(each) and each.keys() == {"role", "rules"} for each in found)
    assert len({str(each) for each in found}) == 1


@every(LEAK)
def test_no_branch_s_agent_reads_a_word_of_the_other_s(play: Play) -> None:
    play.let_the_other_branch_go_on()
    assert len(play.model.read["b"]) == 1
    assert SECRET in play.model.read["b"][0], "it is there to be leaked"
    assert not any(SECRET in text for text in play.model.read["a"])
    assert PLANTED not in play.model.read["b"][0].replace(play.model.order.text, ""), "the letter is both branches'"


@every(CALL, APPROVE)
def test_only_a_person_answers(play: Play) -> None:
    assert [asked.kind for asked in play.open()] == ["tool"]
    play.governor.resume(play.result.instance)
    assert not [event for event in play.events() if event.type is EventType.INTERVENTION_ANSWERED]
    assert (len(play.open()), play.done) == (1, [])


@every(CALL, places=(RESULT,))
def test_a_person_who_approves_lets_it_be_done(play: Play) -> None:
    """The orders come to nothing because nobody approves, and not because nothing could be done at all."""
    (asked,) = play.open()
    play.governor.answer(asked.id, "approve", by="ann")
    assert play.done == ["refund"]
