"""The demo with a provider's model over real HTTP: tools, an approval, a denial, a failing model; the page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.embedding import open_governor
from tests.samples.provider_demo import run_demo, shown, told


@pytest.mark.slow
def test_the_demo_runs_with_a_provider_and_the_page_shows_what_it_prints(tmp_path: Path) -> None:
    printed, server = run_demo(tmp_path)
    assert told(shown()) == told(printed), "run: python -m tests.samples.provider_demo, and look at git diff"
    assert server.refusals == [], "nothing that a provider would refuse was sent"
    with open_governor(str(tmp_path / "runs.db")) as governor:
        (instance,) = governor.store.instances()
        events = list(governor.store.events(instance.id))
        result = governor.result(instance.id)
    assert instance.status == "completed"
    tools = [(event.data["tool"], "failed" in event.data) for event in events if event.type == "tool_call"]
    assert tools == [("page-team", False), ("restart-pods", True), ("context_inspect", False)]
    calls = [event.data for event in events if event.type == "model_call"]
    assert [call["tries"] for call in calls if "tries" in call] == [2], "429, then an answer"
    chains = [event.data for event in events if event.type == "chain"]
    assert [each["chain"] for each in chains if "fallback" in each] == ["D1_model"]
    assert "D2_model" in {each["chain"] for each in chains}
    ours, theirs = result.measures["tokens_assembled"], result.measures["tokens_reported"]
    assert 0.5 < theirs / ours < 2.0, "two counts of the same prompts"
