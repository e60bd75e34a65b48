"""What is counted in a kept context: evidence, values, words of the answer; and what follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from benchmarks.choosing.ours import Memory
from benchmarks.choosing.selecting import Kept, Selector
from benchmarks.figures import Figure
from benchmarks.trace_sets.case import Case, History, Piece, TraceSet
from governance.similarity.terms import terms

BUDGETS: Final = (5, 10, 25)
"""Percent of a history's tokens."""


@dataclass(slots=True)
class Measured:
    """Per budget: for each case the share that survived, and of the answer's words."""

    shares: dict[int, list[float]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})
    answers: dict[int, list[float]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})


def measured(found: TraceSet, way: Selector) -> Measured:
    """One way on all cases of a set, at every budget."""
    result = Measured()
    sizes: dict[tuple[str, int | None], int] = {}
    for case in found.cases:
        at = (case.history.id, case.upto)
        if at not in sizes:
            sizes[at] = History(id="", pieces=tuple(case.pieces)).tokens
        for budget in BUDGETS:
            kept = way.keep(case, sizes[at] * budget // 100)
            if kept is not None:
                result.shares[budget].append(_share(case, kept))
                if case.answer:
                    result.answers[budget].append(_answer(case, kept))
    return result


def mean(found: Measured, budget: int) -> float | None:
    return _mean(found.shares[budget])


def survival(found: TraceSet, ours: Measured, beside: Mapping[str, Measured]) -> Iterator[Figure]:
    """Words of the right answer that stand in what is kept."""
    for budget in BUDGETS:
        yield Figure(
            name=f"traces.{found.name}.answer_survival@{budget}",
            value=_mean(ours.answers[budget]),
            unit="share",
            better="higher",
            baselines={
                name: value for name, each in beside.items() if (value := _mean(each.answers[budget])) is not None
            },
            conditions=f"stems of the answer in the kept text; {found.conditions}",
        )


def density(found: TraceSet, ours: Measured, beside: Mapping[str, Measured], budget: int = 5) -> Iterator[Figure]:
    """Effective Context Density at an equal budget: what survives per token, against others' per token."""
    answers = any(ours.answers[budget])
    own = _mean(ours.answers[budget] if answers else ours.shares[budget])
    what = "words of the answer" if answers else found.measure.replace("_", " ")
    for name, goal, ways in (
        ("density.vs_truncation", 2.5, ("keep_last", "trim_messages")),
        ("density.vs_summaries", 1.3, ("llm_summaries", "extractive_summary")),
    ):
        others = {
            way: value
            for way in ways
            if way in beside
            and (value := _mean((beside[way].answers if answers else beside[way].shares)[budget])) is not None
        }
        best = max(others.values(), default=0.0)
        if own is not None and others:
            yield Figure(
                name=name if found.name == "conversation_qa" else f"{name}.{found.name}",
                value=own / best if best else None,
                unit="times",
                better="higher",
                goal=goal if found.name == "conversation_qa" else None,
                baselines={f"{way} (survival)": value for way, value in others.items()},
                conditions=f"{what} that survive at {budget} % against the best of these; {found.conditions}",
            )


def relations(rows: int = 400, seed: int = 3) -> Figure:
    """Rows of a tool's table: are the values of one row shown together, and told apart from other rows'?"""
    random = Random(seed)
    table = [
        {
            "order_id": f"A-{number:04}",
            "customer": f"C{random.randrange(100, 999)}",
            "status": random.choice(("open", "shipped", "held")),
            "amount": round(random.uniform(5, 900), 2),
            "warehouse": f"W{random.randrange(10, 40)}",
        }
        for number in range(rows)
    ]
    text = _json(table)
    piece = Piece(id="0", text=text, role="tool", message={"role": "tool", "content": text, "name": "list_orders"})
    asked = Piece(id="1", text="Which of them shall be changed?", role="user")
    history = History(id="orders", pieces=(piece, asked))
    way = Memory()
    together = total = 0
    for row in random.sample(table, 40):
        query = f"change the order of {row['customer']}"
        case = Case(history=history, query=query, tool="update_order order_id amount")
        kept = way.keep(case, history.tokens // 10)
        for part in (part for line in kept.text.splitlines() for part in line.split("; ")):
            shown = [each for each in table if str(each["order_id"]) in part]
            if shown:
                total += 1
                together += all(str(each["amount"]) in part for each in shown)
    return Figure(
        name="traces.tool_tables.rows_together@10",
        value=together / total if total else None,
        unit="share",
        better="higher",
        goal=0.95,
        conditions=f"rows shown of a generated table of {rows}, 40 queries; id and amount of a row stand together",
    )


def _json(table: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(table)


def _share(case: Case, kept: Kept) -> float:
    if case.evidence:
        return len(kept.whole & case.evidence) / len(case.evidence)
    text = kept.text.lower()
    return sum(value in text for value in case.values) / len(case.values)


def _answer(case: Case, kept: Kept) -> float:
    wanted = set(terms(case.answer))
    return len(wanted & set(terms(kept.text))) / len(wanted) if wanted else 1.0


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
