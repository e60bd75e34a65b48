"""A call in a process of its own, under hard limits: what hangs or dies is told apart from what comes back."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a call ended. `value` is what it gave; `reason` the last lines of what went wrong, or the signal.

    `peak_mb` is what the child took on top of what it began with.
    """

    how: Literal["done", "crashed", "hung"]
    value: Any = None
    reason: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_mb: float = 0.0


def isolated(call: Callable[[], Any], *, seconds: float, memory_mb: int) -> Ended:
    """Call in a forked child. An exception that comes out, and any death of the child, is a crash; no end is a hang."""
    reading, writing = os.pipe()
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _serve(call, writing, seconds, memory_mb)
    os.close(writing)
    data, late = _collect(reading, began + seconds)
    os.close(reading)
    if late:
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    wall, cpu = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return Ended(how="hung", reason=f"not done after {seconds:g} seconds", wall_s=wall, cpu_s=cpu)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return Ended(how="crashed", reason=f"killed by {name}", wall_s=wall, cpu_s=cpu)
    if not data:
        return Ended(how="crashed", reason="ended without a word", wall_s=wall, cpu_s=cpu)
    fine, value, peak = pickle.loads(data)
    how: Literal["done", "crashed"] = "done" if fine else "crashed"
    told = {"value": value} if fine else {"reason": value}
    return Ended(how=how, wall_s=wall, cpu_s=cpu, peak_mb=peak, **told)


def _serve(call: Callable[[], Any], writing: int, seconds: float, memory_mb: int) -> None:
    """The child: never returns. A limit of the kernel's stands behind the parent's, in case the parent is gone."""
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 5, int(seconds) + 10))
        resource.setrlimit(resource.RLIMIT_AS, (_used() + memory_mb * _MEGABYTE, resource.RLIM_INFINITY))
        before = _peak()
        try:
            answer = (True, call(), round(_peak() - before, 1))
        except BaseException:
            answer = (False, "".join(traceback.format_exc(limit=-4)).strip()[-2_000:], 0.0)
        data = pickle.dumps(answer)
        while data:
            data = data[os.write(writing, data) :]
        code = 0
    finally:
        os._exit(code)


def _collect(reading: int, deadline: float) -> tuple[bytes, bool]:
    """What the child wrote until it closed its end; whether the time ran out before."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.perf_counter()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return b"".join(parts), True
        part = os.read(reading, 1 << 16)
        if not part:
            return b"".join(parts), False
        parts.append(part)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _used() -> int:
    """Bytes of address space that the process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
