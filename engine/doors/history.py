"""What a host does with the history of an instance."""

from __future__ import annotations

from collections.abc import Sequence

from engine.definitions import Definitions
from engine.launch import Launcher
from engine.personal.erasing import Erased, Eraser
from engine.replay.replayer import History, Replayed
from engine.replay.rewinding import Consent, Plan, Rewinding
from engine.result import RunResult
from engine.results import Results
from engine.sessions import Sessions
from engine.store.port import InstanceStore
from governance.ports import Clock, timestamp


class HistoryDoor:
    """The part of a Governor that goes through an instance's history again."""

    store: InstanceStore
    _clock: Clock
    _definitions: Definitions
    _launcher: Launcher
    _sessions: Sessions
    _results: Results

    def replay(self, instance: str) -> Replayed:
        """Make every advance of an instance again, from its log alone, and compare the snapshots.

        Nothing is done outside, and nothing is stored. Cost: that of the run, without its work.
        Raises NotReplayable, UnknownInstance.
        """
        return self._history(instance).replay()

    def plan_rewind(self, instance: str, snapshot: str) -> Plan:
        """What it means to rewind an instance to one of its snapshots: what was done outside since, who has to agree.

        Raises NotRewindable, NotReplayable, Differs, UnknownInstance.
        """
        return Rewinding(self.store, self._sessions).plan(self._history(instance), snapshot)

    def rewind(self, instance: str, snapshot: str, consent: Consent) -> RunResult:
        """Let an instance go on as it stood at a snapshot: the tokens where they were, the context as it was.

        What happened since stays in the log, as a line that was given up; `resume` goes on from the snapshot. What is
        done again has other idempotency keys. Raises RewindRefused, and what `plan_rewind` raises.
        """
        history, rewinding = self._history(instance), Rewinding(self.store, self._sessions)
        self._sessions.expecting.check(history.record)
        rewinding.rewind(history, rewinding.plan(history, snapshot), consent, timestamp(self._clock.now()))
        return self._results.of(instance)

    def erase(
        self, instance: str, keys: Sequence[str] | None = None, *, by: str, reason: str, dry_run: bool = False
    ) -> Erased:
        """Erase what an ended instance knows of a person: the values of variables, and whatever tells them.

        `keys` are names or globs, None: what its policies call personal. The chain of its log stays whole. Cost: the
        instance's history, and a look at what the others have stored.

        Raises NotEnded, NothingPersonal, UnknownInstance.
        """
        at = timestamp(self._clock.now())
        return Eraser(self.store).erase(instance, keys, by=by, reason=reason, at=at, dry_run=dry_run)

    def _history(self, instance: str) -> History:
        return History(self.store, self._definitions, self._launcher, instance)
