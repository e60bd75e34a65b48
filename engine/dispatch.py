"""Takes messages and signals from one instance to the others of the same store.

What an instance throws is stored with the advance that threw it; who receives it takes it out with the advance that
received it. So nothing is lost or received twice, wherever a program dies in between; what was left lying is taken up
when its receiver, or its sender, moves again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from bpmn.definition import Definition, Element, Scope
from engine.post import Post, Topic
from engine.posting import message_of
from engine.refused import NotMovable
from engine.session import Session
from engine.spiff.trigger_specs import address
from engine.store.errors import VersionConflict
from engine.store.parts import Posts
from governance.ports import Clock, timestamp

_MOST_HOPS: Final = 10_000
"""So many deliveries are made after one step from outside: instances that answer each other for ever must end."""

_STARTS: Final = ">"
"""Marks a recipient that is a process to start, and no instance."""


class Instances(Protocol):
    """What a dispatcher needs of a `Governor`."""

    def load_session(self, instance: str) -> Session: ...

    def start_for(self, post: Post, sender: Session, process: str) -> Session | None:
        """Start an instance of another process of the sender's file with what it threw; None if it cannot be run."""
        ...


class Dispatcher:
    """Delivers until nobody can receive anything any more."""

    def __init__(self, posts: Posts, instances: Instances, clock: Clock) -> None:
        self._posts, self._instances, self._clock = posts, instances, clock

    def after(self, session: Session) -> set[str]:
        """Deliver what concerns an instance that has moved; ids of the instances that moved because of it."""
        moved: set[str] = set()
        todo = [session]
        for _ in range(_MOST_HOPS):
            if not todo:
                break
            for next_one in self._deliver(todo.pop(0)):
                moved.add(next_one.instance.id)
                todo.append(next_one)
        return moved

    def _deliver(self, session: Session) -> Iterable[Session]:
        instance = session.instance
        if instance.posted:
            instance.posted = False
            self._posts.expire(timestamp(self._clock.now()))
            for post in self._posts.of_sender(instance.id):
                yield from self._send(session, post)
            self._posts.tried(instance.id)
        topics = instance.workflow.event_manager.from_outside()
        if topics:
            now = timestamp(self._clock.now())
            for post in self._posts.for_instance(instance.id, topics):
                if post.until is None or post.until >= now:
                    yield from self._give(instance.id, post)

    def _send(self, session: Session, post: Post) -> Iterable[Session]:
        if post.kind == "message":
            yield from self._message(session, post)
        elif post.recipient is None:
            for copy in self._copies(session, post):
                yield from self._send(session, copy)
        elif post.recipient.startswith(_STARTS):
            started = self._instances.start_for(post, session, post.recipient.removeprefix(_STARTS))
            if started is not None:
                yield started
        else:
            yield from self._give(post.recipient, post)

    def _message(self, session: Session, post: Post) -> Iterable[Session]:
        """To the instance that waits longest, else to a process of the file that it starts."""
        for topic in post.topics:
            for waiting in self._posts.waiting(topic):
                for received in self._give(waiting, post):
                    yield received
                    return
        for process in started_by(session.instance.index.definition, post.topics):
            started = self._instances.start_for(post, session, process)
            if started is not None:
                yield started
                return

    def _copies(self, session: Session, post: Post) -> list[Post]:
        """A signal for each that waits for it now, and for each process of the file that it starts."""
        definition, own = session.instance.index.definition, session.instance.index.main.id
        waiting = [each for each in self._posts.waiting(post.topics[0]) if each != post.sender]
        started = [f"{_STARTS}{each}" for each in started_by(definition, post.topics) if each != own]
        copies = [replace(post, id=f"{post.id}>{each}", recipient=each) for each in (*waiting, *started)]
        self._posts.fan_out(post, copies)
        return copies

    def _give(self, instance: str, post: Post) -> Iterable[Session]:
        """The instance, if it received the post: one that is suspended gets it later, of two programs one gives it."""
        try:
            session = self._instances.load_session(instance)
            if session.receive(post, message_of(post)):
                yield session
        except (VersionConflict, NotMovable):
            return


def started_by(definition: Definition, topics: Sequence[Topic]) -> list[str]:
    """Ids of the processes of a file that a message or a signal starts."""
    found = []
    for process in definition.processes.values():
        firsts = [each for element in process.scope.elements.values() for each in _begins(element, process.scope)]
        if any(topic in topics for element in firsts for topic in _topics(definition, element)):
            found.append(process.id)
    return found


def _begins(element: Element, scope: Scope) -> list[Element]:
    """What a token begins at when something happens: start events, tasks, and the events behind a gateway."""
    if element.kind == "eventBasedGateway" and element.instantiate:
        return [scope.elements[scope.flows[flow].target] for flow in element.outgoing]
    return [element] if element.kind == "startEvent" or element.instantiate else []


def _topics(definition: Definition, element: Element) -> list[Topic]:
    events = () if element.event is None else (element.event, *element.event.definitions)
    topics: list[Topic] = [("element", address(definition, element.id))]
    for event in events:
        known = definition.messages if event.kind == "message" else definition.signals
        ref = known.get(event.ref or "")
        if event.kind in ("message", "signal") and event.ref is not None:
            topics.append((event.kind, (ref.name if ref is not None else None) or event.ref))
    return topics
