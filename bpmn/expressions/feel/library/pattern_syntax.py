"""From XPath's regular expressions to those of the `regex` module (XML Schema 1.1 part 2, G; F&O 3.1, 5.6.1)."""

from __future__ import annotations

from typing import Final

_INITIAL: Final = r"\p{L}_:"
_NAME: Final = r"\p{L}\p{N}\p{M}_:.\-\u00B7"
_SIMPLE: Final = {
    **{character: f"\\{character}" for character in r"\|.?*+(){}-[]^$"},
    "n": r"\n",
    "r": r"\r",
    "t": r"\t",
    "d": r"\p{Nd}",
    "D": r"\P{Nd}",
}
_CLASSES: Final = {"s": r" \t\n\r", "i": _INITIAL, "c": _NAME, "w": r"\p{L}\p{M}\p{N}\p{S}"}
_META: Final = frozenset(".?*+(){}[]|^$\\")


class BadPattern(Exception):
    """A pattern that the standard does not have."""


def translated(pattern: str, flags: str = "") -> str:
    """The pattern for `regex` in version 1. Raises BadPattern."""
    return _Reader(_without_spaces(pattern) if "x" in flags else pattern, flags=flags).whole()


def _without_spaces(pattern: str) -> str:
    """Flag x: white space goes, but inside `[...]`."""
    kept, depth, position = [], 0, 0
    while position < len(pattern):
        character = pattern[position]
        if character == "\\":
            kept.append(pattern[position : position + 1])
            position += 1
            while position < len(pattern) and pattern[position] in " \t\n\r" and not depth:
                position += 1
            kept.append(pattern[position : position + 1])
        elif depth or character not in " \t\n\r":
            depth += (character == "[") - (character == "]")
            kept.append(character)
        position += 1
    return "".join(kept)


class _Reader:
    def __init__(self, pattern: str, *, flags: str) -> None:
        self._text, self._at, self._flags = pattern, 0, flags
        self._open: list[int] = []
        self._groups, self._closed = 0, set[int]()

    def whole(self) -> str:
        parts = []
        while self._at < len(self._text):
            parts.append(self._part())
        if self._open:
            raise BadPattern("a ( is not closed")
        return "".join(parts)

    def _part(self) -> str:
        character = self._take()
        if character == "\\":
            return self._escape()
        if character == "[":
            return self._class()
        if character == ".":
            return "." if "s" in self._flags else r"[^\n\r]"
        if character == "(":
            return self._group()
        if character == ")":
            if not self._open:
                raise BadPattern("a ) closes nothing")
            self._closed.add(self._open.pop())
            return ")"
        if character == "{":
            return self._quantity()
        if character in "?*+":
            return self._repeat(character)
        if character in "]}":
            raise BadPattern(f"a {character} closes nothing")
        if character == "$" and "m" not in self._flags:
            return r"\Z"
        return character if character in _META else _literal(character)

    def _take(self) -> str:
        character = self._text[self._at : self._at + 1]
        if not character:
            raise BadPattern("it ends too early")
        self._at += 1
        return character

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _group(self) -> str:
        if self._next() == "?":
            if self._text[self._at : self._at + 2] != "?:":
                raise BadPattern("(? may only begin a group (?:...)")
            self._at += 2
            self._open.append(0)
            return "(?:"
        self._groups += 1
        self._open.append(self._groups)
        return "("

    def _repeat(self, sign: str) -> str:
        if self._next() == "?":
            self._at += 1
            return f"{sign}?"
        if self._next() and self._next() in "*+{":
            raise BadPattern("two quantifiers in a row")
        return sign

    def _quantity(self) -> str:
        end = self._text.find("}", self._at)
        least, comma, most = self._text[self._at : end].partition(",")
        if end < 0 or not least.isdigit() or (most and not most.isdigit()) or len(least) > 4 or len(most) > 4:
            raise BadPattern("a quantity is {n}, {n,} or {n,m}")
        self._at = end + 1
        return self._repeat(f"{{{least}{comma}{most}}}")

    def _escape(self) -> str:
        character = self._take()
        if character.isdigit() and character.isascii():
            return self._back_reference(character)
        if character in "pP":
            return f"[{self._property(character)}]"
        if character in _SIMPLE:
            return _SIMPLE[character]
        if character.lower() in _CLASSES:
            return f"[{'^' if character.isupper() else ''}{_CLASSES[character.lower()]}]"
        raise BadPattern(f"there is no escape \\{character}")

    def _back_reference(self, digit: str) -> str:
        number = int(digit)
        while self._next().isdigit() and int(f"{number}{self._next()}") <= self._groups:
            number = int(f"{number}{self._take()}")
        if number not in self._closed:
            raise BadPattern(f"\\{number} refers to no group that is closed before it")
        return rf"(?:\{number})"

    def _property(self, kind: str) -> str:
        end = self._text.find("}", self._at)
        if self._next() != "{" or end < 0:
            raise BadPattern("\\p needs a name in braces")
        name = self._text[self._at + 1 : end]
        self._at = end + 1
        if not name or not all((part.isalnum() and part.isascii()) or part == "-" for part in name):
            raise BadPattern(f"there is no property {name}")
        if name.startswith("Is"):
            return rf"\{kind}{{Block={name[2:]}}}"
        if len(name) > 2:
            raise BadPattern(f"there is no property {name}")
        return rf"\{kind}{{{name}}}"

    def _class(self) -> str:
        """`[...]`, with another taken away after `-[`."""
        negated = self._next() == "^"
        if negated:
            self._at += 1
        parts: list[str] = []
        while True:
            character = self._take()
            if character == "]":
                if not parts:
                    raise BadPattern("a [] has nothing in it")
                return f"[{'^' if negated else ''}{''.join(parts)}]"
            if character == "-" and self._next() == "[":
                self._at += 1
                taken = self._class()
                if self._take() != "]":
                    raise BadPattern("something follows what is taken away")
                kept = f"[{'^' if negated else ''}{''.join(parts)}]"
                return f"[{kept}--{taken}]"
            parts.append(self._member(character))

    def _member(self, character: str) -> str:
        if character == "[":
            raise BadPattern("a [ inside [...]")
        if character != "\\":
            between = character == "-" and self._next() not in ("", "]") and self._is_span()
            return character if between else _literal(character)
        escaped = self._take()
        if escaped in "pP":
            return self._property(escaped)
        if escaped in _SIMPLE:
            return _SIMPLE[escaped]
        if escaped in _CLASSES:
            return _CLASSES[escaped]
        if escaped.lower() in _CLASSES:
            return f"[^{_CLASSES[escaped.lower()]}]"
        raise BadPattern(f"there is no escape \\{escaped} inside [...]")

    def _is_span(self) -> bool:
        """Whether a `-` stands between two characters."""
        return self._text[self._at - 2 : self._at - 1] not in ("[", "^")


def _literal(character: str) -> str:
    return character if character.isalnum() or character == "_" or not character.isascii() else f"\\{character}"
