"""What D1 asks people: on the sight of what it lowered, and what could be released (Design: D1 compress)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bpmn.definition import Element
from engine.errors import EngineError
from engine.events import EventType
from engine.governed.activity_run import ActivityRun
from engine.governed.people import People
from engine.governed.services import Services
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.attention.report import AttentionReport
from governance.compression.decisions import D1Decision
from governance.compression.eligibility import Hold
from governance.human_loop.facts import RuntimeFacts
from governance.human_loop.intervention import Intervention, Kind
from governance.snapshots.canonical import canonical, digest
from governance.snapshots.model import layer_of, name_of
from governance.snapshots.render import render_value
from governance.vocabulary import InteractionLevel, Layer, SuggestedAction, Trigger

KEEP: Final = "keep"
"""Under this name an approval lists the entries that are not to be lowered."""


class UnknownRelease(EngineError):
    """An answer that releases what is not retained."""

    def __init__(self, intervention: str, found: Sequence[str], offered: Sequence[str]) -> None:
        self.intervention, self.found, self.offered = intervention, tuple(found), tuple(offered)
        allowed = ", ".join(offered) or "nothing"
        super().__init__(f"intervention {intervention}: {', '.join(found)} cannot be released; allowed are {allowed}")


class UnknownKept(EngineError):
    """An approval of a compression that keeps what was not lowered."""

    def __init__(self, intervention: str, found: Sequence[str], lowered: Sequence[str]) -> None:
        self.intervention, self.found, self.lowered = intervention, tuple(found), tuple(lowered)
        allowed = ", ".join(lowered) or "nothing"
        super().__init__(f"intervention {intervention}: {', '.join(found)} cannot be kept; {KEEP} allows {allowed}")


class D1Questions:
    """Raises what follows from an applied D1, and settles what people answer."""

    def __init__(self, instance: Instance, services: Services, people: People) -> None:
        self._instance, self._services, self._people = instance, services, people

    def ask(
        self,
        task: DrivenTask,
        run: ActivityRun,
        element: Element,
        decision: D1Decision,
        report: AttentionReport | None,
    ) -> None:
        """Tell or ask what this D1 calls for: nothing twice in an activity run. What was asked is in `run.holds`."""
        policy = element.resolved.policy
        facts = RuntimeFacts(
            score_after_d1=None if report is None else report.score,
            warning_80=decision.warning,
            declared_inputs_compressed=_declared_inputs(element, decision),
            retained_overflow=_overflow(decision, "retained_overflow"),
            usage_overflow=bool(decision.overflow and decision.overflow.kind == "usage_overflow"),
        )
        verdict = self._services.human_loop.evaluate(
            Trigger.RUNTIME, facts, floor=policy.interaction_level, applies=decision.compressed
        )
        if verdict.level is InteractionLevel.AUTO_ALLOW:
            return
        kind = _kind(decision, report)
        once = _once(kind, decision) if verdict.level.blocks else "told"
        if once in run.asked:
            return
        run.asked.append(once)
        if not verdict.level.blocks:
            self._people.tell(task, verdict, verdict.reason)
            return
        shown = self._shown(decision)
        self._people.ask(task, run, verdict, kind, f"{verdict.reason}: {decision.reason}", shown, policy=policy)

    def settle(self, task: DrivenTask, run: ActivityRun, answered: Intervention) -> str | None:
        """What a person's answer to a D1 intervention changes. Returns why the activity cannot go on, if it cannot.

        `run.anew` tells whether D1 has to look at the context again.
        """
        answer = answered.answer
        assert answer is not None
        if answer.decision == "deny":
            if answered.kind == "d1_preview":
                self._undo(task, run, answered, _lowered(answered))
                run.anew = True
                return None
            return f"{answered.kind} denied by {answer.by}: {answer.reason}"
        kept = _kept(answered, answer.values)
        if kept:
            self._undo(task, run, answered, kept)
            run.anew = True
        if answer.values and "release" in answer.values:
            names = {str(name) for name in _listed(answer.values["release"])}
            run.released.extend(sorted(names))
            run.refused = [key for key in run.refused if name_of(key) not in names]
            run.anew = True
        return None

    def check(self, closed: Intervention) -> None:
        """Whether an answer fits what was offered and lowered. Raises UnknownRelease, UnknownKept."""
        given = closed.answer.values if closed.answer is not None else None
        if given is not None and closed.kind == "d1_preview":
            lowered = [name_of(key) for key in _lowered(closed)]
            wrong = [name for name in given if name != KEEP]
            wrong += [str(name) for name in _listed(given.get(KEEP, [])) if name not in lowered]
            if wrong:
                raise UnknownKept(closed.id, wrong, lowered)
        if given is None or closed.kind not in ("retained_overflow", "usage_overflow"):
            return
        assert isinstance(closed.shown, Mapping)
        offered = closed.shown["release"]
        assert isinstance(offered, Mapping)
        unknown = [name for name in given if name != "release"]
        unknown += [str(name) for name in _listed(given.get("release", [])) if name not in offered]
        if unknown:
            raise UnknownRelease(closed.id, unknown, sorted(offered))

    def _undo(self, task: DrivenTask, run: ActivityRun, answered: Intervention, keys: list[str]) -> None:
        """Take back what was refused of a compression; it stays as it is for this run."""
        before = task.token
        head, raised = self._services.compressor.decompress(before.head, keys, self._instance.at)
        task.token = before._replace(head=head)
        run.refused.extend(keys)
        self._instance.log.add(
            EventType.RECALLED,
            answered.element,
            before.branch,
            reason="the compression was refused",
            keys=raised,
            before=before.head,
            after=head,
        )

    def _shown(self, decision: D1Decision) -> dict[str, Any]:
        """The diff a person sees: each lowered entry's line before and after; or what could be released."""
        graph = self._instance.graph
        before, after = graph.contents(decision.snapshot_before), graph.contents(decision.snapshot_after)
        changes = []
        for change in decision.changes:
            old, new = before.item(change.key), after.item(change.key)
            changes.append(
                {
                    "key": change.key,
                    "to": change.to.name,
                    "before": "" if old is None else render_value(graph.values, change.key, old),
                    "after": "" if new is None else render_value(graph.values, change.key, new),
                }
            )
        lowered = [change.key for change in decision.changes]
        shown: dict[str, Any] = {"changes": changes, "lowered": lowered, "pins": lowered}
        if decision.overflow is not None:
            shown["release"] = {name_of(each.key): each.chars for each in decision.overflow.releasable}
        return shown


