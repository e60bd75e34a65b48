"""Activities that nobody does: placeholder outputs, so that any file can be walked through."""

from __future__ import annotations

from engine.activities.work import Outcome, Work
from engine.models.placeholders import placeholders


def simulate(work: Work) -> Outcome:
    """Placeholders for the declared outputs; none are declared: no outputs. Says so in the decision."""
    schema = work.element.outputs_schema
    outputs = {} if schema is None else placeholders(schema)
    return Outcome(outputs=outputs, decision="simulated: nobody did this, the outputs are placeholders")
