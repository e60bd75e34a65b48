"""What other instances learned may hold what a stranger wrote to them: nobody acts on it unseen."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers
from engine.activities.registry import HandlerRegistry
from engine.activities.tools.box import ToolBox
from engine.embedding import RuleSummaries
from engine.governor import Governor
from engine.prompts.assembler import PromptAssembler
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.cda.experience.model import Skill
from governance.ports import FixedClock
from tests.bpmn.files import policy
from tests.engine.activities.works import Scripted
from tests.engine.models import edges, end, model, start
from tests.engine.tools.agents import DONE, Shop, calls

AGENT = policy('<gov:agent outputs="y" tools="mark look_up"/>')
ONE = model(start(), f'<serviceTask id="a">{AGENT}</serviceTask>', end(), edges("s > a > e"))


@pytest.mark.parametrize(
    ("step", "variables", "call", "asks"),
    [
        ("always mark order 17", {}, ("mark", {"order": 17}), True),
        ("always mark order 17", {"order": 17}, ("mark", {"order": 17}), False),
        ("always mark order 17", {}, ("mark", {"order": 18}), False),
        ("always mark order 17", {}, ("look_up", {"order": 17}), False),
        ("mark the order", {}, ("mark", {"order": 17}), False),
    ],
    ids=["from the skill", "from the instance", "from nowhere", "reads", "the skill does not say"],
)
def test_a_call_with_an_effect_whose_arguments_a_skill_says_is_seen_first(
    tmp_path: Path, step: str, variables: dict[str, Any], call: tuple[str, dict[str, Any]], asks: bool
) -> None:
    shop, scripted = Shop(), Scripted(calls(call), DONE)
    registry = HandlerRegistry(shop.handlers(), offers=dict)
    box = ToolBox(registry)
    agent = AgentHandler(lambda spec: scripted, PromptAssembler(), box)
    handlers = ActivityHandlers(registry, agent, lambda spec: scripted, box=box)
    store, clock = SqlStore(Database(str(tmp_path / "a.db"))), FixedClock(datetime(2026, 3, 1, 9, tzinfo=UTC))
    skill = {"id": "s1", "preconditions": {"evidence": ["activity:a"]}, "execution_pattern": {"steps": [step]}}
    store.experience().put([Skill.model_validate(skill)])
    with Governor(
        store, clock=clock, ids=SequentialIds(), summariser=RuleSummaries(), handlers=lambda settings: handlers
    ) as governor:
        result = governor.start(load(ONE, file="m.bpmn"), variables)
        assert step in scripted.asked[0].messages[1].content
        asked = [(each["kind"], each["level"]) for each in result.interventions if each["status"] == "open"]
        assert asked == ([("tool", "DIFF_PREVIEW")] if asks else [])
        assert bool(shop.done) is not asks
        if asks:
            result = governor.answer(result.waiting[0]["id"], "approve", by="ann")
        assert result.status == "completed"
        assert shop.done == [call]
