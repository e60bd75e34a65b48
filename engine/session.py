"""One live instance, being run: advances and work in turns until it waits or ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.activities.work import Outcome
from engine.advance import Advancing
from engine.governed.chains import Thought
from engine.governed.hooks import GovernedHooks
from engine.instance import Instance
from engine.operations.operating import KIND
from engine.operations.operation import Operation
from engine.post import Post
from engine.refused import AtWorkElsewhere
from engine.spiff.messages import Message
from engine.status import Status
from engine.store.errors import VersionConflict
from engine.workshop import Workshop
from governance.human_loop.intervention import Intervention

Step = Callable[[], Status]
Results = Sequence[tuple[int, Outcome | Thought | Exception]]
_TRIES: Final = 5


class Session:
    """Holds an instance while it moves; drop it when an exception came out of it."""

    def __init__(
        self,
        instance: Instance,
        hooks: GovernedHooks,
        advancing: Advancing,
        workshop: Workshop,
        anew: Callable[[], Session] | None = None,
    ) -> None:
        """`anew` loads it as it stands in the store."""
        self.instance, self.hooks = instance, hooks
        self._advancing, self._workshop, self._anew = advancing, workshop, anew

    def run(self) -> Status:
        """Move on until the instance waits for the world outside, or ends."""
        return self._work_on(self._move)

    def resume(self) -> Status:
        """The same for an instance that was left. Raises AtWorkElsewhere where there is nothing to do but what another
        program is at; then nothing has moved.
        """

        def step() -> Status:
            jobs = self.instance.jobs
            if jobs and not self._advancing.is_due and not self._workshop.take() and self._workshop.elsewhere:
                raise AtWorkElsewhere(self.instance.id)
            return self._move()

        return self._work_on(step)

    @property
    def elsewhere(self) -> bool:
        """Whether it was left with what another program is at."""
        return bool(self.instance.jobs) and not self.instance.status.halted and self._workshop.elsewhere

    def complete_work_item(self, task: int, outputs: dict[str, Any], by: str) -> Status:
        return self._work_on(lambda: self._advancing.complete_work_item(task, outputs, by))

    def close_intervention(self, closed: Intervention) -> Status:
        return self._work_on(lambda: self._advancing.close_intervention(closed))

    def delegate(self, changed: Intervention) -> Status:
        return self._work_on(lambda: self._advancing.delegate(changed))

    def correlate(self, name: str, payload: Mapping[str, Any], key: Any = None, by: str | None = None) -> Status:
        return self._work_on(lambda: self._advancing.correlate(name, payload, key, by))

    def signal(self, post: Post) -> bool:
        """Take in a signal from outside; False: nothing waits for it."""
        if not self._advancing.can_receive(post, Message(post.name, post.topics, post.payload)):
            return False
        self._work_on(lambda: self._advancing.signal(post))
        return True

    def begin(self, post: Post, message: Message) -> Status:
        """Move on from the start event that waits for what another instance threw: one advance from there on."""
        return self._work_on(lambda: self._advancing.begin(post, message))

    def receive(self, post: Post, message: Message) -> bool:
        """Take in what came from another instance; False: nothing in this one waits for it, and nothing moved."""
        if not self._advancing.can_receive(post, message):
            return False
        self._work_on(lambda: self._advancing.receive(post, message))
        return True

    def chat_turn(self, text: str, by: str, branch: str | None) -> Status:
        return self._work_on(lambda: self._advancing.chat_turn(text, by, branch))

    def ask_for_system(self, name: str, value: Any, by: str) -> Status:
        return self._work_on(lambda: self._advancing.ask_for_system(name, value, by))

    def restore_context(self, snapshot: str, branch: str | None, by: str) -> Status:
        return self._work_on(lambda: self._advancing.restore_context(snapshot, branch, by))

    def operate(self, wanted: Operation) -> Status:
        return self._work_on(lambda: self._advancing.operate(wanted))

    def use_tool(self, tool: str, arguments: Mapping[str, Any], branch: str | None, by: str) -> dict[str, Any]:
        return self._advancing.use_tool(tool, arguments, branch, by)

    def asks(self, wanted: Operation) -> bool:
        """Whether somebody is asked before it is done, or it is refused."""
        return self._advancing.operating.asks(wanted)

    def check(self, closed: Intervention) -> None:
        """Whether an answer fits what was asked, and what it decides can still be done."""
        if closed.kind == KIND:
            self._advancing.operating.check(closed)
        else:
            self.hooks.check(closed)

    def _move(self) -> Status:
        """One that has ended since somebody looked at it stays as it is."""
        return self.instance.status if self.instance.status.ended else self._advancing.move()

    def _work_on(self, step: Step) -> Status:
        try:
            status = step()
            while self.instance.jobs and not status.halted and not self.instance.handed_on:
                results = self._perform()
                if not results:
                    return self.instance.status  # others have what is left, and go on from there
                status = self._apply(results)
            return status
        finally:
            self._workshop.leave()

    def _perform(self) -> Results:
        """Do what is open, and nobody else is at; of an instance that somebody moved meanwhile, as that has left it."""
        for left in reversed(range(_TRIES)):
            try:
                return self._workshop.perform()
            except VersionConflict as conflict:
                if not left or conflict.found[1] != conflict.expected[1] or not self._renew():
                    raise
        raise AssertionError

    def _renew(self) -> bool:
        """Go on with the instance as it is stored now, before anything is done; False: it may not go on."""
        fresh = None if self._anew is None else self._anew()
        if fresh is None or fresh.instance.status.halted:
            return False
        self._workshop.renew(fresh.instance, fresh.hooks)
        self._become(fresh)
        return True

    def _apply(self, results: Results) -> Status:
        """Commit what the jobs came to. Where somebody else moved the instance meanwhile, what services did is not done
        again: it is applied to what that made of it. Raises VersionConflict where that has no use for it.
        """
        for left in reversed(range(_TRIES)):
            try:
                status = self._advancing.complete_jobs(results)
                self._workshop.settled()
                return status
            except VersionConflict as conflict:
                if not left or conflict.found[1] != conflict.expected[1] or not self._take_up():
                    raise
                results = self._workshop.perform()
        raise AssertionError

    def _take_up(self) -> bool:
        """Go on with the instance as it is stored now; False: nothing of what was done is to be told it now."""
        if self._anew is None:
            return False
        fresh = self._anew()
        if not self._workshop.take_up(fresh.instance, fresh.hooks):
            return False
        self._become(fresh)
        return True

    def _become(self, fresh: Session) -> None:
        fresh.instance.posted = fresh.instance.posted or self.instance.posted
        self.instance, self.hooks, self._advancing = fresh.instance, fresh.hooks, fresh._advancing
