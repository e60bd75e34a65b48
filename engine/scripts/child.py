"""What runs in the child process: takes the network away, limits itself, runs the script, says what it changed.

Started as a file of its own by `trusted`, so that nothing of ours is imported beside a script. Input: one JSON object
with `script` and `variables`. Output: one JSON object with `set` and `deleted`, or `error` and `line`.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import resource
import struct
import sys
import traceback
from typing import Any

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""By machine, its number for filters of system calls, and that of the call `socket`."""


def main() -> None:
    limits = json.loads(sys.argv[1])
    wanted = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if not _without_network(limits["namespaces"]):
        json.dump({"error": "the network cannot be taken away on this machine", "line": None}, answer)
        answer.flush()
        os._exit(0)
    resource.setrlimit(resource.RLIMIT_CPU, (limits["cpu"], limits["cpu"]))
    resource.setrlimit(resource.RLIMIT_AS, (limits["memory"], limits["memory"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits["files"], limits["files"]))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    json.dump(_run(wanted["script"], wanted["variables"]), answer)
    answer.flush()
    os._exit(0)


def _without_network(namespaces: bool) -> bool:
    """A network of its own with nothing in it, where a process may have that, and no sockets at all: those of files
    lead out of any network. One of the two has to be had.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    alone = namespaces and (libc.unshare(_NEW_NETWORK) == 0 or libc.unshare(_NEW_USER | _NEW_NETWORK) == 0)
    return _without_sockets(libc) or alone


def _without_sockets(libc: Any) -> bool:
    """A filter of system calls (seccomp): `socket` and `io_uring_setup` are refused, and calls of another machine."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    architecture, socket = machine
    program = (
        (0x20, 0, 0, 4),  # load the architecture
        (0x15, 1, 0, architecture),
        (0x06, 0, 0, 0x80000000),  # another one: end the process
        (0x20, 0, 0, 0),  # load the number of the call
        (0x35, 2, 0, 0x40000000),  # the x32 numbers of x86_64
        (0x15, 1, 0, socket),
        (0x15, 0, 1, 425),  # io_uring_setup
        (0x06, 0, 0, 0x00050000 | errno.EPERM),
        (0x06, 0, 0, 0x7FFF0000),  # allow
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in program))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    no_new_rights, filter_calls, by_program = 38, 22, 2
    return bool(
        libc.prctl(no_new_rights, 1, 0, 0, 0) == 0 and libc.prctl(filter_calls, by_program, filters, 0, 0) == 0
    )


def _run(script: str, variables: dict[str, Any]) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "__script__", **json.loads(json.dumps(variables))}
    try:
        exec(compile(script, "<script>", "exec"), space)
    except MemoryError:
        return {"error": "MemoryError", "line": None}
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<script>"]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else (lines or [None])[-1]
        return {"error": f"{type(error).__name__}: {error}", "line": line}
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
