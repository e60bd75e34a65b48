"""The numbers that the design gives are the defaults (Design: CDA, section 11)."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from governance.cda.dead_ends.settings import DeadEndSettings
from governance.cda.experience.hot import HotSettings
from governance.cda.settings import CdaSettings

DESIGN: list[tuple[BaseModel, dict[str, object]]] = [
    (
        CdaSettings(),
        {
            "zones": "auto", "zones_usage": 0.20, "zones_turns": 50, "yellow": 0.70, "red": 0.85, "keep_from": 0.75,
            "drop_below": 0.25, "margin": 0.10, "drops_before_shown": 3, "path_kept": 3, "intent_half": 4.0,
            "shift": 0.05, "drift_alert": 0.20, "drift_turns": 3, "drift_first": 10,
        },
    ),
    (
        DeadEndSettings(),
        {"refuse_similarity": 0.95, "tell_similarity": 0.82, "refuse_failures": 2, "recent_days": 7.0},
    ),
    (HotSettings(), {"hits": 3, "deviation": 0.15, "days": 7.0}),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "numbers"), DESIGN, ids=lambda each: type(each).__name__)
def test_defaults_are_the_designs(settings: BaseModel, numbers: dict[str, object]) -> None:
    held = settings.model_dump()
    assert {name: held[name] for name in numbers} == numbers
