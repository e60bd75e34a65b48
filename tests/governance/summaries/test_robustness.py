"""Hostile and very large values: the time grows with the size, the limit holds, nothing raises."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from governance.summaries.identifiers import identifiers
from governance.summaries.kinds import JSON
from governance.summaries.summary import key_only, summarise

MEGABYTE = 1_000_000


def nested_object(depth: int) -> JSON:
    value: JSON = {}
    for _ in range(depth):
        value = {"a": value, "note": "x " * 20}
    return value


def nested_list(depth: int) -> JSON:
    value: JSON = []
    for _ in range(depth):
        value = [value, "x " * 20]
    return value


HOSTILE: dict[str, JSON] = {
    "one token": "x" * MEGABYTE,
    "one line": "word and " * (MEGABYTE // 9),
    "stops": "." * MEGABYTE,
    "short sentences": ". a" * (MEGABYTE // 3),
    "digits": "1 " * (MEGABYTE // 2),
    "dots": "a." * (MEGABYTE // 2),
    "plus": "a+" * (MEGABYTE // 2),
    "spaces": " " * MEGABYTE,
    "line breaks": "\n" * MEGABYTE,
    "braces": "[{" * (MEGABYTE // 2),
    "deep text": "[" * 100_000 + "]" * 100_000,
    "deep object": nested_object(500),
    "deep list": nested_list(500),
    "rows": [{"id": number, "text": "hello"} for number in range(20_000)],
    "keys": {f"k{number}": number for number in range(20_000)},
    "separated": "a,b,c\n" + "1,2,3\n" * 30_000,
    "one value": {"a": "y " * (MEGABYTE // 2), "id": 7},
    "surrogates": "\ud800 " * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_take_time_in_proportion(name: str) -> None:
    value = HOSTILE[name]
    started = time.process_time()
    assert len(summarise(value, query="hello word x", limit=1000)) <= 1000
    assert len(key_only("k", value)) <= 83
    # Under a second each here; a step that takes quadratic time would take minutes.
    assert time.process_time() - started < 15


@pytest.mark.parametrize("name", [name for name, value in HOSTILE.items() if isinstance(value, str)])
def test_identifiers_of_hostile_text_take_time_in_proportion(name: str) -> None:
    started = time.process_time()
    identifiers(str(HOSTILE[name]))
    assert time.process_time() - started < 15


def test_the_same_in_another_process() -> None:
    program = (
        "from governance.summaries.summary import summarise; from tests.governance.summaries.samples import *; "
        "print(ascii([summarise(v, query='certificate of order HAT110', limit=300) for v in (REPORT, flights(20))]))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
