"""How much of a sample's prompts is read again."""

from __future__ import annotations

import pytest

from benchmarks.prompts import DEMO, SAMPLES, Prompt, figure, first_calls


def test_what_an_earlier_prompt_begins_with_is_reusable() -> None:
    prompts = [Prompt("a", "one two three four\nfive", 0), Prompt("b", "one two three four\nsix", 19)]
    found = figure("x", prompts)
    assert found.value == pytest.approx(4 / 10, abs=0.1)
    assert found.baselines["without the first call"] == pytest.approx(4 / 5, abs=0.1)
    assert found.baselines["known lines"] == pytest.approx(4 / 10, abs=0.1)


def test_prompts_of_the_demo_begin_alike() -> None:
    """Of later calls a good third is known to the provider; it was a sixteenth before long variables had a place."""
    prompts = first_calls(SAMPLES / DEMO)
    assert all(later.text[: later.reusable] in {each.text[: later.reusable] for each in prompts[:n]}
               for n, later in enumerate(prompts) if later.reusable)  # fmt: skip
    assert (figure(DEMO, prompts).value or 0.0) > 0.25
