"""What those do who keep instances running: another try, an end, a stop, a change of what stands."""

from __future__ import annotations

from engine.errors import NothingToRetry
from engine.moving import Mover
from engine.refused import NotSuspended
from engine.result import RunResult
from engine.session import Session
from engine.sessions import Sessions
from engine.status import Status
from engine.store.port import InstanceStore


class OperatingDoor:
    """The part of a Governor that operators use."""

    store: InstanceStore
    _sessions: Sessions
    _mover: Mover

    def retry(self, instance: str, element: str | None = None) -> RunResult:
        """Give what failed another try: one element, or all. Raises NothingToRetry."""

        def step(session: Session) -> None:
            live = session.instance
            incidents = [each for each in live.incidents.values() if element in (None, each.element)]
            if not incidents:
                raise NothingToRetry(instance, element, [each.element for each in live.incidents.values()])
            session.retry([incident.task for incident in incidents])

        return self._mover.step(instance, step)

    def cancel(self, instance: str, *, by: str, reason: str = "") -> RunResult:
        """End an instance before its end: nothing of it goes on, and what people were asked is withdrawn.

        What has been done outside is not undone. Raises InstanceEnded, UnknownInstance.
        """
        return self._mover.step(instance, lambda session: session.cancel(by, reason), load=self._unended)

    def suspend(self, instance: str, *, by: str, reason: str = "") -> RunResult:
        """Stop an instance: until `unsuspend` nothing in it moves, no timer fires, and nobody's answer is taken.

        Raises InstanceSuspended, InstanceEnded, UnknownInstance.
        """
        return self._mover.step(instance, lambda session: session.suspend(by, reason), load=self._moving)

    def unsuspend(self, instance: str, *, by: str, reason: str = "") -> RunResult:
        """Let a suspended instance go on; timers whose time has come meanwhile fire now, once.

        Raises NotSuspended, InstanceEnded, UnknownInstance.
        """

        def step(session: Session) -> None:
            if session.instance.status is not Status.SUSPENDED:
                raise NotSuspended(instance, session.instance.status)
            session.unsuspend(by, reason)

        return self._mover.step(instance, step, load=self._unended)

    def _unended(self, instance: str) -> Session:
        session = self._sessions.load(instance)
        if session.instance.status.ended:
            raise self._mover.refusal(instance)
        return session

    def _moving(self, instance: str) -> Session:
        session = self._mover.load(instance)
        if session.instance.status is Status.COMPLETED:
            raise self._mover.refusal(instance)
        return session
