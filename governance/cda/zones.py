"""Keep, compress, drop: the zone of each entry, with hysteresis and protection of chains (Design: CDA, zones)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any

from governance.cda.settings import CdaSettings
from governance.vocabulary import Fidelity


class Zone(StrEnum):
    """How much of an entry is worth showing."""

    KEEP = "keep"
    COMPRESS = "compress"
    DROP = "drop"

    @property
    def fidelity(self) -> Fidelity:
        return _FIDELITY[self]


_FIDELITY = {Zone.KEEP: Fidelity.FULL, Zone.COMPRESS: Fidelity.SUMMARY, Zone.DROP: Fidelity.KEY_ONLY}

CALIBRATION: tuple[tuple[float, float], ...] = ((0.0, 0.0), (0.15, 0.25), (0.45, 0.75), (1.0, 1.0))
"""QTS to the scale that the thresholds are meant for, linear between these points and rising everywhere.

The parts of QTS are seldom high together, so that raw scores crowd below 0.5: on the benchmark's questions, 0.45
divides the best few hits from the rest, and what stays below 0.15 has next to nothing of the query.
"""


def calibrated(score: float) -> float:
    """The calibrated value of a QTS, from 0 to 1."""
    for (x0, y0), (x1, y1) in pairwise(CALIBRATION):
        if score <= x1:
            return y0 + (y1 - y0) * (max(score, x0) - x0) / (x1 - x0)
    return 1.0


ZoneRow = tuple[int, str | None, int, bool]
"""Of an entry: number, zone, how many assemblies in a row dropped it, whether it was shown for that once."""


class ZoneTable:
    """The zones of a memory's entries by number. Cost of an assembly: what it scored, and what it dropped before."""

    def __init__(self, settings: CdaSettings) -> None:
        self._settings = settings
        self._zones: dict[int, Zone] = {}
        self._dropped: dict[int, int] = {}
        self._spent: set[int] = set()
        self._shown: set[int] = set()
        self._touched: dict[int, None] = {}

    def zone(self, number: int) -> Zone:
        """The stored zone; an entry that was never scored is dropped."""
        return self._zones.get(number, Zone.DROP)

    def update(self, scores: Mapping[int, float]) -> dict[int, Zone]:
        """Move the scored entries to their zones, past the margin only; entries not scored count as 0."""
        for number in [number for number in self._shown if number not in scores]:
            self._move(number, 0.0)
        for number, score in scores.items():
            self._move(number, calibrated(score))
        return {number: self._zones[number] for number in scores}

    def shown(
        self,
        numbers: Collection[int],
        *,
        retained: Collection[int] = (),
        path: Collection[int] = (),
        ancestors: Collection[int] = (),
        filtered: Collection[int] = (),
    ) -> dict[int, Zone]:
        """The zones to show `numbers` in; one assembly each call.

        Retained entries are always kept, the end of the path is at least compressed. What was dropped three times in a
        row is compressed in the fourth, once; what a kept entry came from is, as long as it did. Neither changes the
        stored zone. Never so for `filtered`: entries of a failed trace.
        """
        found: dict[int, Zone] = {}
        for number in numbers:
            zone = self.zone(number)
            if number in retained:
                zone = Zone.KEEP
            elif zone is not Zone.DROP:
                if self._dropped.pop(number, None):
                    self._touched[number] = None
            elif number not in filtered and (number in path or number in ancestors or self._is_due(number)):
                zone = Zone.COMPRESS
            found[number] = zone
        return found

    def drain(self) -> list[ZoneRow]:
        """What changed since the last drain, for a journal."""
        touched, self._touched = self._touched, {}
        return [self._row(number) for number in touched]

    def _row(self, number: int) -> ZoneRow:
        zone = self._zones.get(number)
        return number, None if zone is None else zone.value, self._dropped.get(number, 0), number in self._spent

    def load(self, rows: Iterable[Sequence[Any]]) -> None:
        """Stand where a table stood that gave these rows."""
        for number, zone, dropped, spent in rows:
            self._dropped.pop(number, None)
            if dropped:
                self._dropped[number] = dropped
            if spent:
                self._spent.add(number)
            if zone is not None:
                self._put(number, Zone(zone))

    def counts(self) -> dict[Zone, int]:
        """How many scored entries each zone holds."""
        found = dict.fromkeys(Zone, 0)
        for zone in self._zones.values():
            found[zone] += 1
        return found

    def _is_due(self, number: int) -> bool:
        if number in self._spent:
            return False
        self._touched[number] = None
        times = self._dropped.get(number, 0)
        if times < self._settings.drops_before_shown:
            self._dropped[number] = times + 1
            return False
        self._spent.add(number)
        self._dropped.pop(number, None)
        return True

    def _move(self, number: int, value: float) -> None:
        before = self._zones.get(number)
        zone = self._moved(before, value)
        if zone is not before:
            self._put(number, zone)
            self._touched[number] = None

    def _put(self, number: int, zone: Zone) -> None:
        self._zones[number] = zone
        if zone is Zone.DROP:
            self._shown.discard(number)
        else:
            self._shown.add(number)

    def _moved(self, before: Zone | None, value: float) -> Zone:
        """The zone of a calibrated value; a boundary counts only when it is passed by the margin."""
        keep, drop, margin = self._settings.keep_from, self._settings.drop_below, self._settings.margin
        if before is not None:
            keep += -margin if before is Zone.KEEP else margin
            drop += margin if before is Zone.DROP else -margin
        if value >= keep:
            return Zone.KEEP
        return Zone.DROP if value < drop else Zone.COMPRESS
