"""Logs of agents that tried again: what they did, in which state, and whether it failed.

Read are HotpotQA logs of ReAct agents (text files `*trials*.txt` below a folder `ReAct`) and trajectories of tool calls
(JSON lists of {"task_id", "trial", "traj": messages with `tool_calls` and results}), wherever they lie in the folder.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from governance.cda.dead_ends.signature import state_of


@dataclass(frozen=True, slots=True)
class Step:
    """One action: `state` is what it reads beside its arguments, `reason` what came back where it `failed`."""

    tool: str
    arguments: Mapping[str, Any]
    state: str
    failed: bool
    reason: str

    @property
    def text(self) -> str:
        return json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)


Case = Sequence[Sequence[Step]]
"""The runs at one task, in the order they were made."""

_DEAD: Final = ("Could not find", "The last page Searched")
_DEAD_WITHIN: Final = ("INCORRECT", "Invalid Action", "No more results", "was not found")
_STEP: Final = re.compile(
    r"\nAction \d+:\s*(.+?)\nObservation \d+:\s*(.*?)(?=\nThought \d+:|\nAction \d+:|\Z)", re.DOTALL
)
_WRITES: Final = ("book", "cancel", "update", "send", "transfer", "create", "delete", "modify", "exchange", "return")


def read(folder: Path) -> Iterator[tuple[str, list[Case]]]:
    """(name of the set, its cases) of every log in a folder."""
    for file in sorted(folder.rglob("*trials*.txt")):
        if file.parent.parent.name == "ReAct":
            trials = re.search(r"(\d+)_trials", file.name)
            yield f"hotpotqa_{file.parent.name}_{trials.group(1) if trials else file.stem}", _react(file)
    for file in sorted(folder.rglob("*.json")):
        found = _trajectories(file)
        if found:
            yield re.sub(r"\W+", "_", file.stem), found


def _react(file: Path) -> list[Case]:
    """A question is done once it was answered right; later trials of it are no retries."""
    parts = re.split(r"#+\s*\nBEGIN TRIAL (\d+)", file.read_text(encoding="utf-8", errors="replace"))
    runs: dict[str, list[list[Step]]] = defaultdict(list)
    done: set[str] = set()
    for body in parts[2::2]:
        for text in re.split(r"\nQuestion:", body)[1:]:
            question = text.strip().split("\n")[0].split("You have attempted")[0].strip()
            if question not in done:
                runs[question].append(list(_react_steps(text)))
            if "Answer is CORRECT" in text:
                done.add(question)
    return list(runs.values())


def _react_steps(text: str) -> Iterator[Step]:
    """A lookup goes on from the last one on the page that was found last: that is its state."""
    page, lookups = "", 0
    for action, observation in _STEP.findall(text):
        found = re.match(r"(\w+)\[(.*)\]?$", action.strip(), re.DOTALL)
        tool, argument = (found.group(1).lower(), found.group(2).rstrip("]")) if found else ("", action.strip())
        observation = observation.strip()
        failed = observation.startswith(_DEAD) or any(mark in observation[:80] for mark in _DEAD_WITHIN)
        state = state_of(reads={"page": page, "at": str(lookups)}, writes=0) if tool == "lookup" else ""
        yield Step(tool, {"q": argument}, state, failed, observation[:200])
        if tool == "search" and not failed:
            page, lookups = argument.casefold(), 0
        elif tool == "lookup":
            lookups += 1


def _trajectories(file: Path) -> list[Case]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return []
    if not isinstance(found, list) or not found or not isinstance(found[0], dict) or "traj" not in found[0]:
        return []
    runs: dict[Any, list[list[Step]]] = defaultdict(list)
    for each in sorted(found, key=lambda run: (run["task_id"], run["trial"])):
        runs[each["task_id"]].append(list(_tool_steps(each["traj"])))
    return list(runs.values())


def _tool_steps(messages: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    """The state of a call is how many calls with a write effect worked before it."""
    called: dict[str, Mapping[str, Any]] = {}
    writes = 0
    for message in messages:
        for call in message.get("tool_calls") or ():
            called[call["id"]] = call["function"]
        function = called.get(message.get("tool_call_id", ""))
        if message["role"] != "tool" or function is None:
            continue
        told = str(message.get("content"))
        failed = told.startswith("Error")
        state = state_of(reads={}, writes=writes)
        yield Step(function["name"], _json(function["arguments"]), state, failed, told[:200])
        writes += function["name"].startswith(_WRITES) and not failed


def _json(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {"": text}
    return found if isinstance(found, dict) else {"": found}
