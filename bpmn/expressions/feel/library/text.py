"""Functions on strings (DMN 1.5, 10.3.4.3). Positions and lengths count characters, from 1."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.library import patterns
from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.numbers import truncated

TEXT: Final = Library()


@TEXT.define("substring(string: string, start position: number, length?: number)")
def _substring(_: Evaluation, text: str, start: Decimal, length: Decimal | None) -> str:
    first = truncated(start)
    if first == 0 or abs(first) > len(text):
        raise refused(f"start position is {first}; positions count from 1, or from -1 at the end")
    first = first - 1 if first > 0 else len(text) + first
    if length is None:
        return text[first:]
    count = truncated(length)
    if count < 1:
        raise refused("length is below 1")
    return text[first : first + count]


@TEXT.define("string length(string: string)")
def _length(_: Evaluation, text: str) -> Decimal:
    return Decimal(len(text))


@TEXT.define("upper case(string: string)")
def _upper(evaluation: Evaluation, text: str) -> str:
    return bounded(evaluation, text.upper())


@TEXT.define("lower case(string: string)")
def _lower(evaluation: Evaluation, text: str) -> str:
    return bounded(evaluation, text.lower())


@TEXT.define("substring before(string: string, match: string)")
def _before(_: Evaluation, text: str, match: str) -> str:
    before, found, _after = text.partition(match) if match else ("", "", "")
    return before if found else ""


@TEXT.define("substring after(string: string, match: string)")
def _after(_: Evaluation, text: str, match: str) -> str:
    return text.partition(match)[2] if match else text


@TEXT.define("contains(string: string, match: string)")
def _contains(_: Evaluation, text: str, match: str) -> bool:
    return match in text


@TEXT.define("starts with(string: string, match: string)")
def _starts(_: Evaluation, text: str, match: str) -> bool:
    return text.startswith(match)


@TEXT.define("ends with(string: string, match: string)")
def _ends(_: Evaluation, text: str, match: str) -> bool:
    return text.endswith(match)


@TEXT.define("matches(input: string, pattern: string, flags?: string)")
def _matches(evaluation: Evaluation, text: str, pattern: str, flags: str | None) -> bool:
    return patterns.found(evaluation, text, pattern, flags)


@TEXT.define("replace(input: string, pattern: string, replacement: string, flags?: string)")
def _replace(evaluation: Evaluation, text: str, pattern: str, replacement: str, flags: str | None) -> str:
    return patterns.replaced(evaluation, text, pattern, replacement, flags)


@TEXT.define("split(string: string, delimiter: string)")
def _split(evaluation: Evaluation, text: str, delimiter: str) -> list[str]:
    return patterns.parts(evaluation, text, delimiter)


@TEXT.define("string join(list: list, delimiter?: string)")
def _join(evaluation: Evaluation, items: list[Any], delimiter: str | None) -> str:
    return text_joined(evaluation, items, delimiter)


def text_joined(evaluation: Evaluation, items: list[Any], delimiter: str | None) -> str:
    """The strings of a list, nulls left out. Raises LimitReached before it is made if it would be too long."""
    texts = [item for item in items if item is not None]
    if any(type(item) is not str for item in texts):
        raise refused("list has an item that is no string")
    size = sum(map(len, texts)) + len(delimiter or "") * len(texts)
    if size > evaluation.run.limits.text:
        raise LimitReached("text", evaluation.run.limits.text)
    evaluation.charge(size // 256 + len(texts) // 16)
    return (delimiter or "").join(texts)


@TEXT.define("string join(list: list, delimiter: string, prefix: string, suffix: string)")
def _join_between(evaluation: Evaluation, items: list[Any], delimiter: str, prefix: str, suffix: str) -> str:
    return bounded(evaluation, f"{prefix}{text_joined(evaluation, items, delimiter)}{suffix}")


def bounded(evaluation: Evaluation, text: str) -> str:
    """The text, its work paid. Raises LimitReached if it is too long."""
    if len(text) > evaluation.run.limits.text:
        raise LimitReached("text", evaluation.run.limits.text)
    evaluation.charge(len(text) // 256)
    return text
