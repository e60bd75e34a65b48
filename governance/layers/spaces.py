"""Which space of a snapshot a layer is, seen from a variable scope."""

from __future__ import annotations

from governance.vocabulary import Layer


def space_for(layer: Layer, scope: str = "") -> str:
    """The space that holds `layer` for a token in `scope`: only WORKING is kept apart per scope."""
    return f"{layer}:{scope}" if scope and layer is Layer.WORKING else layer
