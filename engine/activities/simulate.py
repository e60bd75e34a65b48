"""Activities that nobody does: placeholder outputs, so that any file can be walked through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpmn.definition import Process
from bpmn.reader.data import outputs_schema_of
from engine.activities.work import Outcome, Work
from engine.models.placeholders import placeholders


def simulate(work: Work) -> Outcome:
    """Placeholders for the declared outputs; none are declared: no outputs. Says so in the decision."""
    schema = work.element.outputs_schema
    outputs = {} if schema is None else placeholders(schema)
    agent = work.element.agent
    if agent is not None and agent.turn is not None:
        # Only who simulates an agent with a box pays for its tools.
        from engine.activities.tools.outside import nothing_to_call

        outputs[agent.turn] = nothing_to_call("simulated")
    return Outcome(outputs=outputs, decision="simulated: nobody did this, the outputs are placeholders")


def simulated_inputs(process: Process, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a simulation starts with: what is given, and placeholders for the other declared inputs of the process."""
    schema = outputs_schema_of(process.data_inputs)
    return dict(given) if schema is None else {**placeholders(schema), **given}
