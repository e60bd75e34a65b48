"""Knowledge that did not help gives way, before a further call, to what a model says to look for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.embedding import RuleSummaries
from engine.events import EventType
from engine.governor import Governor
from engine.models.base import ChatModel, ModelAnswer, ModelRequest
from engine.store.database import Database
from engine.store.ids import RandomIds
from engine.store.store import SqlStore
from governance.ports import FixedClock
from tests.bpmn.files import policy
from tests.engine.chains.runs import ByChain, Said
from tests.engine.knowledge.test_runs import Done
from tests.engine.models import edges, end, model, start

WANTS = '<gov:policy><gov:knowledgeRequirement type="sop" query="refunds" count="1"/></gov:policy>'
VAIN = "Refunds refunds refunds: see the intranet."
BETTER = "Escalation: a claim above 500 EUR goes to the team lead."


class Thinks(Done):
    """An agent's scripted model, and another one for chains."""

    def __init__(self, chains: ByChain, *answers: ModelAnswer) -> None:
        super().__init__(*answers)
        self._chains = chains

    def chain_model(self) -> ChatModel | None:
        return self._chains


def fed_back(
    folder: Path, way: Callable[[ModelRequest], Said]
) -> tuple[Mapping[str, Any], list[ModelRequest]]:
    """The event of the chain in a run that completes, and what its model was asked."""
    event, chains, _ = ran(folder, way)
    return event, chains.asked


def ran(
    folder: Path, said: list[Said] | Callable[[ModelRequest], Said]
) -> tuple[Mapping[str, Any], ByChain, Thinks]:
    chains = ByChain(knowledge_feedback=said)
    fine = ModelAnswer(outputs={"verdict": "fine"}, confidence=0.9)
    done = Thinks(chains, ModelAnswer(text='{"outputs": {"other": 1}}'), fine)
    store = SqlStore(Database(str(folder / "runs.db")))
    clock = FixedClock(datetime(2026, 3, 1, 9, tzinfo=UTC))
    with Governor(
        store, clock=clock, ids=RandomIds(), summariser=RuleSummaries(), handlers=lambda _: done
    ) as governor:
        for text in (VAIN, BETTER):
            governor.knowledge.add(text, "sop", by="maria")
        agent = policy(f'<gov:agent outputs="verdict:string"/>{WANTS}')
        task = f'<serviceTask id="a" name="Decide on refunds">{agent}</serviceTask>'
        result = governor.start(load(model(start(), task, end(), edges("s > a > e")), file="m.bpmn"), {})
        events = [dict(event.data) for event in store.events(result.instance, types=[EventType.CHAIN])]
    assert result.status == "completed"
    (event,) = [each for each in events if each["chain"] == "knowledge_feedback"]
    return event, chains, done


@pytest.mark.parametrize(
    ("said", "path", "found"),
    [
        ({"query": "escalation team lead"}, ["inspect", "model", "apply", "done"], BETTER),
        (RuntimeError("down"), ["inspect", "model", "rule", "apply", "done"], None),
    ],
    ids=["model", "rule"],
)
def test_a_model_says_what_to_look_for_instead(
    tmp_path: Path, said: Mapping[str, Any] | Exception, path: list[str], found: str | None
) -> None:
    event, chains, done = ran(tmp_path, [said])
    assert event["path"] == path
    offered = chains.asked[0].messages[1].content
    assert VAIN in offered
    second = done.model.asked[1].messages[1].content
    if found is not None:
        assert found in second
        assert VAIN not in second
