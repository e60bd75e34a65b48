"""Which of the offered items an output draws on (Design: flywheel, cited)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from governance.similarity.terms import is_value, terms

_SPAN: Final = 4
"""So many terms in a row are a span that is not shared by chance."""
_VALUE_CHARS: Final = 4
"""A number or identifier of so many characters is distinctive by itself."""
_ID: Final = re.compile(r"\bk-[0-9a-f]{12}\b")


def ids_in(text: str) -> frozenset[str]:
    """Ids of items of knowledge that a text names."""
    return frozenset(_ID.findall(text))


def cited(offered: Mapping[str, str], output: str, known: Iterable[str] = ()) -> frozenset[str]:
    """Ids of the items (`offered`: text by id) that `output` names, or shares a distinctive span with.

    A span is distinctive if neither another offered item nor `known` (the other texts the model was given: the task,
    its inputs) has it. Cost: the terms of all texts.
    """
    named = ids_in(output) & offered.keys()
    marks = {id: _marks(text) for id, text in offered.items()}
    holders = Counter(mark for found in marks.values() for mark in found)
    elsewhere = frozenset().union(*map(_marks, known))
    said = _marks(output) - elsewhere
    return named | {id for id, found in marks.items() if any(holders[mark] == 1 for mark in found & said)}


def _marks(text: str) -> frozenset[tuple[str, ...]]:
    found = terms(text)
    spans = {tuple(found[i : i + _SPAN]) for i in range(len(found) - _SPAN + 1)}
    values = {(term,) for term in found if len(term) >= _VALUE_CHARS and is_value(term)}
    return frozenset(spans | values)
