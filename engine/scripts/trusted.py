"""Scripts in full Python, for those who trust the file: each run is a process of its own, without a network."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from bpmn.expressions.places import Where
from bpmn.expressions.program import Changes
from engine.errors import EngineError
from engine.scripts.hearing import TooLate, TooMuch, end, hear

_CHILD: Final = Path(__file__).with_name("child.py")
_MOST: Final = 10_000_000
"""Bytes of an answer that are read."""
_TICK: Final = 0.1
"""Seconds by which the system's counts of computing may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptLimits:
    """Seconds of computing and by the clock, bytes of memory, and bytes of a file that a script may write.

    They hold for all that it does: a filter of system calls refuses other processes, sockets, and higher limits. With
    `namespaces` it gets those of its own where that is possible: then no process outside can be signalled or read.
    """

    cpu_s: int = 10
    wall_s: float = 30.0
    memory: int = 1 << 30
    files: int = 0
    namespaces: bool = True


class ScriptFailed(EngineError):
    """A trusted script that raised, ran over a limit, or died."""

    def __init__(self, where: Where, reason: str, line: int | None = None) -> None:
        self.file, self.element, self.reason = where.file, where.element, reason
        self.line = where.line if line is None or where.line is None else where.line + line - 1
        super().__init__(f"{where.file}:{self.line or '?'}: {where.element}: the script failed: {reason}")


class TrustedScript:
    """One script. It sees the process's variables as globals; what it assigns to them, if it is JSON, they become."""

    def __init__(self, text: str, where: Where, limits: ScriptLimits | None = None) -> None:
        self._text, self._where, self._limits = text, where, limits or ScriptLimits()

    def execute(self, variables: Mapping[str, Any]) -> Changes:
        """Run it. Raises ScriptFailed."""
        answer = self._ask({"script": self._text, "variables": dict(variables)})
        if "error" in answer:
            raise ScriptFailed(self._where, answer["error"], answer.get("line"))
        return Changes(answer["set"], frozenset(answer["deleted"]))

    def _ask(self, wanted: dict[str, Any]) -> dict[str, Any]:
        limits = self._limits
        arguments = json.dumps(
            {
                "cpu": limits.cpu_s,
                "memory": limits.memory,
                "files": limits.files,
                "namespaces": limits.namespaces,
            }
        )
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as given:
            given.write(json.dumps(wanted).encode())
            given.seek(0)
            child = subprocess.Popen(
                [sys.executable, "-I", str(_CHILD), arguments],
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
                start_new_session=True,
            )
            try:
                out = hear(child, limits.wall_s, _MOST)
            except TooLate:
                raise ScriptFailed(self._where, f"not done after {limits.wall_s:g} seconds") from None
            except TooMuch:
                raise ScriptFailed(self._where, f"what it says has more than {_MOST:,} bytes") from None
            finally:
                told = end(child)
        return self._read(out, child.returncode, told)

    def _read(self, out: bytes, code: int, told: bytes) -> dict[str, Any]:
        if told or code < 0:
            raise ScriptFailed(self._where, _why(told, code, self._limits))
        try:
            answer = json.loads(out)
        except (ValueError, RecursionError):
            raise ScriptFailed(self._where, f"it ended without an answer (code {code})") from None
        if not _is_answer(answer):
            raise ScriptFailed(self._where, "what it says is no answer")
        return cast(dict[str, Any], answer)


def _why(told: bytes, code: int, limits: ScriptLimits) -> str:
    """Why it ended by a signal, by what was `told` of that: what it had used, and whether memory had run out."""
    try:
        facts = json.loads(told) if told else {}
        by, cpu, memory = signal.Signals(facts.get("signal", -code)), float(facts.get("cpu", 0)), facts.get("memory", 0)
        used = f", with {cpu:.1f} seconds of computing and {int(memory) >> 20:,} MiB of memory" if facts else ""
    except (ValueError, TypeError, AttributeError):
        return "it ended without an answer"
    if by is signal.SIGXCPU or (by is signal.SIGKILL and cpu + _TICK >= limits.cpu_s):
        return f"more than {limits.cpu_s} seconds of computing"
    if by is signal.SIGKILL and facts.get("memory_ran_out"):
        return f"the machine had no memory left for it{used}; it may take {limits.memory >> 20:,} MiB"
    if by is signal.SIGKILL:
        return f"it was ended from outside ({by.name}){used}"
    return f"it ended without an answer ({by.name}){used}"


def _is_answer(answer: Any) -> bool:
    """A script may write what it likes to where the answer goes."""
    if not isinstance(answer, dict):
        return False
    if "error" in answer:
        return isinstance(answer["error"], str) and isinstance(answer.get("line"), int | None)
    changed, deleted = answer.get("set"), answer.get("deleted")
    return isinstance(changed, dict) and isinstance(deleted, list) and all(isinstance(each, str) for each in deleted)
