"""Recognises sentences by their form: what was kept as text is told in another language all the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

_PLACE: Final = re.compile(r"\{(\w+)(\*?)\}")
_LONGEST: Final = 2_000
"""Characters; the engine writes no longer sentences, and a longer text is not looked at."""


class Forms:
    """Sentences with places for values, each with its translation. A place written `{name*}` holds a sentence itself.

    Of several forms that fit, the one with the most text of its own holds. Cost: the forms, and the text for each.
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        forms = [_Form.of(form, translation) for form, translation in known.items()]
        self._forms = sorted(forms, key=lambda form: -sum(map(len, form.between)))

    def translated(self, text: str, other: Callable[[str], str]) -> str | None:
        """The sentence in the other language; None for one that is not known. `other` translates words in it."""
        if len(text) > _LONGEST:
            return None
        return self._listed(text, "; ", other) or self._listed(text, ", ", other) or self._formed(text, other)

    def _formed(self, text: str, other: Callable[[str], str]) -> str | None:
        for form in self._forms:
            values = form.values_in(text)
            if values is not None:
                again = {name: self.translated(values[name], other) or other(values[name]) for name in form.sentences}
                return form.translation.format(**{**values, **again})
        return None

    def _listed(self, text: str, between: str, other: Callable[[str], str]) -> str | None:
        """Sentences that the engine wrote one behind the other; None where one of them is not known."""
        parts = [self._formed(part, other) for part in text.split(between)]
        known = [part for part in parts if part is not None]
        return other(between).join(known) if len(parts) > 1 and len(known) == len(parts) else None


@dataclass(frozen=True, slots=True)
class _Form:
    """`between` are the texts around the places, one more than there are `names`; `sentences` hold sentences."""

    between: tuple[str, ...]
    names: tuple[str, ...]
    sentences: frozenset[str]
    translation: str

    @classmethod
    def of(cls, form: str, translation: str) -> _Form:
        places = list(_PLACE.finditer(form))
        edges = [0, *(edge for place in places for edge in place.span()), len(form)]
        between = tuple(form[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
        inner = frozenset(place[1] for place in places if place[2])
        return cls(between, tuple(place[1] for place in places), inner, translation)

    def values_in(self, text: str) -> dict[str, str] | None:
        """What stands in the places, at least a character in each; None where the text has another form."""
        if not self.names:
            return {} if text == self.between[0] else None
        if not (text.startswith(self.between[0]) and text.endswith(self.between[-1])):
            return None
        place, found = len(self.between[0]), list[str]()
        for edge in self.between[1:-1]:
            end = text.find(edge, place + 1)
            if end < 0:
                return None
            found.append(text[place:end])
            place = end + len(edge)
        end = len(text) - len(self.between[-1])
        return None if end <= place else dict(zip(self.names, [*found, text[place:end]], strict=True))
