"""The two ratios that D1 looks at, from totals that are kept up to date: no entry is touched."""

from __future__ import annotations

from governance.compression.decisions import Measure
from governance.policy import Policy
from governance.snapshots.contents import Contents
from governance.vocabulary import Layer

_OTHER_LAYERS = (Layer.SYSTEM, Layer.PROCESS, Layer.KNOWLEDGE, Layer.HISTORY)


def measure(contents: Contents, working: str, policy: Policy, overhead_tokens: int = 0) -> Measure:
    """Pressure of the WORKING space of a scope; usage by what an activity in that scope is shown."""
    spaces, chars, tokens = contents.spaces, 0, overhead_tokens
    if working in spaces:
        totals = spaces[working].totals
        chars, tokens = totals.chars, tokens + totals.tokens
    for layer in _OTHER_LAYERS:
        if layer in spaces:
            tokens += spaces[layer].totals.tokens
    return Measure(chars / policy.working_threshold, tokens / policy.window_tokens, chars, tokens)
