"""Who does an activity: a model, a service handler, or nobody in a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bpmn.definition import Definition, Element
from bpmn.walk import elements, entered
from engine.activities.code_version import code_version
from engine.activities.decision import decide, missing_decisions, simulate_decision
from engine.activities.errors import MissingDecision, MissingHandler, Undone
from engine.activities.registry import HandlerRegistry
from engine.activities.service import ServiceHandlerCall
from engine.activities.simulate import simulate
from engine.activities.tools.box import ToolBox
from engine.activities.tools.declared import declaration_of
from engine.activities.work import Handler, HearFor
from engine.models.base import ChatModel
from engine.models.choose import OFFLINE, Models
from engine.models.errors import UnknownModel
from engine.models.rates import Pace
from governance.vocabulary import Effect

AGENT_JOB: Final = "agent"
"""Job type that a model does."""

_BY_HANDLER: Final = frozenset({"serviceTask", "sendTask", "businessRuleTask"})


class ActivityHandlers:
    """Finds the handler of an activity.

    `models` gives the model for an activity's specification, `box` the tools it names, `for_chains` the model that
    governance itself may ask. With `simulated`, nobody does anything.
    """

    def __init__(
        self,
        registry: HandlerRegistry,
        agent: Handler,
        models: Callable[[str | None], ChatModel],
        *,
        simulated: bool = False,
        box: ToolBox | None = None,
        for_chains: Callable[[], ChatModel | None] | None = None,
    ) -> None:
        self._registry, self._agent, self._models, self._simulated = registry, agent, models, simulated
        self._box, self._for_chains = box or ToolBox(registry), for_chains

    def handler_for(self, element: Element) -> Handler:
        """The handler of an activity. Raises MissingHandler, and BadHandlers for one that cannot be loaded."""
        if element.decision is not None and not _is_agent(element):
            return simulate_decision if self._simulated else decide
        if self._simulated:
            return simulate
        if _is_agent(element):
            return self._agent
        function = None if element.job_type is None else self._registry.find(element.job_type)
        if function is None or element.job_type is None:
            raise MissingHandler([self._undone(element)], self._registry.job_types())
        return ServiceHandlerCall(element.job_type, function)

    def version_of(self, element: Element) -> str:
        """Which version of who does it: of a service the code of its file, of an agent its model; "" if unknown."""
        if self._simulated:
            return ""
        if _is_agent(element):
            return self._models(element.agent.model if element.agent is not None else None).name
        function = None if element.job_type is None else self._registry.find(element.job_type)
        return "" if function is None else code_version(function)

    def effect_of(self, element: Element) -> Effect:
        """What doing it does to the world outside, as its handler declares."""
        function = None if self._simulated or element.job_type is None else self._registry.find(element.job_type)
        return Effect.WRITE if function is None else declaration_of(function).effect

    def chain_model(self) -> ChatModel | None:
        """The model for the chains of governance; None: the rules do it alone."""
        return None if self._simulated or self._for_chains is None else self._for_chains()

    def missing(self, definition: Definition) -> list[Undone]:
        """The activities of a definition that nobody would do, in the order of the file."""
        if self._simulated:
            return []
        found = [self._undone(element) for element in _handled(definition) if not self._is_done(element)]
        return sorted(found, key=lambda undone: undone.line or 0)

    def undecided(self, definition: Definition) -> list[MissingDecision]:
        """The decisions that activities ask for and no file has, in the order of the file."""
        if self._simulated:
            return []
        return sorted(missing_decisions(definition, _handled(definition)), key=lambda missing: missing.line or 0)

    def require(self, definition: Definition) -> None:
        """Raises MissingHandler if there are such activities, MissingDecision for decisions, UnknownTools for an
        agent's tools, and for its model UnknownModel, BadRecording, ModelNotReady.
        """
        missing = self.missing(definition)
        if missing:
            raise MissingHandler(missing, self._registry.job_types(), definition.file)
        for undecided in self.undecided(definition):
            raise undecided
        if not self._simulated:
            self._require_models(definition)

    def _require_models(self, definition: Definition) -> None:
        for element in filter(_is_agent, _handled(definition)):
            try:
                self._models(element.agent.model if element.agent is not None else None)
            except UnknownModel as error:
                raise UnknownModel(error.spec, error.allowed, element.id) from error
            if element.agent is not None and element.agent.tools:
                self._box.tools(element.agent.tools, element.id)

    def _is_done(self, element: Element) -> bool:
        if element.decision is not None:
            return True
        return _is_agent(element) or (element.job_type is not None and element.job_type in self._registry)

    def _undone(self, element: Element) -> Undone:
        near = None if element.job_type is None else self._registry.near(element.job_type)
        return Undone(element.id, element.kind, element.job_type, element.line, near)


def activity_handlers(
    *,
    model: str = OFFLINE,
    modules: Sequence[str] = (),
    templates: Path | None = None,
    simulated: bool = False,
    folder: Path | None = None,
    hear: HearFor | None = None,
    pace: Pace | None = None,
) -> ActivityHandlers:
    """Handlers as a host sets them up: the run's `model`, `modules` with service handlers, a folder of prompt
    `templates`. `folder` is where relative paths of models and modules start; `hear` says who hears the text of agents'
    models as it comes, `pace` how often models may be called.

    Raises BadHandlers, and BadTemplate for a folder that is given.
    """
    from engine.activities.agent import AgentHandler
    from engine.prompts.assembler import PromptAssembler
    from engine.prompts.templates import Templates

    models = Models(model, folder, pace)
    assembler = PromptAssembler(None if templates is None else Templates(templates))
    registry = HandlerRegistry.of_modules(() if simulated else modules, folder)
    box = ToolBox(registry)
    agent = AgentHandler(models, assembler, box, hear=hear)
    return ActivityHandlers(registry, agent, models, simulated=simulated, box=box, for_chains=models.for_chains)


def _handled(definition: Definition) -> Iterator[Element]:
    """Activities that a handler does, of every process that a run enters."""
    reached = entered(definition) or definition.processes
    for id, process in definition.processes.items():
        if id in reached:
            yield from filter(_needs_handler, elements(process))


def _needs_handler(element: Element) -> bool:
    if element.kind == "sendTask" and element.event is not None and element.event.ref is not None:
        # The interpreter sends the message itself.
        return False
    does = (element.job_type, element.agent, element.decision)
    return element.kind in _BY_HANDLER or any(each is not None for each in does)


def _is_agent(element: Element) -> bool:
    return element.agent is not None or element.job_type == AGENT_JOB
