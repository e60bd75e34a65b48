"""What agents did well or badly becomes experience, and hot experience a skill (Design: CDA, hot experience)."""

from __future__ import annotations

from bpmn.definition import Element
from engine.activities.work import Outcome
from engine.events import EventType
from engine.governed.attempts import ACTIVITY, Attempts
from engine.governed.impersonal import Impersonal
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.cda.experience.hot import HotSettings, skill_of
from governance.cda.experience.matching import of_use
from governance.cda.experience.model import Experience, ExperienceSource, Skill
from governance.snapshots.canonical import spell
from governance.vocabulary import Producer

_SHOWN = 5
_COMPARED = 4_000


class Experiences:
    """Of one instance. Where it has no `experience` to go on from, it learns nothing and knows nothing."""

    def __init__(self, instance: Instance, settings: HotSettings | None = None) -> None:
        self._instance = instance
        self._settings = settings or HotSettings()
        self._attempts, self.impersonal = Attempts(instance), Impersonal(instance)
        self._skills: dict[str, Skill] | None = None

    @property
    def _source(self) -> ExperienceSource | None:
        settings = self._instance.settings
        return None if settings.get("simulate") or settings.get("dead_ends") == "off" else self._instance.experience

    def worked(self, task: DrivenTask, element: Element, outcome: Outcome) -> None:
        """An agent did an activity and its outputs count; the third time as well as before it is a skill."""
        if self._source is None or outcome.producer is not Producer.AGENT:
            return
        told = self.impersonal.text(outcome.decision or "", task.token.head, outcome.outputs)
        hit = self._experience(task, element, True, told, self._alignment(element, outcome))
        hit = hit.model_copy(update={"steps": outcome.tools})
        self._keep(hit)
        known = [each for each in self._instance.changes.experiences if each.tool == hit.tool]
        recent = [*self._source.recent(hit.scope, hit.tool), *known]
        same = [each for each in recent if each.features == hit.features]
        skill = skill_of(same, self._instance.at, self._settings)
        if skill is None:
            return
        if skill.id not in self._known():
            branch = task.token.branch
            self._instance.log.add(EventType.SKILL_LEARNED, element.id, branch, id=skill.id, line=skill.line())
        self._known()[skill.id] = skill
        self._instance.changes.skills[skill.id] = skill

    def failed(self, task: DrivenTask, element: Element, reason: str) -> None:
        """An agent's activity failed, or a person refused what it came to."""
        if self._source is not None and element.agent is not None:
            told = self.impersonal.text(reason, task.token.head, {})
            self._keep(self._experience(task, element, False, told, 0.0))

    def known(self, task: DrivenTask, element: Element) -> tuple[str, ...]:
        """What worked before for an activity about to begin, a line each."""
        if self._source is None or not self._known():
            return ()
        features = {f"{ACTIVITY}:{element.id}", *self._features(task, element)}
        found = of_use(self._known().values(), features, self._instance.index.query(element.id))
        return tuple(skill.line() for skill in found[:_SHOWN])

    def _known(self) -> dict[str, Skill]:
        """Read once, at the first activity of an agent."""
        if self._skills is None:
            assert self._source is not None
            self._skills = {skill.id: skill for skill in self._source.skills(self._instance.dead_end_scope)}
        return self._skills

    def _experience(self, task: DrivenTask, element: Element, hit: bool, told: str, alignment: float) -> Experience:
        return Experience(
            tool=f"{ACTIVITY}:{element.id}",
            features=tuple(sorted(self._features(task, element))),
            hit=hit,
            at=self._instance.at,
            alignment=alignment,
            told=" ".join(told.split()),
            session=self._instance.id,
            scope=self._instance.dead_end_scope,
        )

    def _features(self, task: DrivenTask, element: Element) -> list[str]:
        """What an activity is done with: its inputs and its tools, by name."""
        tools = element.agent.tools if element.agent is not None else ()
        inputs = self._attempts.inputs(task, element)
        return [*(f"input:{name}" for name in inputs), *(f"tool:{name}" for name in tools)]

    def _alignment(self, element: Element, outcome: Outcome) -> float:
        """How much of what it came to is about its task, 0 to 1."""
        # Vectors need a stemmer, which runs without agents do without.
        from governance.similarity.vectors import text_similarity

        said = " ".join(spell(value).decode() for value in outcome.outputs.values())
        about = self._instance.index.query(element.id)
        return round(text_similarity(about, f"{outcome.decision or ''} {said}"[:_COMPARED]), 4)

    def _keep(self, experience: Experience) -> None:
        self._instance.changes.experiences.append(experience)
