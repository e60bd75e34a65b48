"""The same five steps as a graph of LangGraph, with each of its checkpointers, each step durable before the next."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

from benchmarks.durable.ours import Spent
from benchmarks.durable.work import STEPS, step


class State(TypedDict):
    """A history that grows by one text with each step."""

    said: Annotated[list[str], operator.add]


def run(where: str, instances: int, steps: int = STEPS) -> Spent:
    """So many threads of the graph, one after the other."""
    with _saver(where) as saver:
        graph = _graph(steps).compile(checkpointer=saver)
        _once(graph, "warm", steps)
        begun, cpu = time.perf_counter(), time.process_time()
        for number in range(instances):
            _once(graph, str(number), steps)
        return Spent(instances, time.perf_counter() - begun, time.process_time() - cpu)


def only(where: str, steps: int) -> None:
    """One thread, and nothing else in the database."""
    with _saver(where) as saver:
        _once(_graph(steps).compile(checkpointer=saver), "one", steps)


def _once(graph: Any, thread: str, steps: int) -> None:
    config = {"configurable": {"thread_id": thread}, "recursion_limit": steps + 10}
    graph.invoke({"said": []}, config, durability="sync")


def _graph(steps: int) -> Any:
    graph: Any = StateGraph(State)
    names = [f"t{number}" for number in range(steps)]
    for number, name in enumerate(names):
        graph.add_node(name, lambda state, number=number: {"said": [step(number)]})
    for a, b in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(a, b)
    return graph


@contextmanager
def _saver(where: str) -> Iterator[Any]:
    if "://" in where:
        from langgraph.checkpoint.postgres import PostgresSaver

        with PostgresSaver.from_conn_string(where) as saver:
            saver.setup()
            yield saver
    else:
        from langgraph.checkpoint.sqlite import SqliteSaver

        with SqliteSaver.from_conn_string(where) as plain:
            plain.setup()
            plain.conn.execute("PRAGMA synchronous=NORMAL")
            yield plain
