"""A filter of system calls (seccomp) for the child of `trusted`: no sockets, no other processes, no other limits, and
no leaving the group of processes that is ended with it.

Imported by `child`, from the folder that both are in, so that nothing of ours is imported beside a script.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from typing import Any, NamedTuple

_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_KILL, _REFUSE, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_NUMBER, _MACHINE, _FIRST, _THIRD = 0, 4, 16, 32
"""Where the number of a call, the machine, and the lower halves of its first and third arguments stand."""
_HALF = 4
_THREAD = 0x00010000
_OTHER_NUMBERS = 0x40000000
"""The x32 numbers of x86_64 begin here."""


class _Machine(NamedTuple):
    """Numbers of system calls; `refused` are those that are so whatever their arguments are."""

    audit: int
    refused: tuple[int, ...]
    clone: int
    prlimit: int


_CLONE3 = 435
_MACHINES = {
    # socket, fork, vfork, setrlimit, shmget, setpgid, setsid, io_uring_setup
    "x86_64": _Machine(0xC000003E, (41, 57, 58, 160, 29, 109, 112, 425), clone=56, prlimit=302),
    # socket, setrlimit, shmget, setpgid, setsid, io_uring_setup
    "aarch64": _Machine(0xC00000B7, (198, 164, 194, 154, 157, 425), clone=220, prlimit=261),
}


def refuse_calls(libc: Any) -> bool:
    """From here on this process opens no socket, starts threads alone, and keeps its limits and its group.

    False: this machine has no such filter, or not one that is known here.
    """
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        return False
    program = _program(machine)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in program))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    no_new_rights, filter_calls, by_program = 38, 22, 2
    return bool(
        libc.prctl(no_new_rights, 1, 0, 0, 0) == 0 and libc.prctl(filter_calls, by_program, filters, 0, 0) == 0
    )


def _program(machine: _Machine) -> list[tuple[int, int, int, int]]:
    """Each step: what it does, how many steps are left out if it is so and if it is not, and its number."""
    refuse = (_RETURN, 0, 0, _REFUSE | errno.EPERM)
    steps = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_NUMBERS),
        refuse,
    ]
    for number in machine.refused:
        steps += [(_EQUAL, 0, 1, number), refuse]
    # Its flags are in memory, where no filter looks; without it the library falls back to `clone`.
    steps += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    allow = (_RETURN, 0, 0, _ALLOW)
    steps += [(_EQUAL, 0, 4, machine.clone), (_LOAD, 0, 0, _FIRST), (_ANY_BIT, 0, 1, _THREAD), allow, refuse]
    # Who only asks for a limit gives no new one.
    steps += [(_EQUAL, 0, 5, machine.prlimit), (_LOAD, 0, 0, _THIRD), (_EQUAL, 0, 2, 0)]
    steps += [(_LOAD, 0, 0, _THIRD + _HALF), (_EQUAL, 1, 0, 0), refuse, allow]
    return steps
