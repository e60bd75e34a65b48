"""From the words of one JUEL expression to its parts, by the precedence of the specification (JSR 341, 1.13)."""

from __future__ import annotations

from typing import Final

from bpmn.expressions.juel.tokens import Token, unquoted
from bpmn.expressions.juel.tree import Binary, Call, Choice, Field, Item, Literal, Name, Part, Span, Unary

MAX_DEPTH: Final = 100
"""Levels of parts inside one another."""

_LEVELS: Final = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
_CONSTANTS: Final = {"true": True, "false": False, "null": None}


class WrongSyntax(ValueError):
    """Words in an order that means nothing; `at` is the place of the word that is wrong."""

    def __init__(self, token: Token, wanted: str) -> None:
        self.at = token.start
        super().__init__(f"{token.text or 'the end'} stands where {wanted} should")


class Parser:
    """Reads one expression."""

    def __init__(self, words: list[Token]) -> None:
        self._words, self._at, self._depth = words, 0, 0

    def parse(self) -> Part:
        """Raises WrongSyntax."""
        part = self._choice()
        if self._word.kind != "end":
            raise WrongSyntax(self._word, "an operator or the end")
        return part

    @property
    def _word(self) -> Token:
        return self._words[self._at]

    def _take(self, *operators: str) -> Token | None:
        word = self._word
        if word.kind == "operator" and word.text in operators:
            self._at += 1
            return word
        return None

    def _need(self, operator: str) -> Token:
        taken = self._take(operator)
        if taken is None:
            raise WrongSyntax(self._word, operator)
        return taken

    def _choice(self) -> Part:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise WrongSyntax(self._word, f"something less deep than {MAX_DEPTH} levels")
        part = self._binary(0)
        if self._take("?"):
            then = self._choice()
            self._need(":")
            otherwise = self._choice()
            part = Choice(Span(part.span.start, otherwise.span.end), part, then, otherwise)
        self._depth -= 1
        return part

    def _binary(self, level: int) -> Part:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while operator := self._take(*_LEVELS[level]):
            right = self._binary(level + 1)
            left = Binary(Span(left.span.start, right.span.end), operator.text, left, right)
        return left

    def _unary(self) -> Part:
        operators = []
        while operator := self._take("!", "-", "empty"):
            operators.append(operator)
        if len(operators) > MAX_DEPTH:
            raise WrongSyntax(operators[-1], f"something less deep than {MAX_DEPTH} levels")
        part = self._value()
        for operator in reversed(operators):
            part = Unary(Span(operator.start, part.span.end), operator.text, part)
        return part

    def _value(self) -> Part:
        part = self._primary()
        steps = 0
        while steps <= MAX_DEPTH:
            steps += 1
            if self._take("."):
                part = self._member(part)
            elif self._take("["):
                key = self._choice()
                part = Item(Span(part.span.start, self._need("]").end), part, key)
            else:
                return part
        raise WrongSyntax(self._word, f"something less deep than {MAX_DEPTH} levels")

    def _member(self, base: Part) -> Part:
        word = self._word
        if word.kind != "name":
            raise WrongSyntax(word, "the name of a field or method")
        self._at += 1
        if self._take("("):
            arguments, end = self._arguments()
            return Call(Span(base.span.start, end), base, word.text, arguments)
        return Field(Span(base.span.start, word.end), base, word.text)

    def _arguments(self) -> tuple[tuple[Part, ...], int]:
        """The arguments of a call, and where the call ends."""
        if closing := self._take(")"):
            return (), closing.end
        found = [self._choice()]
        while self._take(","):
            found.append(self._choice())
        return tuple(found), self._need(")").end

    def _primary(self) -> Part:
        word = self._word
        span = Span(word.start, word.end)
        if self._take("("):
            part = self._choice()
            self._need(")")
            return part
        if word.kind == "number":
            self._at += 1
            return Literal(span, int(word.text) if word.text.isdigit() else float(word.text))
        if word.kind == "text":
            self._at += 1
            return Literal(span, unquoted(word.text))
        if word.kind == "name":
            self._at += 1
            return self._named(word, span)
        raise WrongSyntax(word, "a value")

    def _named(self, word: Token, span: Span) -> Part:
        if word.text in _CONSTANTS:
            return Literal(span, _CONSTANTS[word.text])
        following = self._words[self._at : self._at + 3]
        if [each.text for each in following[::2]] == [":", "("] and following[1].kind == "name":
            self._at += 3
            arguments, end = self._arguments()
            return Call(Span(word.start, end), None, f"{word.text}:{following[1].text}", arguments)
        if self._take("("):
            arguments, end = self._arguments()
            return Call(Span(word.start, end), None, word.text, arguments)
        return Name(span, word.text)
