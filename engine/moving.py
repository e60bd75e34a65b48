"""What moves of instances have in common: loading, telling others, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.dispatch import Dispatcher
from engine.events import EventType
from engine.post import Post
from engine.refused import InstanceEnded, InstanceSuspended, NotMovable
from engine.result import RunResult
from engine.results import Results
from engine.session import Session
from engine.sessions import Sessions
from engine.status import Status
from engine.store.errors import VersionConflict
from engine.store.port import InstanceStore
from governance.ports import Clock

_TRIES: Final = 5


class Mover:
    """Loads instances to move them, delivers what they throw, and tells what they came to."""

    def __init__(self, store: InstanceStore, sessions: Sessions, results: Results, clock: Clock) -> None:
        self._store, self._sessions, self._results, self._clock = store, sessions, results, clock

    def load(self, instance: str, *, here: bool = False) -> Session:
        """One that may move; `here`: its work is done here, too.

        Raises InstanceSuspended, InstanceEnded for a cancelled one, UnknownInstance.
        """
        session = self._sessions.load(instance, here=here)
        if session.instance.status in (Status.SUSPENDED, Status.CANCELLED):
            raise self.refusal(instance)
        return session

    def load_unended(self, instance: str) -> Session:
        """One that has not ended, be it suspended. Raises InstanceEnded, UnknownInstance."""
        return self.unended(self._sessions.load(instance))

    def unended(self, session: Session) -> Session:
        """The session, if it is of an instance that has not ended. Raises InstanceEnded."""
        if session.instance.status.ended:
            raise self.refusal(session.instance.id)
        return session

    def load_going(self, instance: str) -> Session:
        """One that is neither suspended nor ended. Raises InstanceSuspended, InstanceEnded, UnknownInstance."""
        session = self._sessions.load(instance)
        if session.instance.status.halted or session.instance.status.ended:
            raise self.refusal(instance)
        return session

    def step(
        self,
        instance: str,
        move: Callable[[Session], object],
        *,
        load: Callable[[str], Session] | None = None,
        again: bool = False,
    ) -> RunResult:
        """Move an instance on; where another program was faster, again on what that made of it.

        `move` begins with one advance that does what is wanted, and raises where there is nothing left to do, as an
        answer has been given. Once that is committed it stands, whoever moves the instance on from there. `again`: what
        it threw before is delivered, too.
        Raises what `move` and `load` raise, and VersionConflict if others are faster again and again.
        """
        for left in reversed(range(_TRIES)):
            session = (load or self.load)(instance)
            loaded = session.instance.version
            try:
                move(session)
                return self.after(session, again=again)
            except VersionConflict:
                if session.instance.version != loaded:
                    break
                self._sessions.expecting.give_up(self._store.instance(instance))
                if not left:
                    raise
        return self._results.of(instance)

    def whole(self, instance: str, step: Callable[[], object]) -> None:
        """A long step, which is not repeated where another program was faster, for that may do the same work.

        Raises InstanceSuspended or InstanceEnded where an operator was, VersionConflict where somebody else was.
        """
        try:
            step()
        except VersionConflict as conflict:
            if Status(self._store.instance(instance).status).halted:
                raise self.refusal(instance) from conflict
            raise

    def run(self, session: Session) -> RunResult:
        """Run an instance as far as it goes, and tell what it came to, be it by another program that was faster.

        Raises InstanceSuspended or InstanceEnded where an operator was faster.
        """
        id = session.instance.id
        try:
            self.whole(id, session.run)
        except VersionConflict:
            return self._results.of(id)
        return self.after(session)

    def resume(self, instance: str) -> RunResult:
        """Load an instance and run it on, its work here.

        Raises what `step` raises, InstanceSuspended or InstanceEnded where an operator was faster, and AtWorkElsewhere
        where another program is at all there is to do.
        """
        return self.step(
            instance,
            lambda session: self.whole(instance, session.resume),
            load=lambda id: self.load(id, here=True),
            again=True,
        )

    def after(self, session: Session, *, again: bool = False) -> RunResult:
        """What an instance came to, once all that it threw is delivered; `again`: what it threw before, too."""
        moved, id = self.deliver(session, again=again), session.instance.id
        return self._results.of(id) if id in moved else self._results.of_session(session)

    def deliver(self, session: Session, *, again: bool = False) -> set[str]:
        """Give others what it threw; ids of the instances that moved because of it."""
        session.instance.posted = session.instance.posted or again
        return Dispatcher(self._store.posts, self, self._clock).after(session)

    def refusal(self, instance: str) -> NotMovable:
        """Why an instance cannot be moved, with who was first."""
        record = self._store.instance(instance)
        kind = InstanceSuspended if record.status == Status.SUSPENDED else InstanceEnded
        logged = self._store.events(instance, types=[_SAID_BY.get(record.status, EventType.INSTANCE_COMPLETED)])
        last = logged[-1] if logged else None
        data = {} if last is None else last.data
        by = data.get("by") or self._last_to_move(instance)
        return kind(instance, record.status, by, None if last is None else last.at, data.get("reason"))

    def _last_to_move(self, instance: str) -> str | None:
        """Who from outside moved an instance last, so that it came to its end."""
        moves = self._store.events(instance, types=_MOVES)
        return next((str(each.data["by"]) for each in reversed(moves) if each.data.get("by")), None)

    # as the dispatcher's instances

    def load_session(self, instance: str) -> Session:
        """An instance that is to receive something."""
        return self.load(instance)

    def start_for(self, post: Post, sender: Session, process: str) -> Session | None:
        """An instance of another process of the sender's file, begun by what that threw."""
        return self._sessions.begin_for(post, sender, process)


_MOVES: Final = (EventType.WORK_ITEM_COMPLETED, EventType.INTERVENTION_ANSWERED, EventType.MESSAGE_RECEIVED)

_SAID_BY: Final[Mapping[str, EventType]] = {
    Status.SUSPENDED: EventType.INSTANCE_SUSPENDED,
    Status.CANCELLED: EventType.INSTANCE_CANCELLED,
}
