"""The dialects policies are read from. A vendor's form of writing them is one more file and one more line here."""

from __future__ import annotations

from typing import Final

from bpmn.policies import camunda, flowable, own, properties, spiffworkflow, zeebe
from bpmn.policies.setting import Dialect

DIALECTS: Final[tuple[Dialect, ...]] = (
    own.read_elements,
    own.read_attributes,
    properties.read,
    zeebe.read,
    camunda.read,
    flowable.read,
    spiffworkflow.read,
)
"""None has precedence: where two disagree, that is an error."""
