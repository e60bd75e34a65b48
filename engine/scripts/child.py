"""What runs in the child process: takes the network away, limits itself, runs the script, says what it changed.

Started as a file of its own by `trusted`, so that nothing of ours is imported beside a script. Input: one JSON object
with `script` and `variables`. Output: one JSON object with `set` and `deleted`, or `error` and `line`.
"""

from __future__ import annotations

import contextlib
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

_NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
_BY_SIGNAL = 128
"""Added to the number of the signal that ended a process, in the exit code of who waited for it."""
_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""By machine, its number for filters of system calls, and that of the call `socket`."""


def main() -> None:
    limits = json.loads(sys.argv[1])
    wanted = json.load(sys.stdin)
    libc = ctypes.CDLL(None, use_errno=True)
    apart = limits["namespaces"] and _apart(libc)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    # The sockets of files lead out of any network.
    if not (_without_sockets(libc) or apart):
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


def _apart(libc: Any) -> bool:
    """Namespaces of its own, as far as a process may have them: a network with nothing in it, and nobody outside who
    could be signalled or whose memory could be read. What it starts ends with it. False: it may have none.
    """
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_USER | _NEW_NETWORK | _NEW_PROCESSES) == 0:
        for name, said in ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"):
            with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(said)
        _below()  # the first process there, which cannot be signalled from inside, and ends all others by its end
        _below()
        return True
    return bool(libc.unshare(_NEW_NETWORK) == 0 or libc.unshare(_NEW_USER | _NEW_NETWORK) == 0)


def _below() -> None:
    """Go on in a child; this process ends as that does."""
    child = os.fork()
    if child == 0:
        return
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else _BY_SIGNAL - code)


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
