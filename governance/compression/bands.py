"""The band table of D1: pressure and usage name a band each, the stronger wins (Design: D1 compress)."""

from __future__ import annotations

from governance.compression.settings import CompressSettings
from governance.vocabulary import Band


def band_of(
    pressure: float, usage: float, floor: Band, settings: CompressSettings, asked: Band = Band.NONE
) -> Band:
    """The band for `pressure` and `usage`, raised to `floor` if there is something to raise, and to what is `asked`.

    Where both are in the band NONE, no floor raises it: a low attention score can come from an idle branch, and
    must not empty a context that fits.
    """
    if pressure < settings.light_pressure and usage < settings.medium_usage:
        return asked
    return max(by_pressure(pressure, settings), by_usage(usage, settings), floor, asked, key=_rank)


def by_pressure(pressure: float, settings: CompressSettings) -> Band:
    """[0, 0.6) none, [0.6, 0.8) light, [0.8, 1.0] medium, above forced."""
    if pressure < settings.light_pressure:
        return Band.NONE
    if pressure < settings.medium_pressure:
        return Band.LIGHT
    return Band.MEDIUM if pressure <= settings.forced_pressure else Band.FORCED


def by_usage(usage: float, settings: CompressSettings) -> Band:
    """[0, 0.70) none, [0.70, 0.85) medium, from there forced."""
    if usage < settings.medium_usage:
        return Band.NONE
    return Band.MEDIUM if usage < settings.forced_usage else Band.FORCED


def _rank(band: Band) -> int:
    return band.rank
