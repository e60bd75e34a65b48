"""Five chains and what a model may do instead of its work: the rule finishes, says so, and the process ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.events import EventType
from engine.models.base import ModelAnswer, ModelRequest
from engine.status import Status
from tests.engine.chains.runs import ByChain, Said
from tests.engine.chains.test_chains import DONE, FORK, LONG, merging, run_of, tight
from tests.engine.chains.test_feedback import fed_back

Way = Callable[[ModelRequest], Said]


def fails(request: ModelRequest) -> Said:
    return RuntimeError("HTTP 500: boom")


def times_out(request: ModelRequest) -> Said:
    return TimeoutError("no answer within 60 s")


def is_off_schema(request: ModelRequest) -> Said:
    return {"something": "else"}


def loops(request: ModelRequest) -> Said:
    """Never comes to an answer, and would go on calling tools for ever."""
    return ModelAnswer(text="Let me think once more.")


@dataclass(frozen=True)
class Came:
    """What became of a run: `asked` counts the calls for the chain, `chains` are its events."""

    status: str
    asked: int
    chains: list[Mapping[str, Any]]


def d1(way: Way) -> Came:
    return came(tight(), {"x": LONG}, "D1_model", way)


def d2(way: Way) -> Came:
    return came(FORK, {"x": 1}, "D2_model", way)


def d3(way: Way) -> Came:
    return came(merging(), {}, "D3_conflict", way)


def came(source: bytes, variables: dict[str, Any], chain: str, way: Way) -> Came:
    said: dict[str, Any] = {chain: way, "agent": lambda request: DONE}
    asked = ByChain(**said)
    run = run_of(source, variables, asked)
    if run.status is Status.WAITING and chain == "D3_conflict":
        (id,) = run.instance.held
        run.answer(id, "resolve", values={"x": {"value": "a person's"}, "z": {"value": 3}})
    told = [dict(event.data) for event in run.events(EventType.CHAIN)]
    return Came(run.status.value, len(asked.chains()), told)


WAYS: list[Way] = [fails, times_out, is_off_schema, loops]
SAYS: dict[Way, str] = {fails: "HTTP 500: boom", times_out: "no answer within 60 s", is_off_schema: "is", loops: "JSON"}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("chain", [d1, d2, d3])
def test_a_chain_with_such_a_model_is_finished_by_its_rule(chain: Callable[[Way], Came], way: Way) -> None:
    found = chain(way)
    assert found.status == "completed"
    branches = 2 if chain is d2 else 1
    assert 1 <= found.asked <= 2 * branches, "asked once, and once more with what was wrong"
    assert len(found.chains) == branches
    for told in found.chains:
        assert "rule" in told["path"]
        assert told["path"][-1] == "done"
        assert SAYS[way] in told["fallback"]


@pytest.mark.parametrize("way", WAYS)
def test_feedback_of_knowledge_goes_by_its_rule_with_such_a_model(tmp_path: Path, way: Way) -> None:
    found, asked = fed_back(tmp_path, way)
    assert found["path"] == ["inspect", "model", "rule", "apply", "done"]
    assert SAYS[way] in found["fallback"]
    assert len(asked) <= 2


def test_the_chain_of_forced_compression_never_asks_a_model() -> None:
    asked = ByChain(D1_model=lambda request: pytest.fail("asked"), agent=lambda request: DONE)
    forced = tight().replace(f"{len(LONG) + 60}".encode(), f"{len(LONG) // 2}".encode())
    run = run_of(forced, {"x": LONG}, asked)
    assert (run.status, asked.chains()) == (Status.COMPLETED, [])
    (event,) = [dict(each.data) for each in run.events(EventType.D1) if each.data["changes"]]
    assert event["band"] == "forced"
