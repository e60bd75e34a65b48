"""What the tool calls of one attempt need of the engine: the journal, people, the context."""

from __future__ import annotations

from typing import Any

from bpmn.definition import Element
from engine.activities.tools.approving import ARGUMENTS, HASH, PARAMETERS, decided, fit, hash_of, is_about_call
from engine.activities.tools.outside import CALL
from engine.activities.work import Heard
from engine.governed.activity_run import ActivityRun
from engine.governed.call_gate import CallGate
from engine.governed.calls import changed
from engine.governed.compressing import Compressing
from engine.governed.journal import AttemptJournal
from engine.governed.outputs import WrongEdit
from engine.governed.people import People
from engine.governed.variables import Variables
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.human_loop.detector import Verdict
from governance.human_loop.intervention import Intervention
from governance.layers.manager import ContextLayerManager
from governance.snapshots.canonical import canonical, digest
from governance.snapshots.model import Stamp
from governance.tools.bench import Bench
from governance.tools.confirming import Question
from governance.tools.errors import BadArguments


class ToolDesk:
    """`Desk` of one activity run. What was asked and told in this attempt is kept with the run."""

    def __init__(
        self,
        instance: Instance,
        compressing: Compressing,
        task: DrivenTask,
        context: ContextLayerManager,
        gate: CallGate,
        journal: AttemptJournal,
        element: Element,
    ) -> None:
        self._instance, self._compressing, self._task = instance, compressing, task
        self._context, self._gate, self._journal, self._element = context, gate, journal, element
        self._people = People(instance)

    @property
    def _run(self) -> ActivityRun:
        run: ActivityRun = self._task.activity
        return run

    def recall(self, key: str) -> dict[str, Any] | None:
        return self._journal.get(key)

    def keep(self, key: str, row: dict[str, Any]) -> None:
        self._journal.put(key, row)

    def ask(self, key: str, question: Question, reason: str) -> Heard | None:
        run = self._run
        if key in run.answers:
            return Heard(**run.answers[key])
        if key not in run.asks:
            verdict = Verdict(question.trigger, question.level, (reason,))
            self._people.ask(
                self._task,
                run,
                verdict,
                "tool",
                f"{question.message}: {reason}",
                question.shown,
                policy=self._element.resolved.policy,
                options=question.takes,
            )
            run.asks[key] = run.holds[-1]
        return None

    def tell(self, key: str, question: Question, reason: str) -> None:
        if key not in self._run.told:
            self._run.told.append(key)
            verdict = Verdict(question.trigger, question.level, (reason,))
            self._people.tell(self._task, verdict, f"{question.message}: {reason}")

    def is_new(self, key: str) -> bool:
        learned = self._run.learned
        if key in learned:
            return False
        learned.append(key)
        return True

    def bench(self) -> Bench:
        instance, token = self._instance, self._task.token
        return Bench(
            graph=instance.graph,
            context=ContextLayerManager(instance.graph, self._context.head, branch=token.branch, scope=token.scope),
            compressor=self._compressing.compressor,
            request=self._compressing.request(self._task, self._run, self._element),
            at=instance.at,
            move=lambda head: None,
            sealed=token.sealed,
        )

    def move(self, head: str) -> None:
        self._gate.move(head)
        self._context.head = head


def heard(run: ActivityRun, closed: Intervention) -> bool:
    """Keep what people answered to a tool call with its run. False: the question was another's."""
    key = next((key for key, id in run.asks.items() if id == closed.id), None)
    if key is None or closed.answer is None:
        return False
    answer, shown = closed.answer, closed.shown
    row: dict[str, Any] = {"approved": answer.decision != "deny", "by": answer.by, "reason": answer.reason}
    if isinstance(shown, dict) and is_about_call(shown):
        arguments = decided(shown, answer)
        row[HASH] = hash_of(arguments)
        row["edited"] = arguments if answer.decision == "edit" else None
    else:
        row["values"] = None if answer.values is None else dict(answer.values)
    run.answers[key] = row
    run.holds.remove(closed.id)
    return True


def take_changed(instance: Instance, task: DrivenTask, closed: Intervention) -> None:
    """An activity that is done for an agent's call goes on with the arguments that a person put into that call.

    They are in what mappings make of the call, too.
    """
    run, token, values = task.activity, task.token, instance.graph.values
    edited = next((run.answers[key].get("edited") for key, id in run.asks.items() if id == closed.id), None)
    shown = closed.shown
    if edited is None or CALL not in token.local or not isinstance(shown, dict) or shown["tool"] != task.element_id:
        return
    assert closed.answer is not None
    call = changed(values.get(token.local[CALL].value), edited, closed.answer.by, closed.answer.reason)
    step = instance.graph.get(token.head).step
    given = {**edited, CALL: call}.items()
    made = {name: Stamp(instance.at, step, token.branch, values.put(value)) for name, value in given}
    task.token = token._replace(local={**token.local, **made})
    task.data = Variables(instance.graph, task.token)
    instance.touch(task)


def check_edit(closed: Intervention) -> None:
    """Whether changed arguments are such as the tool takes. Raises WrongEdit."""
    shown, answer = closed.shown, closed.answer
    if not isinstance(shown, dict) or not is_about_call(shown) or answer is None or answer.decision != "edit":
        return
    try:
        schema: Any = shown.get(PARAMETERS, {})
        fit(str(shown["tool"]), decided(shown, answer), schema)
    except BadArguments as error:
        raise WrongEdit(closed.id, error.problems) from error


def purged(closed: Intervention) -> Intervention:
    """The question of a tool call without the call's arguments: they are kept until it is answered, and no longer.

    The answer keeps the hash of what was shown, and of the arguments that it put in their place.
    """
    shown, answer = closed.shown, closed.answer
    if not isinstance(shown, dict) or ARGUMENTS not in shown:
        return closed
    kept = {name: value for name, value in shown.items() if name != ARGUMENTS}
    if answer is not None and answer.decision == "edit":
        answer = answer.model_copy(update={"values": {HASH: hash_of(decided(shown, answer))}})
    return closed.model_copy(update={"shown": kept, "shown_hash": digest(canonical(kept)), "answer": answer})
