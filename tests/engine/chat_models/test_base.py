"""Requests have an address, answers survive the journal."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from engine.models.base import Message, ModelAnswer
from tests.engine.chat_models.requests import a_request


def test_the_same_request_has_the_same_hash() -> None:
    assert a_request(outputs_schema={"a": 1, "b": 2}).hash() == a_request(outputs_schema={"b": 2, "a": 1}).hash()


@pytest.mark.parametrize(
    "other",
    [
        {"activity": "fix"},
        {"messages": (Message("user", "Bye"),)},
        {"messages": (Message("system", "Hello"),)},
        {"task": "x"},
        {"branch": "b"},
        {"visit": 2},
        {"attempt": 2},
        {"turn": 2},
        {"outputs_schema": {}},
        {"max_tokens": 5},
    ],
    ids=lambda other: next(iter(other)),
)
def test_every_part_of_a_request_is_in_its_hash(other: dict[str, Any]) -> None:
    assert a_request().hash() != a_request(**other).hash()


def test_an_answer_comes_back_from_json_as_it_was() -> None:
    answer = ModelAnswer(text="t", outputs={"a": [1, None]}, confidence=0.5, tokens_in=3, tokens_out=4, model="m")
    assert ModelAnswer.from_json(orjson.loads(orjson.dumps(answer.to_json()))) == answer
