"""What each band does to a draft (Design: D1 compress, the band table and its passes).

Each returns how many passes lowered something.
"""

from __future__ import annotations

from math import nextafter

from governance.compression.draft import Draft
from governance.compression.settings import CompressSettings
from governance.compression.units import Unit
from governance.vocabulary import Fidelity


def light(draft: Draft, settings: CompressSettings) -> int:
    """FULL entries to SUMMARY, lowest priority first, until the pressure is below the band or none is left."""
    fell = 0
    for unit in draft.ranked if draft.can_fall(Fidelity.SUMMARY) else ():
        if draft.pressure < settings.light_pressure:
            break
        fell += draft.lower(unit, Fidelity.SUMMARY)
    return int(fell > 0)


def medium(draft: Draft, rung: Fidelity, settings: CompressSettings) -> int:
    """Everything to `rung`; then one rung lower per pass, lowest priority first, while the pressure is too high.

    The further passes leave other layers than WORKING alone: those do not press.
    """
    passes = int(sum(draft.lower(unit, rung) for unit in draft.units) > 0)
    while draft.pressure > settings.medium_pressure and rung > Fidelity.ARCHIVED:
        rung = Fidelity(rung - 1)
        fell = 0
        for unit in draft.ranked if draft.can_fall(rung) else ():
            if draft.pressure <= settings.medium_pressure:
                break
            if draft.is_working(unit):
                fell += draft.lower(unit, rung)
        passes += fell > 0
    return passes


def forced(draft: Draft, settings: CompressSettings) -> int:
    """Passes of one rung each, lowest priority first, until both targets are met or nothing is left that helps.

    An entry helps while a target that it counts towards is missed: entries of other layers than WORKING fall for the
    window only. Declared inputs of the coming activity come last, when all others are at the bottom. Where attention
    alone forces, the usual targets are met already; then the target is a pressure below the light band.
    """
    ceiling = settings.medium_pressure
    if draft.pressure <= ceiling and draft.usage < settings.medium_usage:
        ceiling = nextafter(settings.light_pressure, 0.0)

    def helps(unit: Unit) -> bool:
        return draft.usage >= settings.medium_usage or (draft.pressure > ceiling and draft.is_working(unit))

    passes = 0
    for last in (False, True):
        sinking = [unit for unit in draft.ranked if unit.last is last]
        while sinking:
            sinking = [unit for unit in sinking if helps(unit) and draft.step(unit) > 0]
            passes += bool(sinking)
    return passes