def _declared_inputs(element: Element, decision: D1Decision) -> tuple[str, ...]:
    declared = {item.variable or item.name for item in element.data_inputs}
    lowered = (name_of(c.key) for c in decision.changes if layer_of(c.key) is Layer.WORKING)
    return tuple(name for name in lowered if name in declared)


def _overflow(decision: D1Decision, kind: str) -> tuple[str, ...]:
    if decision.overflow is None or decision.overflow.kind != kind:
        return ()
    return tuple(name_of(each.key) for each in decision.overflow.releasable)


def _once(kind: Kind, decision: D1Decision) -> str:
    """What makes it the same question: of a preview what fell, of an overflow the retained keys, else the kind."""
    about: list[Any] = []
    if decision.overflow is not None:
        about = sorted(each.key for each in decision.overflow.releasable if each.held_by is Hold.RETAINED)
    elif kind == "d1_preview":
        about = sorted([change.key, change.to.name] for change in decision.changes)
    return f"{kind}:{digest(canonical(about))}"


def _kind(decision: D1Decision, report: AttentionReport | None) -> Kind:
    if decision.overflow is not None:
        return decision.overflow.kind
    if report is not None and report.action is SuggestedAction.PAUSE_AND_HUMAN:
        return "emergency"
    return "d1_preview"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _lowered(asked: Intervention) -> list[str]:
    """Keys of the entries that the compression lowered."""
    shown: Any = asked.shown
    return [str(key) for key in _listed(shown["lowered"])]


def _kept(asked: Intervention, values: Mapping[str, Any] | None) -> list[str]:
    """Keys of the lowered entries that an approval wants as they were."""
    names = {str(name) for name in _listed((values or {}).get(KEEP, []))}
    return [key for key in _lowered(asked) if name_of(key) in names] if names else []
