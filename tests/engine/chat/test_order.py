"""Two threads move one instance right after each other: whoever is first to say so, all is told in order, and once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.chat.bridge import ChatProcessBridge
from engine.chat.events import ActivityCompleted, ChatEvent, ChatTurn, InstanceEnded, TurnClosed
from engine.embedding import open_governor
from engine.governor import Governor
from engine.hearers import Hearers
from engine.store.advance import Advance
from engine.store.errors import VersionConflict
from tests.engine.chat.test_bridge import ASKING, waiting
from tests.engine.report.stories import ran

_PATIENCE = 20.0


@dataclass
class Overtaken:
    """The first commit that is made on `slow` is durable, and its thread says so only when `overtaken` is set."""

    commit: Callable[[Advance], int]
    slow: threading.Thread | None = None
    written: threading.Event = field(default_factory=threading.Event)
    overtaken: threading.Event = field(default_factory=threading.Event)

    def __call__(self, advance: Advance) -> int:
        version = self.commit(advance)
        if threading.current_thread() is self.slow and not self.written.is_set():
            self.written.set()
            assert self.overtaken.wait(_PATIENCE), "nobody came past"
        return version


@pytest.fixture
def overtaken(governor: Governor, monkeypatch: pytest.MonkeyPatch) -> Overtaken:
    store = governor.store
    made = Overtaken(store.commit)
    monkeypatch.setattr(store, "commit", made)
    return made


@pytest.fixture
def bridge(governor: Governor) -> Iterator[ChatProcessBridge]:
    opened = ChatProcessBridge(governor)
    yield opened
    opened.close()


def one_past_the_other(overtaken: Overtaken, first: Callable[[], object], second: Callable[[], object]) -> None:
    """`first` commits, then `second` does all it has to do, then `first` goes on."""
    overtaken.slow = threading.Thread(target=first)
    overtaken.slow.start()
    assert overtaken.written.wait(_PATIENCE)
    second()
    overtaken.overtaken.set()
    overtaken.slow.join(_PATIENCE)


def test_listeners_hear_the_first_first_though_the_second_is_done_before(
    governor: Governor, bridge: ChatProcessBridge, overtaken: Overtaken
) -> None:
    asked = ran(governor, ASKING)
    heard: list[ChatEvent] = []
    events: list[int] = []
    bridge.listen(heard.append, asked.instance)
    stop = governor.listen(lambda instance, event: events.append(event.seq))
    one_past_the_other(
        overtaken,
        lambda: bridge.on_chat_turn(asked.instance, "Wait.", by="bob"),
        lambda: bridge.reply(waiting(asked), "fine", by="ann"),
    )
    stop()
    assert [type(event) for event in heard] == [
        ChatTurn, TurnClosed, ActivityCompleted, ActivityCompleted, InstanceEnded,
    ]  # fmt: skip
    assert heard == bridge.history(asked.instance)[-len(heard) :]
    assert events == [event.seq for event in governor.store.events(asked.instance, after=events[0] - 1)]


def test_a_stream_loses_nothing_of_the_first(
    governor: Governor, bridge: ChatProcessBridge, overtaken: Overtaken
) -> None:
    asked = ran(governor, ASKING)
    known = len(bridge.history(asked.instance))

    def move() -> None:
        one_past_the_other(
            overtaken,
            lambda: bridge.on_chat_turn(asked.instance, "Wait.", by="bob"),
            lambda: bridge.reply(waiting(asked), "fine", by="ann"),
        )

    async def hear() -> list[ChatEvent]:
        found: list[ChatEvent] = []
        moving = threading.Thread(target=move)
        async for event in bridge.stream(asked.instance):
            found.append(event)
            if len(found) == known:
                moving.start()
        moving.join(_PATIENCE)
        return found

    heard = asyncio.run(asyncio.wait_for(hear(), _PATIENCE))
    assert ChatTurn in map(type, heard)
    assert heard == bridge.history(asked.instance)


def test_an_advance_that_is_not_written_holds_nobody_up(
    governor: Governor, bridge: ChatProcessBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ran(governor, ASKING)
    heard: list[ChatEvent] = []
    bridge.listen(heard.append, asked.instance)
    commit, store = governor.store.commit, governor.store

    def refuse(advance: Advance) -> int:
        monkeypatch.setattr(store, "commit", commit)
        raise OSError("the disk is full")

    monkeypatch.setattr(store, "commit", refuse)
    with pytest.raises(OSError, match="disk is full"):
        bridge.on_chat_turn(asked.instance, "Lost.", by="bob")
    assert heard == []
    bridge.on_chat_turn(asked.instance, "Heard.", by="bob")
    assert [type(event) for event in heard] == [ChatTurn]


def test_of_two_with_the_same_version_the_one_that_fails_holds_the_other_up_no_longer_than_it_lives(
    governor: Governor, bridge: ChatProcessBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have taken their place, and that of the one that is too late is not in the way of what was written."""
    asked = ran(governor, ASKING)
    heard: list[ChatEvent] = []
    bridge.listen(heard.append, asked.instance)
    commit, store = governor.store.commit, governor.store
    conflicts: list[VersionConflict] = []

    def late(advance: Advance) -> int:
        monkeypatch.setattr(store, "commit", commit)
        bridge.on_chat_turn(asked.instance, "I was faster.", by="ann")
        assert [type(event) for event in heard] == [ChatTurn]
        try:
            return commit(advance)
        except VersionConflict as conflict:
            conflicts.append(conflict)
            raise

    monkeypatch.setattr(store, "commit", late)
    bridge.on_chat_turn(asked.instance, "Me too.", by="bob")
    assert len(conflicts) == 1
    assert heard == bridge.history(asked.instance)[-2:]
    assert [turn["by"] for turn in bridge.turns(asked.instance)] == ["ann", "bob"]


def test_what_a_host_rolls_back_holds_nobody_up(tmp_path: Path) -> None:
    from sqlalchemy.orm import Session

    with open_governor(str(tmp_path / "governor.db")) as governor:
        bridge = ChatProcessBridge(governor)
        asked = ran(governor, ASKING)
        heard: list[ChatEvent] = []
        bridge.listen(heard.append, asked.instance)
        with Session(governor.store.database.connections) as session:  # type: ignore[attr-defined]
            governor.within(session).chat_turn(asked.instance, "Never said.", by="bob")
        assert heard == []
        bridge.on_chat_turn(asked.instance, "Said.", by="bob")
        assert [type(event) for event in heard] == [ChatTurn]


def test_nothing_is_kept_of_what_is_told() -> None:
    hearers = Hearers()
    first, second = hearers.turn("i", 0), hearers.turn("i", 3)
    second.tell([])
    first.drop()
    assert (hearers._turns, hearers._left) == ({}, {})
