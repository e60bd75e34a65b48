"""Names of messages and signals, and codes of errors and escalations, that are computed from variables."""

from __future__ import annotations

from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.program import Program
from engine.errors import EngineError
from engine.spiff.task import DrivenTask


class WrongName(EngineError):
    """The name of a message or signal, or the code of an error, was computed, and is no text."""

    def __init__(self, element: str | None, text: str, found: object) -> None:
        self.element, self.text, self.found = element, text, found
        super().__init__(f"{element}: `{text}` gives {found!r}; allowed is a text")


def computed(my_task: DrivenTask, program: Program, else_: str) -> str:
    """A name or code, from the task's variables. In a simulation what cannot be computed is as it stands."""
    try:
        found = program.evaluate(my_task.data, outside=my_task.outside)
    except ExpressionError:
        if not my_task.workflow.script_engine.simulated:
            raise
        return else_
    if isinstance(found, bool) or not isinstance(found, str | int) or found == "":
        raise WrongName(my_task.element_id, program.site.text, found)
    return str(found)
