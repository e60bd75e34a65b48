"""What runs in the child process: takes the network away, and other processes, limits itself, runs the script, says
what it changed.

Started as a file of its own by `trusted`, so that nothing of ours is imported beside a script. Input: one JSON object
with `script` and `variables`. Output: one JSON object with `set` and `deleted`, or `error` and `line`; and to standard
error, of a script that was ended by a signal: which, the seconds and bytes it had used, whether memory had run out.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import importlib.util
import json
import os
import resource
import sys
import traceback
from typing import Any

_NEW_USER, _NEW_PROCESSES, _NEW_NETWORK, _NEW_MESSAGES = 0x10000000, 0x20000000, 0x40000000, 0x08000000
_OPEN_FILES = 64
_NO_FILTER = {"error": "sockets and other processes cannot be kept from a script on this machine", "line": None}
_HINT = " (a script may start threads but no processes, and open no sockets)"


def main() -> None:
    limits = json.loads(sys.argv[1])
    wanted = json.load(sys.stdin)
    libc = ctypes.CDLL(None, use_errno=True)
    answer, report = os.fdopen(os.dup(1), "w", encoding="utf-8"), os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    _apart(libc, limits["namespaces"])
    _watched(answer, report)
    limited = [resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE]
    most = (limits["cpu"], limits["memory"], limits["files"], _OPEN_FILES)
    for which, limit in zip(limited, most, strict=True):
        resource.setrlimit(which, (limit, limit))
    # The sockets of files lead out of any network; what other processes use is nobody's to count.
    text = _spoken(wanted, limits) if _filtering().refuse_calls(libc) else json.dumps(_NO_FILTER)
    answer.write(text)
    answer.flush()
    os._exit(0)


def _filtering() -> Any:
    """The module beside this one: of a program started apart from everything, Python does not search the folder."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "filtering.py")
    spec = importlib.util.spec_from_file_location("filtering", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _apart(libc: Any, wanted: bool) -> None:
    """Namespaces of its own, if it may have them: a network with nothing in it, nobody outside who could be signalled
    or whose memory could be read, and memory to share that is gone with it.
    """
    user, group = os.getuid(), os.getgid()
    if wanted and libc.unshare(_NEW_USER | _NEW_NETWORK | _NEW_PROCESSES | _NEW_MESSAGES) == 0:
        for name, said in ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"):
            with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(said)
        child = os.fork()  # the first process there, which cannot be signalled from inside
        if child:
            os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)


def _watched(answer: Any, report: int) -> None:
    """Go on in a child; this process tells how that ended, where it did not end by itself, and ends with it."""
    before = _kills_for_memory()
    child = os.fork()
    if child == 0:
        os.close(report)
        return
    answer.close()
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        ended = {
            "signal": -code,
            "cpu": used.ru_utime + used.ru_stime,
            "memory": used.ru_maxrss * 1024,
            "memory_ran_out": _kills_for_memory() > before,
        }
        os.write(report, json.dumps(ended).encode())
    os._exit(code if code >= 0 else 0)


def _kills_for_memory() -> int:
    """How often the machine, or a group of processes on it, had no memory left and something was ended for it."""
    with contextlib.suppress(OSError, ValueError), open("/proc/vmstat") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("oom_kill "))
    return 0


def _spoken(wanted: dict[str, Any], limits: dict[str, Any]) -> str:
    """The answer as JSON."""
    try:
        return json.dumps(_run(wanted["script"], wanted["variables"]))
    except MemoryError:
        pass
    return json.dumps({"error": f"MemoryError: it wants more than {limits['memory'] >> 20:,} MiB", "line": None})


def _run(script: str, variables: dict[str, Any]) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "__script__", **json.loads(json.dumps(variables))}
    try:
        exec(compile(script, "<script>", "exec"), space)
    except MemoryError:
        raise
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<script>"]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else (lines or [None])[-1]
        hint = _HINT if isinstance(error, OSError) and error.errno == errno.EPERM else ""
        return {"error": f"{type(error).__name__}: {error}{hint}", "line": line}
    said = {name: _spelled(value) for name, value in space.items() if not name.startswith("__")}
    lost = sorted(name for name, text in said.items() if text is None and name in variables)
    if lost:
        kind = type(space[lost[0]]).__name__
        return {"error": f"the variable {lost[0]} cannot be kept: a value of type {kind} is no JSON", "line": None}
    before = {name: _spelled(value) for name, value in variables.items()}
    changed = [name for name, text in said.items() if text is not None and text != before.get(name)]
    deleted = [name for name in variables if name not in space]
    return {"set": {name: space[name] for name in changed}, "deleted": deleted}


def _spelled(value: Any) -> str | None:
    """As JSON; None for functions, modules and the like: new ones are the script's own business."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None


if __name__ == "__main__":
    main()
