"""D1 before the model calls of an attempt, which may have to wait for a person in the middle (Design: D1 compress).

After an answer the attempt is done over: the model's earlier answers come from the journal, provided that their prompts
are the same. So D1 is not decided anew for the calls before: the heads it led to are kept, and taken again.
"""

from __future__ import annotations

from collections.abc import Callable

from bpmn.definition import Element
from engine.activities.work import Suspended
from engine.governed.activity_run import ActivityRun
from engine.governed.compressing import Compressing
from engine.instance import Instance
from engine.spiff.task import DrivenTask


class CallGate:
    """What the D1s of one attempt do, in the order of its calls."""

    def __init__(
        self,
        instance: Instance,
        compressing: Compressing,
        task: DrivenTask,
        run: ActivityRun,
        element: Element,
        before: Callable[[int], None] | None = None,
    ) -> None:
        """`before` is called with the tokens beside entries before D1 decides anew."""
        self._instance, self._compressing = instance, compressing
        self._task, self._run, self._element = task, run, element
        self._before = before
        self._call = 0
        self._rewind()

    def compress(self, overhead_tokens: int) -> None:
        """D1 before a call: the task's token moves to the compressed context. Raises Suspended: a person is asked."""
        run, call = self._run, self._call
        self._call += 1
        if self._retakes(call):
            self._move(run.calls[call][1])
            if not (run.anew and call == len(run.calls) - 1):
                return
        else:
            del run.calls[call:]
            run.calls.append([self._task.token.head, ""])
        run.anew = False
        if self._before is not None:
            self._before(overhead_tokens)
        self._compressing.at_call(self._task, run, self._element, overhead_tokens)
        run.calls[call][1] = self._task.token.head
        self.require_open()

    def move(self, head: str) -> None:
        """A tool has moved the context on; an attempt that is done over comes by here again."""
        run, call = self._run, self._call
        self._call += 1
        if not self._retakes(call):
            del run.calls[call:]
            run.calls.append([self._task.token.head, head])
        self._move(head)

    def require_open(self) -> None:
        """Raises Suspended while a person has to answer first."""
        if self._run.holds:
            raise Suspended(self._element.id)

    def _retakes(self, call: int) -> bool:
        calls = self._run.calls
        return call < len(calls) and calls[call][0] == self._task.token.head

    def _rewind(self) -> None:
        """An attempt that is done over begins where it began; unless others moved the context on meanwhile."""
        calls = self._run.calls
        if calls and calls[-1][1] == self._task.token.head:
            self._task.token = self._task.token._replace(head=calls[0][0])
        elif calls:
            calls.clear()
            self._run.noted = 0

    def _move(self, head: str) -> None:
        self._task.token = self._task.token._replace(head=head)
        self._instance.touch(self._task)
