"""The Gregorian calendar, before and after Python's years too: days as numbers, day 0 is 1970-01-01."""

from __future__ import annotations

from typing import Final

FIRST_YEAR, LAST_YEAR = -999_999_999, 999_999_999
_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_EPOCH: Final = 719_468
"""Days from 0000-03-01 to 1970-01-01."""
_DAYS_OF_CYCLE: Final = 146_097
"""Days of 400 years, after which the calendar repeats."""


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    return 29 if month == 2 and is_leap(year) else _MONTHS[month - 1]


def day_number(year: int, month: int, day: int) -> int:
    """Years are counted from March, so that a leap day is a year's last."""
    year -= month <= 2
    cycle, of_cycle = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return cycle * _DAYS_OF_CYCLE + of_cycle * 365 + of_cycle // 4 - of_cycle // 100 + day_of_year - _EPOCH


def civil(number: int) -> tuple[int, int, int]:
    """Year, month and day of a day's number."""
    cycle, of_cycle = divmod(number + _EPOCH, _DAYS_OF_CYCLE)
    year = (of_cycle - of_cycle // 1460 + of_cycle // 36524 - of_cycle // 146096) // 365
    day_of_year = of_cycle - (365 * year + year // 4 - year // 100)
    month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month + 2) // 5 + 1
    return year + cycle * 400 + (month >= 10), (month + 2) % 12 + 1, day


def weekday(number: int) -> int:
    """1 is Monday, 7 is Sunday."""
    return (number + 3) % 7 + 1


def week_of_year(year: int, number: int) -> int:
    """The week by ISO 8601 of a day in `year`."""
    thursday = number - weekday(number) + 4
    of_year = civil(thursday)[0]
    return (thursday - day_number(of_year, 1, 1)) // 7 + 1
