"""What an assembled context says of itself, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from governance.cda.assembly import Assembled
from governance.cda.direction import Turned
from governance.cda.library import Library
from governance.cda.zones import CALIBRATION
from governance.vocabulary import Fidelity


def assembled_metadata(found: Assembled, library: Library) -> dict[str, Any]:
    """How entries were chosen: zone, fidelity and parts of the score by id, and what stands for the rest."""
    entries = []
    for number in sorted(found.packed.messages):
        entry, qts = library.entries[number], found.scores.get(number)
        said: dict[str, Any] = {"id": entry.id, "fidelity": found.packed.fidelity[number].name}
        said["zone"] = str(found.zones[number]) if number in found.zones else None
        if qts is not None:
            parts = {"intent": qts.intent, "phase": qts.phase, "tool": qts.tool, "causal": qts.causal, "qts": qts.score}
            said.update({name: round(value, 4) for name, value in parts.items()})
        entries.append(said)
    return {
        "mode": "assembled",
        "entries": entries,
        "sheet_from": [library.entries[n].id for n in found.sheet.numbers] if found.sheet is not None else [],
        "keys": list(found.keys),
        "edges": [list(edge) for edge in found.edges],
        "failed": list(found.lines),
        "left_out": len(library) - len(found.packed.messages),
        "calibration": [list(point) for point in CALIBRATION],
    }


def passthrough_metadata(library: Library, lines: Sequence[str]) -> dict[str, Any]:
    """Everything was shown as it is."""
    entries = [{"id": entry.id, "fidelity": Fidelity.FULL.name, "zone": None} for entry in library.items()]
    return {"mode": "passthrough", "entries": entries, "failed": list(lines), "left_out": 0}


def turn_metadata(turned: Turned, *, phase: str, tokens: int, max_tokens: int, alignment: float) -> Mapping[str, Any]:
    """Sizes, phase and direction of any context."""
    return {
        "phase": phase,
        "tokens": tokens,
        "max_tokens": max_tokens,
        "alignment": round(alignment, 4),
        "drift": round(turned.drift, 4),
        "gradient": str(turned.gradient),
        "drift_alert": turned.alert,
    }
