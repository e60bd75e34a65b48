"""The ways through the procurement that its recorded answers do not take, and what its governance kept apart."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.people.answerers import AnswerRefused
from tests.project.tree import ROOT
from tests.samples.inside import STARTER, Inside, Turn, decided, done

SAMPLE = ROOT / "samples" / "procurement"
WARD = done("ward_approves", ward_approved=True)
FINANCE = done("finance_approves", finance_approved=True)
RELEASED = decided("draft_order", "approve")
CEILING = "96400"
PAID_BEFORE = "PO-25-0488"


@pytest.fixture
def order(tmp_path: Path) -> Iterator[Inside]:
    inside = Inside(SAMPLE, tmp_path / "runs.db")
    yield inside
    inside.close()


def test_results_come_in_the_order_of_their_items_and_budgets_add_up(order: Inside) -> None:
    variables = order.result.variables
    assert [line["id"] for line in variables["order_lines"]] == ["L1", "L2", "L3", "L4"]
    assert [rating["id"] for rating in variables["checked_suppliers"]] == ["nordmed", "helix", "calla"]
    assert variables["budget"] == 25800 + 29760 + 23520 + 11340


def test_a_called_process_gives_back_its_output_alone(order: Inside) -> None:
    assert not {"candidate", "goods", "register", "rating", "supplier", "checked"} & order.result.variables.keys()


def test_a_called_process_sees_what_it_is_given_alone(order: Inside) -> None:
    asked = _prompts(order, "rate_supplier")
    assert len(asked) == 3
    assert not [prompt for prompt in asked if CEILING in prompt]


def test_a_sealed_offer_knows_the_tender_alone(order: Inside) -> None:
    for prompt in _offers(order):
        assert "the drug library of the pharmacy" in prompt
        assert CEILING not in prompt
        assert PAID_BEFORE not in prompt
    assert CEILING in _prompts(order, "compare_offers")[0]


def test_without_isolation_the_suppliers_would_know_what_we_may_spend(tmp_path: Path) -> None:
    open_book = tmp_path / "sample"
    shutil.copytree(SAMPLE, open_book)
    file = open_book / "process.bpmn"
    text = file.read_text(encoding="utf-8")
    text = text.replace('split="ISOLATED"', 'split="INHERIT_ALL"')
    # Nothing else hides anything, for it is not what is compressed by chance that keeps a secret.
    text = re.sub(r'workingThreshold="\d+"', 'workingThreshold="500000"', text)
    file.write_text(text, encoding="utf-8")
    inside = Inside(open_book, tmp_path / "runs.db")
    assert all(CEILING in prompt for prompt in _offers(inside))
    inside.close()


@pytest.mark.parametrize(
    ("target", "rounds"), [(95000, 0), (89000, 2), (80000, 3)], ids=["nothing to gain", "reached", "given up"]
)
def test_rounds_go_on_until_the_price_is_reached_three_at_most(tmp_path: Path, target: int, rounds: int) -> None:
    inside = Inside(SAMPLE, tmp_path / "runs.db", [_compared(target)])
    assert inside.result.variables["rounds"] == rounds
    assert len(_prompts(inside, "make_counter_offer")) == rounds
    assert {each["element"] for each in inside.result.waiting} == {"ward_approves", "finance_approves"}
    inside.close()


def test_one_of_two_is_not_enough(order: Inside) -> None:
    result = order.go_on(WARD, done("finance_approves", finance_approved=False))
    assert result.status == "completed"
    assert "placed" not in result.variables


def test_who_asked_for_the_order_does_not_release_it(order: Inside) -> None:
    with pytest.raises(AnswerRefused, match="four eyes"):
        order.go_on(WARD, FINANCE, replace(RELEASED, by=STARTER))
    order.result = order.governor.result(order.result.instance)
    result = order.go_on(RELEASED)
    assert (result.status, result.variables["placed"]["number"]) == ("completed", "PO-5140")


def _prompts(inside: Inside, activity: str) -> list[str]:
    return [
        "\n".join(message.content for message in request.messages)
        for request, _ in inside.model.calls
        if request.activity == activity
    ]


def _offers(inside: Inside) -> list[str]:
    asked = [prompt for supplier in ("nordmed", "helix", "calla") for prompt in _prompts(inside, f"offer_{supplier}")]
    assert len(asked) == 3
    return asked


def _compared(target: int) -> Turn:
    """The recorded comparison of offers with another target."""
    turns: list[dict[str, Any]] = yaml.safe_load((SAMPLE / "model.yaml").read_text(encoding="utf-8"))["turns"]
    turn = next(turn for turn in turns if turn["activity"] == "compare_offers")
    return {**turn, "answer": {**turn["answer"], "outputs": {**turn["answer"]["outputs"], "target_price": target}}}
