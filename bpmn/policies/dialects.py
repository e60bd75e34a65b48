"""The dialects policies are read from. A vendor's form of writing them is one more file and one more line here."""

from __future__ import annotations

from typing import Final

from bpmn.policies import own
from bpmn.policies.setting import Dialect

DIALECTS: Final[tuple[Dialect, ...]] = (own.read_elements, own.read_attributes)
"""None has precedence: where two disagree, that is an error."""
