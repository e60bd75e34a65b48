"""Moments, as people read them."""

from __future__ import annotations

from datetime import datetime


def moment(at: str) -> str:
    """A UTC timestamp in local time, to the second."""
    return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M:%S}"


def clock(at: str) -> str:
    """The time of day alone."""
    return f"{datetime.fromisoformat(at).astimezone():%H:%M:%S}"
