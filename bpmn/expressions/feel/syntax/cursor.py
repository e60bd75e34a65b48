"""A place in the tokens of an expression, and what may come next."""

from __future__ import annotations

from typing import NoReturn

from bpmn.expressions.describe import shown
from bpmn.expressions.errors import InvalidSyntax, SyntaxRefused
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.tokens import Token, Unreadable, tokens_of
from bpmn.expressions.places import Site, Where

DEPTH = 60
"""Expressions inside one another that are read."""
LENGTH = 1_000_000
"""Characters of an expression that are read."""


class Cursor:
    """Goes over tokens, one way but for `back`."""

    def __init__(self, text: str, where: Where, names: Names) -> None:
        self.text, self.where, self.names = text, where, names
        self.position = 0
        self.depth = 0
        self.filters = True
        """Whether a `[` after a value begins a filter; at the end of a range it may not."""
        self.asked = False
        """Whether `?` was read since somebody cleared this."""
        if len(text) > LENGTH:
            self.refuse(0, 0, f"an expression of more than {LENGTH:,} characters", "shorter ones")
        try:
            self.tokens = tokens_of(text)
        except Unreadable as error:
            self.fail(error.position, "no FEEL can begin here")

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    @property
    def last_end(self) -> int:
        """Where the token before this one ended."""
        return self.tokens[self.position - 1].end if self.position else 0

    def ahead(self, count: int = 1) -> Token:
        return self.tokens[min(self.position + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.position += 1
        return token

    def at_end(self, after: int = 0) -> bool:
        """Whether nothing comes after so many more tokens."""
        return self.ahead(after).kind == "end"

    def is_symbol(self, *texts: str) -> bool:
        return self.token.kind == "symbol" and self.token.text in texts

    def is_word(self, *texts: str) -> bool:
        return self.token.kind == "word" and self.token.text in texts

    def accept(self, text: str) -> bool:
        """Take a sign or word if it comes next."""
        if self.token.text == text and self.token.kind in ("symbol", "word"):
            self.position += 1
            return True
        return False

    def expect(self, *texts: str) -> Token:
        """Take one of these signs or words. Raises InvalidSyntax."""
        if self.token.text in texts and self.token.kind in ("symbol", "word"):
            return self.take()
        return self.unexpected(" or ".join(texts))

    def unexpected(self, wanted: str) -> NoReturn:
        token = self.token
        found = "the end" if token.kind == "end" else shown(self.text[token.start : token.end])
        self.fail(token.start, f"{found} stands where {wanted} should be")

    def fail(self, position: int, reason: str) -> NoReturn:
        raise InvalidSyntax(reason).at(self.site(position, len(self.text)))

    def refuse(self, start: int, end: int, construct: str, allowed: str) -> NoReturn:
        raise SyntaxRefused(construct, allowed).at(self.site(start, end))

    def site(self, start: int, end: int) -> Site:
        line = None if self.where.line is None else self.where.line + self.text.count("\n", 0, start)
        text = self.text[start:end].strip() or self.text.strip()
        return Site(self.where, line, shown(text, 100))

    def deeper(self) -> None:
        """Enter an expression inside another. Raises SyntaxRefused."""
        self.depth += 1
        if self.depth > DEPTH:
            token = self.token
            self.refuse(token.start, len(self.text), "an expression nested so deep", f"at most {DEPTH} levels")
