"""The two ratios that D1 looks at, from totals that are kept up to date: no entry is touched."""

from __future__ import annotations

from governance.compression.decisions import D1Request, Measure
from governance.snapshots.contents import Contents
from governance.vocabulary import Layer

_OTHER_LAYERS = (Layer.SYSTEM.value, Layer.PROCESS.value, Layer.KNOWLEDGE.value, Layer.HISTORY.value)


def measure(contents: Contents, request: D1Request) -> Measure:
    """Pressure of the WORKING space of the request's scope; usage by what an activity in that scope is shown."""
    working = contents.space(request.working).totals
    tokens = request.overhead_tokens + working.tokens
    for layer in _OTHER_LAYERS:
        tokens += contents.space(layer).totals.tokens
    policy = request.policy
    return Measure(working.chars / policy.working_threshold, tokens / policy.window_tokens, working.chars, tokens)
