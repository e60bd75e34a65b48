"""Regular expressions as XPath has them (F&O 3.1, 5.6), run with a time limit."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Any, Final, TypeVar

import regex

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.library.builtin import refused
from bpmn.expressions.feel.library.pattern_syntax import BadPattern, translated
from bpmn.expressions.feel.semantics.evaluation import Evaluation

LENGTH: Final = 2_000
"""Characters of a pattern."""
SECONDS: Final = 0.5
"""Of one search."""
_FLAGS: Final = {"s": regex.DOTALL, "m": regex.MULTILINE, "i": regex.IGNORECASE, "x": 0, "q": 0}

ResultT = TypeVar("ResultT")


def found(evaluation: Evaluation, text: str, pattern: str, flags: str | None) -> bool:
    """Whether the pattern is somewhere in the text."""
    compiled = _compiled(pattern, flags or "")
    return _timed(evaluation, text, lambda seconds: compiled.search(text, timeout=seconds)) is not None


def replaced(evaluation: Evaluation, text: str, pattern: str, replacement: str, flags: str | None) -> str:
    """Every match replaced; `$1` is the first group, `$0` the whole match, `\\$` a dollar sign."""
    compiled = _compiled(pattern, flags or "")
    parts = [replacement] if "q" in (flags or "") else _replacement(replacement, compiled.groups)
    most = evaluation.run.limits.text
    size = len(text)

    def of_match(match: Any) -> str:
        nonlocal size
        new = "".join(part if isinstance(part, str) else match[part] or "" for part in parts)
        size += len(new)
        if size > most:
            raise LimitReached("text", most)
        return new

    result: str = _timed(evaluation, text, lambda seconds: compiled.sub(of_match, text, timeout=seconds))
    return result


def parts(evaluation: Evaluation, text: str, delimiter: str) -> list[str]:
    """What stands between the matches of a delimiter."""
    compiled = _compiled(delimiter, "")
    pieces: list[str] = []
    last = 0

    def cut(seconds: float) -> list[str]:
        nonlocal last
        for match in compiled.finditer(text, timeout=seconds):
            if match.end() == match.start():
                raise refused("the delimiter matches nothing at all")
            pieces.append(text[last : match.start()])
            last = match.end()
        if len(pieces) >= evaluation.run.limits.items:
            raise LimitReached("items", evaluation.run.limits.items)
        return [*pieces, text[last:]]

    return _timed(evaluation, text, cut)


def matches(evaluation: Evaluation, text: str, pattern: str) -> list[str]:
    """All that matches a pattern, as it stands in the text."""
    compiled, most = _compiled(pattern, ""), evaluation.run.limits.items

    def find(seconds: float) -> list[str]:
        matched = [each.group() for each in islice(compiled.finditer(text, timeout=seconds), most + 1)]
        if len(matched) > most:
            raise LimitReached("items", most)
        return matched

    return _timed(evaluation, text, find)


def _timed(evaluation: Evaluation, text: str, work: Callable[[float], ResultT]) -> ResultT:
    """Searching takes time that steps do not count: the clock is looked at before and after."""
    evaluation.charge(1 + len(text) // 64)
    seconds = min(SECONDS, evaluation.run.seconds_left())
    try:
        found = work(seconds)
    except TimeoutError:
        raise LimitReached("seconds", seconds) from None
    evaluation.run.seconds_left()
    return found


@lru_cache(maxsize=512)
def _compiled(pattern: str, flags: str) -> Any:
    if len(pattern) > LENGTH:
        raise refused(f"the pattern has more than {LENGTH:,} characters")
    unknown = set(flags) - _FLAGS.keys()
    if unknown:
        raise refused(f"there is no flag {sorted(unknown)[0]!r}; allowed: {' '.join(_FLAGS)}")
    options = regex.VERSION1
    for flag in flags:
        options |= _FLAGS[flag]
    try:
        return regex.compile(regex.escape(pattern) if "q" in flags else translated(pattern, flags), options)
    except (BadPattern, regex.error, OverflowError, RecursionError) as error:
        raise refused(f"the pattern is wrong: {error}") from None


def _replacement(text: str, groups: int) -> list[str | int]:
    """Literal parts and numbers of groups."""
    found: list[str | int] = []
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "\\":
            if text[position : position + 1] not in ("\\", "$"):
                raise refused("a backslash in the replacement has no \\ or $ after it")
            found.append(text[position])
            position += 1
        elif character == "$":
            digits = position
            while digits < len(text) and text[digits].isascii() and text[digits].isdigit():
                # As many digits as still name a group; the others are text.
                if digits > position and int(text[position : digits + 1]) > groups:
                    break
                digits += 1
            if digits == position:
                raise refused("a $ in the replacement has no digit after it")
            number = int(text[position:digits])
            found.append(number if number <= groups else "")
            position = digits
        else:
            found.append(character)
    return found
