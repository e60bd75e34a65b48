"""Recorded answers know nothing that their agent was not shown: what an answer quotes survived the compression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.samples.inside import Inside
from tests.samples.test_samples import each_sample

_QUOTED: Final = re.compile(r"[\w.:/%+-]*\d[\w.:/%+-]*\w")
_LEAST: Final = 4
"""Shorter ones, such as `18` or `3`, may be counted."""


def facts(value: Any) -> Iterator[str]:
    """Identifiers, versions, amounts and times in the texts of a value."""
    if isinstance(value, str):
        yield from (found for found in _QUOTED.findall(value) if len(found) >= _LEAST)
    elif isinstance(value, list):
        for item in value:
            yield from facts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from facts(item)


def test_facts_are_what_could_be_made_up() -> None:
    assert list(facts({"a": ["INC-2417 at 09:02:41.118Z, v4.17.2, 3 of 8 pods (17.2 %)"]})) == [
        "INC-2417",
        "09:02:41.118Z",
        "v4.17.2",
        "17.2",
    ]


@each_sample
def test_what_an_answer_quotes_stands_in_its_prompt(sample: Path, tmp_path: Path) -> None:
    inside = Inside(sample, tmp_path / "runs.db")
    assert inside.go_on().status == "completed"
    inside.close()
    unknown = []
    for request, answer in inside.model.calls:
        prompt = "\n".join(message.content for message in request.messages)
        said = [answer.text, dict(answer.outputs or {})]
        unknown += [f"{request.activity}: {fact}" for fact in facts(said) if fact not in prompt]
    assert unknown == []
