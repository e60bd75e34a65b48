"""Whether joins wait for ever and what runs twice is found by playing tokens through; that has limits."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule
from bpmn.check.tokens.play import MOST_MARKINGS


def _check(place: Place) -> Iterator[Problem]:
    if not place.outcomes.is_decided:
        yield Problem(
            message="whether a join may wait for ever, or something runs twice, is not decided",
            element=place.holder.id,
            line=place.holder.line,
            found="more than can be played through, or gateways that count",
            allowed=(f"at most {MOST_MARKINGS:,} states of its tokens",),
        )


RULE = Rule(code="not-decided", severity="warning", check=_check)
