"""JSON text to values and back, as Camunda 8 has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final, NoReturn

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation
from bpmn.expressions.feel.values.functions import FeelFunction
from bpmn.expressions.feel.values.json_values import DEPTH, to_json_value
from bpmn.expressions.feel.values.numbers import number_of
from bpmn.expressions.feel.values.temporal import DateTime, Time
from bpmn.expressions.feel.values.weight import weigh

JSON_TEXT: Final = Library()


@JSON_TEXT.define("from json(value: string)")
def _from_json(evaluation: Evaluation, text: str) -> Any:
    evaluation.charge(1 + len(text) // 16)
    try:
        value = json.loads(text, parse_int=_number, parse_float=_number, parse_constant=_no_number)
    except RecursionError:
        raise LimitReached("depth", DEPTH) from None
    except ValueError as error:
        raise refused(f"the text is no JSON: {error}") from None
    weigh(value, evaluation.charge)
    return value


@JSON_TEXT.define("to json(value: any)")
def _to_json(evaluation: Evaluation, value: Any) -> str:
    plain = _plain(value, evaluation.charge, DEPTH)
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    if len(text) > evaluation.run.limits.text:
        raise LimitReached("text", evaluation.run.limits.text)
    evaluation.charge(len(text) // 32)
    return text


def _number(text: str) -> Decimal:
    number = number_of(text)
    if number is None:
        raise ValueError("a number is too large")
    return number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _plain(value: Any, charge: Callable[[int], None], depth: int) -> Any:
    """As a process variable would be, but that a date and time keeps the name of its zone."""
    if isinstance(value, FeelFunction):
        raise refused("a function has no JSON")
    if type(value) is DateTime and isinstance(value.time.zone, str):
        return f"{DateTime(value.date, Time(value.time.nanos, value.offset))}[{value.time.zone}]"
    kind = type(value)
    if kind is not list and kind is not dict:
        return to_json_value(value, charge)
    if depth <= 0:
        raise LimitReached("depth", DEPTH)
    charge(1 + len(value) // 4)
    if isinstance(value, list):
        return [_plain(each, charge, depth - 1) for each in value]
    return {key: _plain(each, charge, depth - 1) for key, each in value.items()}
