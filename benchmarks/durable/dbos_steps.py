"""DBOS Transact with a step for each activity: python -m benchmarks.durable.dbos_steps URL INSTANCES THREADS.

Prints one JSON object. Its own program, for DBOS has one global object. Workflows are started directly, which costs it
less than a queue.
"""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from dbos import DBOS, DBOSPortableJSONSerializer

from benchmarks.durable.work import STEPS, step


def main(url: str, instances: int, threads: int) -> None:
    DBOS(
        config={
            "name": "steps", "system_database_url": url, "serializer": DBOSPortableJSONSerializer(),
            "application_version": "1", "log_level": "ERROR",
        }
    )  # fmt: skip
    do = DBOS.step(name="do")(step)

    @DBOS.workflow(name="steps")
    def steps() -> int:
        return len([do(number) for number in range(STEPS)])

    DBOS.launch()
    steps()
    begun, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: steps(), range(instances)))
    print(json.dumps({"wall": time.perf_counter() - begun, "cpu": time.process_time() - cpu}))
    DBOS.destroy()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
