"""What a host does to begin instances and to move them on."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

from bpmn.load import Loaded, load
from engine.definitions import Definitions
from engine.errors import EngineError
from engine.events import EventType
from engine.hearers import Hearer, Hearers
from engine.moving import Mover
from engine.post import Post
from engine.refused import AtWorkElsewhere, NotMovable
from engine.result import RunResult
from engine.results import Results
from engine.session import Session
from engine.sessions import Sessions
from engine.spiff.messages import AlreadyReceived, NotAwaited
from engine.status import Status
from engine.store.ids import Ids
from engine.store.port import InstanceStore
from governance.ports import Clock, timestamp


class RunningDoor:
    """The part of a Governor that runs processes. Each move runs an instance on until it waits or ends.

    Where an operator has suspended or cancelled it, a move raises InstanceSuspended or InstanceEnded.
    """

    store: InstanceStore
    _clock: Clock
    _ids: Ids
    _definitions: Definitions
    _sessions: Sessions
    _mover: Mover
    _results: Results
    _hearers: Hearers

    def check(self, source: str | os.PathLike[str] | bytes, *, process: str | None = None) -> Loaded:
        """Read and check a file. Raises BpmnError for one that cannot be read; the rest is in its findings."""
        return load(source, process=process)

    def start(
        self,
        loaded: Loaded,
        variables: Mapping[str, Any],
        *,
        starter: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> RunResult:
        """Deploy what was read, start an instance of it, and run it as far as it goes.

        Raises NotDeployable, MissingHandler (an EngineError that lists what is registered), NotJson, StoreError.
        """
        deployed = self._definitions.deploy(loaded)
        session = self._sessions.new(deployed, variables, starter, dict(settings or {}))
        return self._mover.run(session)

    def resume(self, instance: str) -> RunResult:
        """Move an instance on: unfinished work, timers that are due. A completed one stays as it is.

        Where another program is faster, it is told what that has made of it. Raises AtWorkElsewhere where there is
        nothing to do but what another program is at.
        """
        if self.store.instance(instance).status == Status.COMPLETED:
            if self.store.posts.of_sender(instance):
                self._mover.after(self._mover.load(instance), again=True)
            return self._results.of(instance)
        return self._mover.resume(instance)

    def advance(self, instance: str) -> None:
        """As `resume`, for who does not want to know what came of it, which costs more the longer its history is.

        Raises AtWorkElsewhere also where another program is at what is left after the rest was done.
        """
        if self.store.instance(instance).status == Status.COMPLETED:
            self.resume(instance)
            return
        session = self._mover.load(instance, here=True)
        self._mover.whole(instance, session.resume)
        self._mover.deliver(session, again=True)
        if session.elsewhere:
            raise AtWorkElsewhere(instance)

    def due(self, limit: int = 50) -> list[str]:
        """Ids of instances that `resume` would move: a timer or the time to answer is over. The longest due first."""
        return self.store.due_instances(self._clock.now(), limit)

    def correlate(
        self,
        instance: str,
        message: str,
        payload: Mapping[str, Any] | None = None,
        *,
        key: Any = None,
        keep: timedelta | None = None,
        by: str | None = None,
    ) -> RunResult:
        """Give a message to what in the instance waits for it longest, and run on.

        `key` is its correlation key: who waits with another one does not get it. Where nothing waits for it, it is
        kept for the time `keep`, or refused: raises NotAwaited; AlreadyReceived, where one of its name came before.
        `by` is who sent it, for the record.
        """

        try:
            return self._mover.step(instance, lambda session: session.correlate(message, payload or {}, key, by))
        except NotAwaited as refused:
            if keep is None:
                raise self._received_before(instance, refused) or refused from None
            self.store.posts.add(self._kept(instance, message, payload or {}, key, keep))
            return self._results.of(instance)

    def _received_before(self, instance: str, refused: NotAwaited) -> AlreadyReceived | None:
        for event in reversed(self.store.events(instance, types=[EventType.MESSAGE_RECEIVED])):
            if event.data["message"] == refused.name:
                return AlreadyReceived(refused, event.element, event.at, event.data.get("by"))
        return None

    def _kept(self, instance: str, name: str, payload: Mapping[str, Any], key: Any, keep: timedelta) -> Post:
        until = timestamp(self._clock.now() + keep)
        return Post(
            id=self._ids.new(), kind="message", name=name, topics=(("message", name),), recipient=instance,
            payload=dict(payload), key=key, until=until,
        )  # fmt: skip

    def signal(self, name: str, payload: Mapping[str, Any] | None = None) -> list[str]:
        """Send a signal to all instances that wait for it now; their ids. Those that are suspended get none.

        Where one cannot be moved, the others get it all the same; then its error is raised.
        """
        received: list[str] = []
        errors: list[EngineError] = []
        for instance in self.store.posts.waiting(("signal", name)):
            post = Post(id=f"{name}>{instance}", kind="signal", name=name, topics=(("signal", name),),
                        payload=dict(payload or {}))  # fmt: skip

            def step(session: Session, post: Post = post, instance: str = instance) -> None:
                if session.signal(post):
                    received.append(instance)

            try:
                self._mover.step(instance, step)
            except NotMovable:
                continue
            except EngineError as error:
                errors.append(error)
        if errors:
            raise errors[0]
        return received

    def expecting(self, instance: str, at: tuple[int, int]) -> AbstractContextManager[None]:
        """For a `with` statement around one move of an instance, which is done only if it is `at` (epoch, version).

        The move raises InstanceChanged where it is not, and VersionConflict where somebody else was faster.
        """
        return self._sessions.expecting.of(instance, at)

    def chat_turn(self, instance: str, text: str, *, by: str, branch: str | None = None) -> RunResult:
        """Somebody says something into the process: it goes to WORKING on `branch` (None: the only one), as `chat`.

        Raises UnknownBranch, UnknownInstance.
        """
        return self._mover.step(instance, lambda session: session.chat_turn(text, by, branch))

    def listen(self, hear: Hearer) -> Callable[[], None]:
        """Call `hear` for each event of every instance once it is durable, in order; what it returns ends that.

        Where threads move an instance one right after the other, one of them tells what both did. `hear` may move the
        instance: what comes of that is heard when all have heard what it heard. What it raises comes out of the call
        that moved the instance, when all is durable and everybody has heard it.
        """
        return self._hearers.add(hear)
