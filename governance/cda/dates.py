"""When something was said: what a question that names a day or a month is looked for by (Design: CDA, QTS, phase).

People tell of a thing on its day or in the week after it. English and Chinese dates, and those of ISO 8601.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import Final

_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH: Final = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s+(?:of\s+)?(?P<year>\d{4})\b)"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"\b(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?(?!\d)",
        r"(?:(?P<year>\d{4})\u5e74)?(?P<month>\d{1,2})\u6708(?:(?P<day>\d{1,2})[\u65e5\u53f7])?",
        rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}?",
        rf"\b{_MONTH}\s+{_DAY}\b(?!\d){_YEAR}?",
        rf"\b{_MONTH}{_YEAR}",
        rf"\b(?:in|since|during|of|early|late|mid|until|by)[\s-]+{_MONTH}(?!\s+\d)",
    )
)
_NEAR: Final = re.compile(r"\d|\u6708|" + "|".join(f"{month.title()}" for month in _MONTHS))
_TOLD_WITHIN: Final = 7
"""Days after it in which a thing is told; on the last of them it counts a half."""
_READ: Final = 600
_MOST: Final = 400
"""Entries of one day that are looked at, the newest."""

Span = tuple[date, date]


def spans_in(text: str, years: Collection[int]) -> list[Span]:
    """First and last day of each date in the beginning of `text`; one without a year is of each of `years`."""
    text = text[:_READ]
    if _NEAR.search(text) is None:
        return []
    found: dict[Span, None] = {}
    for form in _FORMS:
        for match in form.finditer(text):
            found.update(dict.fromkeys(_spans(match, years)))
        text = form.sub(" ", text)
    return list(found)


def day_in(text: str) -> date | None:
    """The first whole date in `text`, None if it has none."""
    return next((first for first, last in spans_in(text, ()) if first == last), None)


class Days:
    """Which entries were said on which day; grows one entry at a time."""

    def __init__(self) -> None:
        self._said: dict[date, list[int]] = {}
        self._years: set[int] = set()

    def add(self, number: int, day: date) -> None:
        self._said.setdefault(day, []).append(number)
        self._years.add(day.year)

    def told_of(self, query: str) -> dict[int, float]:
        """The entries said on a date that `query` names (1) or within a week after it (less, a half at last)."""
        found: dict[int, float] = {}
        if not self._said:
            return found
        for first, last in spans_in(query, self._years):
            for after in range((last - first).days + _TOLD_WITHIN + 1):
                said = self._said.get(first + timedelta(days=after))
                if said:
                    late = max(0, after - (last - first).days)
                    share = 1.0 - 0.5 * late / _TOLD_WITHIN
                    for number in islice(reversed(said), _MOST):
                        found[number] = max(share, found.get(number, 0.0))
        return found


def _spans(match: re.Match[str], years: Collection[int]) -> Iterator[Span]:
    parts = match.groupdict()
    month = int(parts["month"]) if parts["month"].isdigit() else 1 + _MONTHS.index(parts["month"][:3].lower())
    if not 1 <= month <= 12:
        return
    year_said = parts.get("year")
    for year in [int(year_said)] if year_said else sorted(years):
        length = monthrange(year, month)[1] if 1 <= year < 9999 else 0
        day = int(parts.get("day") or 0)
        if day and day <= length:
            yield date(year, month, day), date(year, month, day)
        elif length and not day:
            yield date(year, month, 1), date(year, month, length)
