"""The two ratios that D1 looks at, from totals that are kept up to date: no entry is touched."""

from __future__ import annotations

from typing import Final

from governance.compression.decisions import Measure
from governance.policy import Policy
from governance.snapshots.lookup import Standing
from governance.snapshots.model import made
from governance.vocabulary import Layer

_OTHER_LAYERS: Final = tuple(map(str, (Layer.SYSTEM, Layer.PROCESS, Layer.KNOWLEDGE, Layer.HISTORY)))


def measure(standing: Standing, working: str, policy: Policy, overhead_tokens: int = 0) -> Measure:
    """Pressure of the WORKING space of a scope; usage by what an activity in that scope is shown."""
    shown = standing.totals(working)
    chars, tokens = shown.chars, shown.tokens + standing.tokens(_OTHER_LAYERS) + overhead_tokens
    return made(Measure, (chars / policy.working_threshold, tokens / policy.window_tokens, chars, tokens))
