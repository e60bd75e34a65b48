"""The demo with a provider's model: the strict server plays what was recorded, and calls tools on the way.

    python -m tests.samples.provider_demo      writes the transcript into the page again

The process is the sample's, with tools for two of its agents: one is asked about, one is denied. One thought of
governance fails, and one call comes too often (429) and is made again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from engine.models.recording import RecordedTurn, read_recording
from tests.docs.session import Session
from tests.engine.chat_models.strict_server.script import Fail, Say, Turn
from tests.engine.chat_models.strict_server.server import KEY, StrictServer, serving
from tests.project.tree import ROOT

PAGE: Final = ROOT / "docs" / "howto" / "demo-with-a-model.md"
SAMPLE: Final = ROOT / "samples" / "incident_response"
COMMAND: Final = (
    "governor run process.bpmn --vars variables.json --answers answers.yaml --handlers handlers.py"
    " --model openai:strict-1"
)
_TOOLS: Final = '''

from engine.activities.tools.declared import tool


@handler("page-team")
@tool(
    effect="irreversible",
    parameters={"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]},
    public=("team",),
)
def page_team(job: Job) -> dict[str, Any]:
    """Pages the people on call of a team."""
    return {"paged": job.arguments["team"]}


@handler("restart-pods")
@tool(effect="irreversible", parameters={"type": "object", "properties": {}})
def restart_pods(job: Job) -> dict[str, Any]:
    """Restarts all pods of the service."""
    raise AssertionError("nobody approved that")
'''
_ANSWERS: Final = """
# What the agents want to do in the world outside.
- element: triage
  kind: tool
  decision: approve
  by: maria.keller
  roles: [on-call]
- element: analyse_application
  kind: tool
  decision: deny
  reason: first the cause, then the restart
  by: maria.keller
  roles: [on-call]
"""
_MEASURED: Final = re.compile(r"\b(?=[a-z]*\d)[0-9a-z]{12}\b|[█░]+|[\d,.:+-]*\d%?| attention.*")
_CALLS: Final[Mapping[str, Say]] = {
    "triage": Say(calls=(("page-team", {"team": "payments"}),)),
    "analyse_application": Say(
        calls=(("restart-pods", {}), ("context_inspect", {"layer": "HISTORY", "summary_only": True}))
    ),
}


class Players:
    """What the server says: recorded answers by activity, tools first where an agent has some."""

    def __init__(self) -> None:
        self._turns: dict[str, list[RecordedTurn]] = {}
        for turn in read_recording(SAMPLE / "model.yaml").turns:
            self._turns.setdefault(turn.activity, []).append(turn)
        self._asked: Counter[str] = Counter()
        self._too_often = True

    def __call__(self, body: Mapping[str, Any]) -> Turn:
        prompt = str(body["messages"][1]["content"])
        if "You help to govern" in str(body["messages"][0]["content"]):
            return self._govern(prompt)
        found = re.search(r"\(id (\w+)\) of the process", prompt)
        assert found is not None
        activity = found[1]
        if activity in _CALLS and not any(message["role"] == "tool" for message in body["messages"]):
            return _CALLS[activity]
        if activity == "analyse_database" and self._too_often:
            self._too_often = False
            return Fail(429, "slow down", retry_after=0)
        turn = self._turns[activity][min(self._asked[activity], len(self._turns[activity]) - 1)]
        self._asked[activity] += 1
        assert turn.answer is not None
        told = {"outputs": turn.answer.outputs, "decision": turn.answer.text, "confidence": turn.answer.confidence}
        return Say(json.dumps(told))

    def _govern(self, prompt: str) -> Turn:
        if '"focus"' in prompt:
            found = re.search(r"\nactivities: (.*)\n", prompt)
            assert found is not None
            return Say(json.dumps({"focus": f"Look at what {found[1]} is about."}))
        if not self._asked["thought"]:
            self._asked["thought"] += 1
            return Fail(400, "this model cannot think today")
        return Say(json.dumps({"summaries": []}))


def run_demo(folder: Path) -> tuple[list[str], StrictServer]:
    """What the command prints, and the server it talked to. The folder is the reader's."""
    session = Session(folder)
    for file in ("process.bpmn", "variables.json", "answers.yaml", "handlers.py"):
        shutil.copy(SAMPLE / file, folder / file)
    shutil.copytree(SAMPLE / "data", folder / "data")
    process = (folder / "process.bpmn").read_text(encoding="utf-8")
    for activity, tools in (("triage", "page-team"), ("analyse_application", "restart-pods context_inspect")):
        agent = re.compile(rf'(id="{activity}" .*?<gov:agent )', re.DOTALL)
        process = agent.sub(rf'\1tools="{tools}" ', process, count=1)
    (folder / "process.bpmn").write_text(process, encoding="utf-8")
    with (folder / "handlers.py").open("a", encoding="utf-8") as file:
        file.write(_TOOLS)
    with (folder / "answers.yaml").open("a", encoding="utf-8") as file:
        file.write(_ANSWERS)
    with serving(Players()) as server:
        kept = {name: os.environ.get(name) for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY")}
        os.environ.update(OPENAI_BASE_URL=server.url, OPENAI_API_KEY=KEY)
        try:
            return session.run(COMMAND), server
        finally:
            for name, value in kept.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


def shown() -> list[str]:
    """The transcript as the page has it."""
    text = PAGE.read_text(encoding="utf-8")
    return text.partition("$ governor run process.bpmn")[2].partition("\n")[2].partition("```")[0].splitlines()


def told(lines: Iterable[str]) -> list[str]:
    """What happened, without how much: D1 and attention change with every word of a prompt."""
    kept = (line for line in lines if not re.match(r"\s*(D1 |pressure |usage |note +(attention|WORKING))", line))
    return [_MEASURED.sub("#", line).rstrip() for line in kept]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        printed, _ = run_demo(Path(folder))
    text = PAGE.read_text(encoding="utf-8")
    head, command, rest = text.partition("$ governor run process.bpmn")
    line, newline, rest = rest.partition("\n")
    _, fence, tail = rest.partition("```")
    body = "\n".join(printed) + "\n"
    PAGE.write_text(head + command + line + newline + body + fence + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
