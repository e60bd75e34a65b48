"""The parts of a prompt that hold data, in their order: what changes least stands first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bpmn.definition import Element
from engine.activities.work import Work
from engine.prompts.order import relevant_at_ends
from engine.prompts.view import LONG, View
from governance.snapshots.canonical import canonical
from governance.vocabulary import Layer


@dataclass(frozen=True, slots=True)
class Block:
    """Lines for one fence, and the template that they stand in with further `values`. Without lines it is left out.

    `spared` are the tokens that the lines have fewer than the entries they stand for.
    """

    template: str
    lines: list[str]
    values: Mapping[str, Any] = field(default_factory=dict)
    spared: int = 0


def blocks(work: Work, view: View, about: str) -> list[Block]:
    """All that `work` is given as data, lasting knowledge first. `about` is what the activity is about."""
    settled, other = _working(work, view)
    inputs = [name for name in (*inputs_of(work.element), *_computed_prompts(work)) if name in other]
    known = relevant_at_ends(view.knowledge(lasting=False), about)
    beside = [name for name in (*settled, *other) if name not in _own(work)]
    records = view.history(without=_failed(work), beside=beside)
    done = relevant_at_ends(records.lines, about)
    late = [*(line for name, line in other.items() if name not in inputs), *(other[name] for name in inputs)]
    return [
        Block("knowledge", view.knowledge(lasting=True), {"lasting": True}),
        Block("working", list(settled.values()), {"lasting": True, "inputs": ""}),
        Block("knowledge", _and(known, view.archived(Layer.KNOWLEDGE)), {"lasting": False}),
        Block("history", _and(done, view.archived(Layer.HISTORY)), spared=records.spared),
        Block("skills", list(work.skills)),
        Block("dead_ends", _dead_ends(work), {"refused": work.refusal is not None}),
        Block("working", _and(late, view.archived(Layer.WORKING)), {"lasting": False, "inputs": ", ".join(inputs)}),
    ]


def inputs_of(element: Element) -> list[str]:
    """Variables that the activity declares as inputs."""
    return list(dict.fromkeys(item.variable or item.name for item in element.data_inputs))


def as_json(value: Any) -> str:
    return canonical(value).decode()


def _working(work: Work, view: View) -> tuple[dict[str, str], dict[str, str]]:
    """Lines by name: of long variables of the context, which keep their place, and of all others."""
    lines, agent, own = view.working(), work.element.agent, _own(work)
    for name in (*own, *(() if agent is None else (agent.turn, agent.results))):
        # An agent's turn and its results are the conversation that follows.
        lines.pop(name or "", None)
    settled = {name: line for name, line in lines.items() if len(line) >= LONG}
    return settled, {**{name: line for name, line in sorted(lines.items()) if name not in settled}, **own}


def _own(work: Work) -> dict[str, str]:
    """Lines by name of what is not in the context, or stands in another form there."""
    return {**_local_lines(work), **_computed_prompts(work)}


def _and(lines: Iterable[str], archived: str | None) -> list[str]:
    return [*lines, *([archived] if archived else [])]


def _failed(work: Work) -> frozenset[str]:
    """Records that a dead end stands for."""
    return frozenset(name for each in work.dead_ends for name in each.entries)


def _dead_ends(work: Work) -> list[str]:
    """What failed, a line each; what the last answer repeated stands first."""
    lines = [each.line for each in work.dead_ends]
    return list(dict.fromkeys([*([work.refusal] if work.refusal else []), *lines]))


def _computed_prompts(work: Work) -> dict[str, str]:
    """Prompts that a file computes from variables (Camunda's agents): they hold data, so they stand among the data."""
    wanted = {mapping.target for mapping in work.element.input_mappings if mapping.target.startswith("data.")}
    found: dict[str, str] = {}
    for target in sorted(wanted):
        value: Any = work.variables
        for step in target.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None:
            found[target] = f"{target}: {as_json(value)}"
    return found


def _local_lines(work: Work) -> dict[str, str]:
    """Variables that are not in the context: those of one instance of a multi-instance activity."""
    return {name: f"{name}: {as_json(work.variables[name])}" for name in sorted(work.local)}
