"""Many instances on a PostgreSQL that crashes and starts again all the time: all of them finish, once.

`python -m tests.engine.crash.restarts [--instances 2000] [--every SECONDS]` says what came of it.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.evidence.audit import audit
from engine.governor import Governor
from engine.store.database import Database
from engine.store.ids import RandomIds
from engine.store.store import SqlStore
from governance.ports import SystemClock
from tests.engine.models import edges, end, gateway, model, script, service, start, user
from tests.engine.postgres import Cluster, cluster, programs
from tests.engine.running import FirstWords

PROCESS = model(
    start(), script("a", "x = n + 1"), gateway("g"), service("b", "one"), user("c"), gateway("j"), service("d", "two"),
    end(), edges("s > a > g > b > j > d > e", "g > c > j"),
)  # fmt: skip
_DRIVERS = 4


@dataclass
class Effects:
    """Who does the services: each effect under its key. `at_each` is called before one."""

    at_each: Callable[[int], None] = lambda number: None
    keys: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, settings: Mapping[str, Any]) -> Effects:
        return self

    def handler_for(self, element: Any) -> Callable[[Work], Outcome]:
        return self._do

    def require(self, definition: Any) -> None: ...

    def _do(self, work: Work) -> Outcome:
        with self._lock:
            self.keys[work.key] += 1
            number = sum(self.keys.values())
        self.at_each(number)
        return Outcome(outputs={work.element.id: work.variables["n"]})


@dataclass(frozen=True)
class Outcomes:
    """What the instances came to; `wrong` says what should not be."""

    completed: int
    effects: int
    repeated: int
    wrong: list[str]


def run_all(url: str, instances: int, effects: Effects) -> Outcomes:
    """Start instances and do their tasks, several at a time, as programs that know nothing of restarts would."""
    store = SqlStore(Database(url))
    governor = Governor(
        store, clock=SystemClock(), ids=RandomIds(), summariser=FirstWords(), handlers=effects
    )
    loaded = load(PROCESS, file="process.bpmn")

    def one(number: int) -> str:
        started = governor.start(loaded, {"n": number})
        (item,) = store.work_items(instance=started.instance)
        governor.complete(item.id, {"said": number}, by="ann")
        return started.instance

    with ThreadPoolExecutor(_DRIVERS) as drivers:
        ids = list(drivers.map(one, range(instances)))
    wrong = [found for number, id in enumerate(ids) for found in _wrong(governor, id, number)]
    if len(store.instances(limit=2 * instances)) != instances:
        wrong.append("there are other instances")
    if len(effects.keys) != 2 * instances:
        wrong.append(f"{len(effects.keys)} effects for {2 * instances} services")
    store.close()
    repeated = sum(times - 1 for times in effects.keys.values())
    return Outcomes(len(ids), len(effects.keys), repeated, wrong)


def _wrong(governor: Governor, id: str, number: int) -> list[str]:
    store = governor.store
    result, record = governor.result(id), store.instance(id)
    expected = {"n": number, "x": number + 1, "b": number, "said": number, "d": number}
    if (result.status, dict(result.variables)) != ("completed", expected):
        return [f"{id}: {result.status} {dict(result.variables)}"]
    found = audit(id, store.log.seals(id), store.log.events(id), record.version).finding
    return [] if found is None else [f"{id}: {found}"]


class Crashing:
    """Crashes a server and starts it, when it is told to, on a thread of its own."""

    def __init__(self, made: Cluster) -> None:
        self.times = 0
        self._made, self._wanted, self._over = made, threading.Event(), False
        self._thread = threading.Thread(target=self._crash)

    def now(self) -> None:
        self._wanted.set()

    def __enter__(self) -> Crashing:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over = True
        self._wanted.set()
        self._thread.join()

    def _crash(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._over:
                return
            self._made.stop("immediate")
            self._made.start()
            self.times += 1


def main(instances: int, every: float) -> int:
    if programs() is None:
        sys.exit("no PostgreSQL is here")
    with cluster() as made, Crashing(made) as crashing:
        url, over, began = made.url(made.new_database()), threading.Event(), time.monotonic()

        def again_and_again() -> None:
            while not over.wait(every):
                crashing.now()

        ticking = threading.Thread(target=again_and_again)
        Database(url).close()
        ticking.start()
        try:
            came_to = run_all(url, instances, Effects())
        finally:
            over.set()
            ticking.join()
        seconds = time.monotonic() - began
    print(f"{came_to.completed} instances in {seconds:.0f} s, the server crashed {crashing.times} times")
    print(f"{came_to.effects} effects, {came_to.repeated} repeated under their keys")
    for each in came_to.wrong:
        print(each)
    return len(came_to.wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=2_000)
    parser.add_argument("--every", type=float, default=3.0, metavar="SECONDS")
    given = parser.parse_args()
    sys.exit(1 if main(given.instances, given.every) else 0)
