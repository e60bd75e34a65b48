"""Which texts hold a term, and how often: one list of an inverted index."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass, field


@dataclass(slots=True)
class Posting:
    """The numbers of the texts that hold one term, ascending, and beside each how strongly it holds it."""

    numbers: array[int] = field(default_factory=lambda: array("I"))
    strengths: array[float] = field(default_factory=lambda: array("d"))
    strongest: float = 0.0
    """No text holds the term more strongly ..."""
    shortest: int = 1 << 30
    """... nor is any shorter; whatever was taken out since."""

    def __len__(self) -> int:
        return len(self.numbers)

    def insert(self, number: int, strength: float, length: int) -> None:
        """Add a text of `length` terms that is not in the list."""
        if strength > self.strongest:
            self.strongest = strength
        if length < self.shortest:
            self.shortest = length
        if not self.numbers or number > self.numbers[-1]:
            self.numbers.append(number)
            self.strengths.append(strength)
            return
        at = bisect_left(self.numbers, number)
        self.numbers.insert(at, number)
        self.strengths.insert(at, strength)

    def delete(self, number: int) -> None:
        """Take out a text that is in the list."""
        at = bisect_left(self.numbers, number)
        del self.numbers[at], self.strengths[at]

    def strength(self, number: int) -> float:
        """Return how strongly a text holds the term, 0.0 if it does not."""
        at = bisect_left(self.numbers, number)
        return self.strengths[at] if at < len(self.numbers) and self.numbers[at] == number else 0.0
