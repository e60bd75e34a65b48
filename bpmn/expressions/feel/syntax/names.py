"""Names with spaces and signs in them: which tokens make one (DMN 1.5, 10.3.1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bpmn.expressions.feel.syntax.tokens import Token, Unreadable, tokens_of

INFIX: Final = frozenset({"and", "or", "between", "in", "then", "else", "return", "satisfies"})
"""Words that end a name which is not known."""

Spelling = tuple[str, ...]
"""The tokens of a name. White space between them is no part of it: `a-b` and `a - b` are one name."""


class Names:
    """The names that an expression may use and that take more than one token.

    Names are looked up longest first; words that stand side by side and are no known name are one name all the same,
    for nothing else could be meant.
    """

    def __init__(self, known: Iterable[str] = (), base: Names | None = None) -> None:
        self._base = base
        self._spelled: dict[str, list[tuple[Spelling, str]]] = {}
        for name in known:
            self.add(name)

    def add(self, name: str) -> None:
        """Let `name` be known from here on."""
        spelling = spelled(name)
        if len(spelling) < 2:
            return
        others = self._spelled.setdefault(spelling[0], [])
        if all(other != spelling for other, _ in others):
            others.append((spelling, " ".join(name.split())))
            others.sort(key=lambda entry: -len(entry[0]))

    def longest(self, tokens: Sequence[Token], position: int) -> tuple[int, str]:
        """How many tokens from `position` on are the longest known name of several tokens, and the name; 0: none is."""
        best = (0, "") if self._base is None else self._base.longest(tokens, position)
        for spelling, name in self._spelled.get(tokens[position].text, ()):
            if len(spelling) > best[0] and _is_at(spelling, tokens, position):
                return len(spelling), name
        return best


def spelled(name: str) -> Spelling:
    """A name's tokens; none for what cannot be read as tokens."""
    try:
        tokens = tokens_of(name.strip())[:-1]
    except Unreadable:
        return ()
    if any(token.kind in ("string", "at", "quoted") for token in tokens):
        return ()
    return tuple(token.text for token in tokens)


def _is_at(spelling: Spelling, tokens: Sequence[Token], position: int) -> bool:
    if position + len(spelling) >= len(tokens):
        return False
    found = tokens[position : position + len(spelling)]
    return all(
        token.text == text and token.kind not in ("string", "at", "quoted")
        for token, text in zip(found, spelling, strict=True)
    )


def words(tokens: Sequence[Token], position: int) -> int:
    """How many tokens from `position` on are words side by side, up to one that joins or ends expressions."""
    count = 0
    while True:
        token = tokens[position + count]
        if token.kind == "word":
            if count and (token.text in INFIX or _is_instance_of(tokens, position + count)):
                return count
        elif not (count and _goes_on(token)):
            return count
        count += 1


def _goes_on(token: Token) -> bool:
    """Whether a token that is no word may stand in a name that is not known."""
    return (token.kind == "number" and token.text.isdigit()) or (token.kind == "symbol" and token.text == "'")


def _is_instance_of(tokens: Sequence[Token], position: int) -> bool:
    return tokens[position].text == "instance" and tokens[position + 1].text == "of"


def joined(tokens: Sequence[Token]) -> str:
    """The name that tokens spell, with one space where anything was between them."""
    return "".join(f" {token.text}" if token.spaced and index else token.text for index, token in enumerate(tokens))
