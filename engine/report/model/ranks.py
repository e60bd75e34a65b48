"""From a scope without a drawing to ranks and rows: what comes after what, and what stands beside what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bpmn.definition import Scope

Cell = tuple[int, int]
"""A rank, counted from the left, and a row, counted from the top."""


@dataclass(slots=True)
class Grid:
    """Elements by cell. `lanes` gives each forward flow the cells that it passes between its two ends."""

    cells: dict[str, Cell] = field(default_factory=dict)
    lanes: dict[str, list[Cell]] = field(default_factory=dict)
    back: list[str] = field(default_factory=list)
    """Flows that lead back."""


def arrange(scope: Scope) -> Grid:
    """A grid in which flows lead to the right, but for those that close a loop. Cost: the flows and their lengths."""
    hosts = {id: element.attached_to or id for id, element in scope.elements.items()}
    beside = {flow.id for flow in scope.flows.values() if scope.elements[flow.source].attached_to}
    links = [(flow.id, hosts[flow.source], hosts[flow.target]) for flow in scope.flows.values()]
    ids = [id for id in scope.elements if hosts[id] == id]
    back = _closing(ids, links)
    forward = [link for link in links if link[0] not in back]
    ranks = _ranks(ids, forward)
    grid = Grid(back=[flow for flow, source, target in links if flow in back and source != target])
    _place(grid, ids, ranks, forward, beside)
    return grid


def _closing(ids: Sequence[str], links: Iterable[tuple[str, str, str]]) -> set[str]:
    """Flows that lead back to where a walk in depth came from."""
    leaving: dict[str, list[tuple[str, str]]] = {id: [] for id in ids}
    incoming: set[str] = set()
    for flow, source, target in links:
        leaving[source].append((flow, target))
        incoming.add(target)
    closing: set[str] = set()
    state: dict[str, int] = {}
    for root in [*(id for id in ids if id not in incoming), *ids]:
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(leaving[root]))]
        while stack:
            id, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                state[id] = 2
                stack.pop()
            elif state.get(step[1]) == 1:
                closing.add(step[0])
            elif step[1] not in state:
                state[step[1]] = 1
                stack.append((step[1], iter(leaving[step[1]])))
    return closing


def _ranks(ids: Sequence[str], forward: Sequence[tuple[str, str, str]]) -> dict[str, int]:
    """The longest way to each element."""
    waiting = dict.fromkeys(ids, 0)
    leaving: dict[str, list[str]] = {id: [] for id in ids}
    for _, source, target in forward:
        waiting[target] += 1
        leaving[source].append(target)
    ranks = dict.fromkeys(ids, 0)
    ready = [id for id in ids if not waiting[id]]
    for id in ready:
        for target in leaving[id]:
            ranks[target] = max(ranks[target], ranks[id] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return ranks


def _place(
    grid: Grid,
    ids: Sequence[str],
    ranks: Mapping[str, int],
    forward: Sequence[tuple[str, str, str]],
    beside: Collection[str],
) -> None:
    """Rank by rank, each element in the row of the first element before it, or the nearest free one below.

    What is reached from a boundary event stands below, after all that is reached otherwise.
    """
    taken: dict[int, _Rows] = {}
    before: dict[str, list[tuple[str, str]]] = {id: [] for id in ids}
    for flow, source, target in forward:
        before[target].append((flow, source))

    def is_aside(id: str) -> bool:
        return bool(before[id]) and all(flow in beside for flow, _ in before[id])

    for id in sorted(ids, key=lambda each: (ranks[each], is_aside(each))):
        rank = ranks[id]
        rows = [grid.cells[source][1] for _, source in before[id]]
        row = taken.setdefault(rank, _Rows()).take(min(rows, default=0) + is_aside(id))
        grid.cells[id] = (rank, row)
        for flow, source in before[id]:
            _pass(grid, taken, flow, grid.cells[source], rank)


def _pass(grid: Grid, taken: dict[int, _Rows], flow: str, source: Cell, rank: int) -> None:
    """Cells of its own for a flow that skips ranks."""
    cells = []
    for between in range(source[0] + 1, rank):
        row = taken.setdefault(between, _Rows()).take(source[1])
        cells.append((between, row))
    grid.lanes[flow] = cells


class _Rows:
    """The rows of a rank that are taken."""

    def __init__(self) -> None:
        self._next: dict[int, int] = {}
        """Of a row that is taken, one further down that may be free."""

    def take(self, wanted: int) -> int:
        """The wanted row, or the next free one below it. Quick for any number that want the same."""
        row, passed = wanted, []
        while row in self._next:
            passed.append(row)
            row = self._next[row]
        self._next.update(dict.fromkeys([*passed, row], row + 1))
        return row
