"""Keep, compress, drop: the zone of each entry, with hysteresis and protection of chains (Design: CDA, zones)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any, Generic, TypeVar

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

Calibration = tuple[tuple[float, float], ...]

CALIBRATION: Calibration = ((0.0, 0.0), (0.15, 0.25), (0.45, 0.75), (1.0, 1.0))
"""QTS to the scale that the thresholds are meant for, linear between these points and rising everywhere.

The parts of QTS are seldom high together, so that raw scores crowd below 0.5: on the benchmark's questions, 0.45
divides the best few hits from the rest, and what stays below 0.15 has next to nothing of the query.
"""


def calibrated(score: float, points: Calibration = CALIBRATION) -> float:
    """The calibrated value of a QTS, from 0 to 1."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if score <= x1:
            return y0 + (y1 - y0) * (max(score, x0) - x0) / (x1 - x0)
    return 1.0


K = TypeVar("K", bound=Hashable)
"""What an entry is called: its number in a memory, its key in a context."""

ZoneRow = tuple[K, str | None, int, bool]
"""Of an entry: what it is called, zone, how many assemblies in a row dropped it, whether it was shown for that once."""


class ZoneTable(Generic[K]):
    """The zones of entries. Cost of an assembly: what it scored, and what it dropped before."""

    def __init__(self, settings: CdaSettings, calibration: Calibration = CALIBRATION) -> None:
        self._settings, self._calibration = settings, calibration
        self._zones: dict[K, Zone] = {}
        self._dropped: dict[K, int] = {}
        self._spent: set[K] = set()
        self._shown: set[K] = set()
        self._touched: dict[K, None] = {}

    def zone(self, number: K) -> Zone:
        """The stored zone; an entry that was never scored is dropped."""
        return self._zones.get(number, Zone.DROP)

    def update(self, scores: Mapping[K, float]) -> dict[K, Zone]:
        """Move the scored entries to their zones, past the margin only; entries not scored count as 0."""
        for number in [number for number in self._shown if number not in scores]:
            self._move(number, 0.0)
        for number, score in scores.items():
            self._move(number, calibrated(score, self._calibration))
        return {number: self._zones[number] for number in scores}

    def shown(
        self,
        numbers: Collection[K],
        *,
        retained: Collection[K] = (),
        path: Collection[K] = (),
        ancestors: Collection[K] = (),
        filtered: Collection[K] = (),
    ) -> dict[K, Zone]:
        """The zones to show `numbers` in; one assembly each call.

        Retained entries are always kept, the end of the path is at least compressed. What was dropped three times in a
        row is compressed in the fourth, once; what a kept entry came from is, as long as it did. Neither changes the
        stored zone. Never so for `filtered`: entries of a failed trace.
        """
        found: dict[K, Zone] = {}
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

    def of_score(self, score: float) -> Zone:
        """The zone of a QTS whose entry had none before."""
        return self._moved(None, calibrated(score, self._calibration))

    def drain(self) -> list[ZoneRow[K]]:
        """What changed since the last drain, for a journal."""
        touched, self._touched = self._touched, {}
        return [self._row(number) for number in touched]

    def _row(self, number: K) -> ZoneRow[K]:
        zone = self._zones.get(number)
        return number, None if zone is None else zone.value, self._dropped.get(number, 0), number in self._spent

    def rows(self, most: int) -> list[ZoneRow[K]]:
        """All but what is as if it had never been looked at; the `most` that moved last."""
        kept = [row for row in map(self._row, self._zones) if row[1] != Zone.DROP or row[2] or row[3]]
        return kept[-most:]

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

    def _is_due(self, number: K) -> bool:
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

    def _move(self, number: K, value: float) -> None:
        before = self._zones.get(number)
        zone = self._moved(before, value)
        if zone is not before:
            self._put(number, zone)
            self._touched[number] = None

    def _put(self, number: K, zone: Zone) -> None:
        self._zones.pop(number, None)
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


def together(tables: Iterable[Iterable[ZoneRow[K]]], most: int) -> list[ZoneRow[K]]:
    """The rows of branches that come together: each entry in the highest zone that a branch had it in, `most` of all.

    The lowest stand first, as what moved longest ago; the order of the branches makes no difference.
    """
    ranks = {zone.value: rank for rank, zone in enumerate(Zone)}
    found: dict[K, ZoneRow[K]] = {}
    for row in (row for rows in tables for row in rows):
        other = found.get(row[0])
        if other is None:
            found[row[0]] = row
            continue
        zone = min(row[1], other[1], key=lambda zone: ranks.get(zone or "", len(ranks)))
        found[row[0]] = (row[0], zone, min(row[2], other[2]), row[3] or other[3])
    return sorted(found.values(), key=lambda row: (-ranks.get(row[1] or "", len(ranks)), str(row[0])))[-most:]
