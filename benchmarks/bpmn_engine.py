"""bpmn-engine, an interpreter of BPMN for Node, beside ours on the same processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import DEVNULL, CalledProcessError, TimeoutExpired, run
from tempfile import TemporaryDirectory
from typing import Final

VERSION: Final = "25.0.1"
_SCRIPT: Final = Path(__file__).with_name("bpmn_engine.mjs")
_SECONDS: Final = 300


class BpmnEngine:
    """The package where it was found. It has no multi-instance over a plain variable, so that case is left out."""

    cases: Final = frozenset({"sequence", "loop", "fan_out", "and_blocks", "nested_and"})

    def __init__(self, node: str, folder: Path) -> None:
        self._node, self._folder = node, folder

    def seconds(self, source: bytes, times: int) -> float | None:
        """The least CPU seconds of several runs in one process; None, and a line that says why, if it fails."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "process.bpmn"
            file.write_bytes(in_javascript(source))
            command = [self._node, str(_SCRIPT), str(self._folder), *[str(file)] * times]
            try:
                found = run(command, check=True, capture_output=True, text=True, timeout=_SECONDS)
            except (CalledProcessError, TimeoutExpired) as error:
                why = next((line for line in str(error.stderr or error).splitlines() if "Error" in line), str(error))
                print(f"bpmn-engine is left out of a case: {why}", file=sys.stderr)
                return None
        return min(float(json.loads(line)["seconds"]) for line in found.stdout.splitlines())


def find(*, fetch: bool) -> BpmnEngine | None:
    """bpmn-engine from the user's cache; to `fetch` it there first takes npm. None, and a line that says why, without.

    Raises CalledProcessError if npm fails.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or (fetch and npm is None):
        _left_out("there is no Node here")
        return None
    folder = _cache() / f"bpmn-engine-{VERSION}"
    if not (folder / "node_modules" / "bpmn-engine").is_dir():
        if not fetch:
            _left_out(f"it is not in {folder}; --fetch-bpmn-engine installs it there")
            return None
        folder.mkdir(parents=True, exist_ok=True)
        command = [str(npm), "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
        run([*command, f"bpmn-engine@{VERSION}"], check=True, stdout=DEVNULL)
    return BpmnEngine(node, folder)


def in_javascript(source: bytes) -> bytes:
    """A process of `processes.py` with scripts and conditions in the language that bpmn-engine runs."""
    text = source.decode().replace('scriptFormat="python"', 'scriptFormat="javascript"')
    text = re.sub(r"<script>(.*?)</script>", lambda found: f"<script>{_named(found[1])}; next();</script>", text)
    return re.sub(
        r'("tFormalExpression")>(.*?)</conditionExpression>',
        lambda found: f'{found[1]} language="javascript">next(null, {_named(found[2])});</conditionExpression>',
        text,
    ).encode()


def _named(code: str) -> str:
    """Code whose variables of one letter are the process's."""
    return re.sub(r"(?<![&\w])([a-z])\b", r"environment.variables.\1", code)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bpmn-governor-benchmarks"


def _left_out(why: str) -> None:
    print(f"bpmn-engine is left out: {why}", file=sys.stderr)
