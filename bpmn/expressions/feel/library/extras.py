"""Functions beyond the standard that models of Camunda 8 use."""

from __future__ import annotations

from base64 import b64encode
from decimal import Decimal
from typing import Any, Final

from bpmn.expressions.errors import AssertionBroken
from bpmn.expressions.feel.library import patterns
from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.calendar import days_in_month
from bpmn.expressions.feel.values.temporal import Date, DateTime
from bpmn.expressions.feel.values.text import text_of

EXTRAS: Final = Library()


@EXTRAS.define("is defined(value: any)")
def _is_defined(_: Evaluation, value: Any) -> bool:
    return value is not None


@EXTRAS.define("get or else(value: any, default: any)")
def _get_or_else(_: Evaluation, value: Any, default: Any) -> Any:
    return default if value is None else value


@EXTRAS.define("is empty(list: list)")
def _is_empty(_: Evaluation, items: list[Any]) -> bool:
    return not items


@EXTRAS.define("is blank(string: string)")
def _is_blank(_: Evaluation, text: str) -> bool:
    return not text.strip()


@EXTRAS.define("trim(string: string)")
def _trim(_: Evaluation, text: str) -> str:
    return text.strip()


@EXTRAS.define("extract(string: string, pattern: string)")
def _extract(evaluation: Evaluation, text: str, pattern: str) -> list[str]:
    return patterns.matches(evaluation, text, pattern)


@EXTRAS.define("last day of month(date: date | date and time)")
def _last_day(_: Evaluation, value: Date | DateTime) -> Date:
    date = value.date if isinstance(value, DateTime) else value
    return Date(date.year, date.month, days_in_month(date.year, date.month))


@EXTRAS.define("fromAi(value: any, description?: string, type?: string, schema?: context, options?: context)")
def _from_ai(_: Evaluation, value: Any, *_about: Any) -> Any:
    """What an agent filled in; the other arguments are for it to read."""
    return value


@EXTRAS.define("assert(value: any, condition: any, cause?: string)")
def _assert(_: Evaluation, value: Any, condition: Any, cause: str | None) -> Any:
    """The value, if the condition holds. Raises AssertionBroken."""
    if condition is not True:
        raise AssertionBroken(cause or "the condition does not hold")
    return value


@EXTRAS.define("to base64(string: string)")
def _to_base64(_: Evaluation, text: str) -> str:
    return b64encode(text.encode()).decode()


@EXTRAS.define("cycle(interval: duration)")
def _cycle(evaluation: Evaluation, interval: Any) -> str:
    """The text of a timer that repeats without an end."""
    return f"R/{text_of(interval, evaluation.run.limits.text)}"


@EXTRAS.define("cycle(repetitions: number, interval: duration)")
def _cycle_times(evaluation: Evaluation, repetitions: Decimal, interval: Any) -> str:
    if repetitions < 0 or repetitions != repetitions.to_integral_value():
        raise refused("repetitions is no whole number from 0")
    return f"R{int(repetitions)}/{text_of(interval, evaluation.run.limits.text)}"


@EXTRAS.define("partition(list: list, size: number)")
def _partition(evaluation: Evaluation, items: list[Any], size: Decimal) -> list[Any]:
    if size < 1 or size != size.to_integral_value():
        raise refused("size is no whole number from 1")
    count = int(min(size, Decimal(len(items) or 1)))
    evaluation.charge(len(items) // 8)
    return [items[start : start + count] for start in range(0, len(items), count)]


@EXTRAS.define("put(context: context, key: string, value: any)")
def _put(evaluation: Evaluation, context: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """What `context put` was called before the standard had it."""
    evaluation.charge(len(context) // 8)
    return {**context, key: value}


@EXTRAS.define("put all(contexts...: context)")
def _put_all(evaluation: Evaluation, contexts: list[dict[str, Any]]) -> dict[str, Any]:
    """What `context merge` was called before the standard had it."""
    evaluation.charge(sum(map(len, contexts)) // 8)
    return {key: value for context in contexts for key, value in context.items()}
