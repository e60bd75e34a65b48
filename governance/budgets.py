"""Budgets: what has been used, and whether that is all there is (Design: ActivityExtensionConfig)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from governance.policy import Limits


class Pool(NamedTuple):
    """What has been used."""

    tokens: int = 0
    cost: float = 0.0
    minutes: float = 0.0

    def plus(self, tokens: int, cost: float, minutes: float) -> Pool:
        return Pool(self.tokens + tokens, self.cost + cost, self.minutes + minutes)


NOTHING: Final = Pool()


def limits_of(text: str) -> Limits:
    """Limits written as `tokens=NUMBER, cost=NUMBER, minutes=NUMBER`. Raises ValueError."""
    given: dict[str, str] = {}
    for part in filter(str.strip, text.split(",")):
        name, equals, amount = (each.strip() for each in part.partition("="))
        if not equals or name not in Limits.model_fields:
            raise ValueError(f"{part.strip()} is no limit; allowed: tokens=NUMBER, cost=NUMBER, minutes=NUMBER")
        given[name] = amount
    try:
        return Limits.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{first['loc'][0]}: {first['msg'][:1].lower()}{first['msg'][1:]}") from error


class Raise(BaseModel):
    """A pool that somebody raised: by how much, who and why, and until when; None: for good."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    amount: Limits
    at: str
    by: str
    reason: str = ""
    until: str | None = None
    instance: str = ""
    """Where it was asked."""

    def holds(self, at: str) -> bool:
        """Whether it counts at a time (a fixed-width UTC timestamp)."""
        return self.until is None or at < self.until


def amount_of(data: Mapping[str, Any]) -> Limits:
    """The limits among other fields."""
    return Limits.model_validate({name: data[name] for name in Limits.model_fields if name in data})


def raised(limits: Limits, raises: Iterable[Raise], at: str) -> Limits:
    """The limits with all that they were raised by and that holds at a time; what has no limit gets none."""
    total = limits.model_dump(exclude_none=True)
    for each in raises:
        if each.holds(at):
            for name in total:
                total[name] += getattr(each.amount, name) or 0
    return Limits.model_validate(total)


def reached(limits: Limits, used: Pool) -> str:
    """What of a pool is used up, in words; "" while there is some left of everything."""
    told = []
    if limits.tokens is not None and used.tokens >= limits.tokens:
        told.append(f"{used.tokens:,} of {limits.tokens:,} tokens")
    if limits.cost is not None and used.cost >= limits.cost:
        told.append(f"{used.cost:.4f} of {limits.cost:.4f} US dollars")
    if limits.minutes is not None and used.minutes >= limits.minutes:
        told.append(f"{used.minutes:.1f} of {limits.minutes:.1f} minutes")
    return ", ".join(told)
