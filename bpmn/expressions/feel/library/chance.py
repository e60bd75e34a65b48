"""Functions that leave something to chance, drawn from the seed of their place in an instance."""

from __future__ import annotations

from decimal import Decimal
from typing import Final
from uuid import UUID

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation

CHANCE: Final = Library()
_BITS: Final = 53
"""Random bits of a number: as many as a float holds, so that it is the same as a process variable."""


@CHANCE.define("uuid()")
def _uuid(evaluation: Evaluation) -> str:
    return str(UUID(bytes=_drawn(evaluation)[:16], version=4))


@CHANCE.define("random number()")
def _number(evaluation: Evaluation) -> Decimal:
    """From 0, below 1."""
    return Decimal((int.from_bytes(_drawn(evaluation)[:8], "big") >> (64 - _BITS)) / (1 << _BITS))


def _drawn(evaluation: Evaluation) -> bytes:
    drawn = evaluation.run.draw()
    if drawn is None:
        raise refused("nothing is left to chance here")
    return drawn
