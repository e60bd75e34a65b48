"""Prompts as a model reads them. A change of a template shows here; look at the text before you renew the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.models.base import Message
from engine.prompts.assembler import PromptAssembler
from tests.engine.activities.works import Run
from tests.engine.prompts import stories

GOLDEN = Path(__file__).parent / "golden"


def assembled(story: Callable[[], Run]) -> tuple[Message, ...]:
    return PromptAssembler().assemble(story().work).messages


@pytest.mark.parametrize("story", [stories.first_activity, stories.in_the_middle])
def test_a_prompt_reads_like_this(story: Callable[[], Run]) -> None:
    text = stories.as_text(assembled(story))
    assert text == (GOLDEN / f"{story.__name__}.txt").read_text(encoding="utf-8")


def test_a_correction_reads_like_this() -> None:
    text = stories.as_text(stories.after_wrong_outputs())
    assert text == (GOLDEN / "after_wrong_outputs.txt").read_text(encoding="utf-8")
