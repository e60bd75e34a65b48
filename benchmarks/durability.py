"""What durability costs, against a bare loop of the same commits, DBOS with a step per activity, and LangGraph.

python -m benchmarks.durability [--json] [--few]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.durable import langgraph_steps, ours, workers
from benchmarks.durable.ours import Spent
from benchmarks.durable.work import STEPS, step
from benchmarks.figures import Figure, show
from benchmarks.options import flags
from engine.store.database import Database
from tests.engine.postgres import Cluster, cluster

FEW: Final = "--few"
_INSTANCES, _FEW_INSTANCES = 60, 20
_SHAPE: Final = f"{STEPS} service tasks in a row, each result durable before the next"
_AROUND: Final = (175, 225)
"""Step 200 of a history, from what 50 steps around it add."""
_WORKERS: Final = (1, 2, 4)
_BARE: Final = "bare loop of the same commits"


def figures(instances: int) -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder, cluster(safe=True) as server:
        path = Path(folder)
        yield from _commits(path, instances)
        on_server, floor = _measured(_url(server), _url(server), instances)
        on_file, file_floor = _measured(str(path / "ours.db"), str(path / "floor.db"), instances)
        graphs = {
            "postgresql": langgraph_steps.run(_url(server), instances),
            "sqlite": langgraph_steps.run(str(path / "graph.db"), instances),
        }
        unstored = ours.run(str(path / "unstored.db"), instances, stored=False)
        for kind, spent, bare in (("postgresql", on_server, floor), ("sqlite", on_file, file_floor)):
            yield from _rates(kind, spent, bare, graphs[kind])
            yield _over_floor(kind, spent, bare, unstored)
        dbos = _dbos(_url(server), instances)
        yield from _beside_dbos(on_server, dbos)
        yield from _bytes(path)
        yield from _with_workers(server, instances, _dbos(_url(server), instances, workers.SLOTS))


def _commits(folder: Path, instances: int) -> Iterator[Figure]:
    for job, what in (("step", "service tasks"), ("agent", "agents")):
        spent = ours.run(str(folder / f"{job}.db"), max(5, instances // 10), job=job)
        yield Figure(
            name=f"durability.commits_per_advance_and_call.{job}",
            value=spent.commits / (spent.advances + spent.calls), unit="commits", better="lower", goal=1.0,
            conditions=f"{STEPS} {what}: {spent.commits / spent.instances:g} commits, "
            f"{spent.advances / spent.instances:g} advances, {spent.calls / spent.instances:g} model calls each",
        )  # fmt: skip


def _measured(where: str, bare: str, instances: int) -> tuple[Spent, Spent]:
    """Our run, and the same commits without us; both without what is recorded for the other."""
    said = ours.run(where + ".said" if "://" not in where else _sibling(where), instances, keep=True).transactions
    spent = ours.run(where, instances)
    return spent, ours.again(said, bare, lambda place: _prepared(place))


def _prepared(where: str) -> None:
    Database(where).close()


def _rates(kind: str, spent: Spent, bare: Spent, graph: Spent) -> Iterator[Figure]:
    at = f"{_SHAPE}, {spent.instances} instances, one program, {_load()}"
    rate = spent.instances / spent.wall
    yield Figure(
        name=f"durability.{kind}.instances_per_s",
        value=rate, unit="instances/s", better="higher", goal=graph.instances / graph.wall,
        baselines={"LangGraph": graph.instances / graph.wall, _BARE: spent.instances / bare.wall},
        conditions=at,
    )  # fmt: skip
    yield Figure(
        name=f"durability.{kind}.cpu_ms_per_activity",
        value=1000 * spent.cpu / (spent.instances * STEPS), unit="CPU ms", better="lower",
        goal=1000 * graph.cpu / (graph.instances * STEPS),
        baselines={"LangGraph": 1000 * graph.cpu / (graph.instances * STEPS),
                   _BARE: 1000 * bare.cpu / (spent.instances * STEPS)},
        conditions=f"of the program alone, {at}",
    )  # fmt: skip
    yield Figure(
        name=f"durability.{kind}.share_of_bare_loop",
        value=bare.wall / spent.wall, unit="of its rate", better="higher", goal=0.6, conditions=at,
    )  # fmt: skip


def _over_floor(kind: str, spent: Spent, bare: Spent, unstored: Spent) -> Figure:
    """What keeping costs beyond what cannot be saved: the run itself, and its statements by the driver alone."""
    each = 1000 / (spent.instances * STEPS)
    return Figure(
        name=f"durability.{kind}.cpu_ratio_to_run_and_bare_loop",
        value=spent.cpu / (unstored.cpu + bare.cpu), unit="times", better="lower",
        baselines={"the run, kept nowhere, CPU ms per activity": each * unstored.cpu,
                   f"{_BARE}, CPU ms per activity": each * bare.cpu},
        conditions=f"of the program alone, {_SHAPE}, {spent.instances} instances, {_load()}",
    )  # fmt: skip


def _dbos(url: str, instances: int, threads: int = 1) -> Spent:
    command = [sys.executable, "-m", "benchmarks.durable.dbos_steps", url, str(instances), str(threads)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    return Spent(instances, told["wall"], told["cpu"])


def _beside_dbos(spent: Spent, dbos: Spent) -> Iterator[Figure]:
    cpu = dbos.cpu / dbos.instances
    yield Figure(
        name="durability.cpu_ratio_to_dbos_step_per_activity",
        value=cpu / (spent.cpu / spent.instances), unit="times less CPU", better="higher", goal=5.0,
        baselines={"DBOS, CPU ms per activity": 1000 * cpu / STEPS},
        conditions=f"on PostgreSQL, one program each, {_SHAPE}, {_load()}",
    )  # fmt: skip


def _bytes(folder: Path) -> Iterator[Figure]:
    few, many = _AROUND
    mine, theirs = [], []
    for steps in _AROUND:
        at = folder / f"{steps}.db"
        ours.run(str(at), 0, steps=steps)
        mine.append(ours.payload(str(at)))
        graph = folder / f"graph{steps}.db"
        langgraph_steps.only(str(graph), steps)
        theirs.append(ours.payload(str(graph), ""))
    value, beside = (mine[1] - mine[0]) / (many - few), (theirs[1] - theirs[0]) / (many - few)
    yield Figure(
        name="durability.bytes_per_step_at_200",
        value=value, unit="bytes", better="lower", goal=beside / 10, baselines={"LangGraph": beside},
        conditions=f"what 50 steps around it add to the columns of a SQLite file, {len(step(1))} characters a step",
    )  # fmt: skip


def _with_workers(server: Cluster, instances: int, dbos: Spent) -> Iterator[Figure]:
    rates = {}
    for count in _WORKERS:
        told = workers.run(_url(server), count, instances)
        rates[count] = told.instances / told.wall
        yield Figure(
            name=f"durability.workers_{count}.instances_per_s",
            value=rates[count], unit="instances/s", better="higher",
            goal=5 * dbos.instances / dbos.wall if count == 1 else None,
            baselines={
                "activities/s": STEPS * rates[count],
                "CPU ms per activity": 1000 * told.cpu / told.instances / STEPS,
                "DBOS, a step per activity": dbos.instances / dbos.wall,
            },
            conditions=f"{_SHAPE}, {instances} instances handed on, PostgreSQL, {os.cpu_count()} cores, {_load()}",
        )  # fmt: skip


def _url(server: Cluster) -> str:
    return server.url(server.new_database())


def _sibling(url: str) -> str:
    """Another database on the same server."""
    import psycopg

    name = f"{url.rpartition('/')[2]}_said"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{url.rpartition('/')[0]}/{name}"


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    given = flags(__doc__, FEW)
    show(list(figures(_FEW_INSTANCES if FEW in given else _INSTANCES)), as_json="--json" in given)
