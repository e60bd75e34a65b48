"""Recognises sentences by their form: what was kept as text is told in another language all the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_PLACE: Final = re.compile(r"\{(\w+)(\*?)\}")
_LONGEST: Final = 2_000
"""Characters; the engine writes no longer sentences, and a longer text is not looked at."""
_DEEPEST: Final = 8
"""So many sentences within each other the engine never writes."""


class Forms:
    """Sentences with places for values, each with its translation. A place written `{name*}` holds a sentence itself.

    Of several forms that fit, the one with the most text of its own holds. Cost: the forms, and the text for each.
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        forms = [_Form.of(form, translation) for form, translation in known.items()]
        self._forms = sorted(forms, key=lambda form: -sum(map(len, form.between)))

    def translated(self, text: str, other: Callable[[str], str]) -> str | None:
        """The sentence in the other language; None for one that is not known. `other` translates words in it."""
        return None if len(text) > _LONGEST else _Reading(self._forms, other).translated(text, 0)


class _Reading:
    """Of one text, which a model may have written so that it takes long: no part of it is looked at twice."""

    def __init__(self, forms: Sequence[_Form], other: Callable[[str], str]) -> None:
        self._forms, self._other = forms, other
        self._known: dict[str, str | None] = {}

    def translated(self, text: str, depth: int) -> str | None:
        if text not in self._known:
            listed = self._listed(text, "; ", depth) or self._listed(text, ", ", depth)
            self._known[text] = listed or self._formed(text, depth)
        return self._known[text]

    def _formed(self, text: str, depth: int) -> str | None:
        for form in self._forms if depth < _DEEPEST else ():
            values = form.values_in(text)
            if values is not None:
                inner = {name: values[name] for name in form.sentences}
                again = {name: self.translated(each, depth + 1) or self._other(each) for name, each in inner.items()}
                return form.translation.format(**{**values, **again})
        return None

    def _listed(self, text: str, between: str, depth: int) -> str | None:
        """Sentences that the engine wrote one behind the other; None where one of them is not known."""
        parts = text.split(between)
        if len(parts) == 1:
            return None
        found = list[str]()
        for part in parts:
            sentence = self._formed(part, depth)
            if sentence is None:
                return None
            found.append(sentence)
        return self._other(between).join(found)


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
