"""Processes whose runs are told, and ways to run them to their end."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson

from bpmn.load import load
from engine.governor import Governor
from engine.people.answerers import FileAnswerer
from engine.people.answers_file import read_answers
from engine.people.conversation import Conversation
from engine.result import RunResult
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user

ROOT: Final = Path(__file__).parents[3]
SAMPLE: Final = ROOT / "samples" / "incident_response"

_OWN: Final = policy(
    '<gov:policy workingThreshold="3000" compressStrategy="ARCHIVE"><gov:retainKey name="goal"/></gov:policy>'
)
_HUMAN: Final = policy('<gov:policy><gov:mergeKey name="verdict" strategy="HUMAN"/></gov:policy>')
_OUTPUTS: Final = (
    '<ioSpecification><dataInput id="u_in" name="goal"/><dataOutput id="u_out" name="signed"/><inputSet/>'
    "<outputSet/></ioSpecification>"
)
_AGENT: Final = policy('<gov:agent outputs="answer:string"/>')

STORY: Final = model(
    policy('<gov:policy workingThreshold="60000"/>'),
    start(),
    script("gather", "log = 'line of the log. ' * 200\ngoal = 'find the cause'\ncount = 0"),
    f'<task id="ask" name="Ask the agent">{_AGENT}</task>',
    gateway("split"),
    script("left", "verdict = 'guilty'\ncount = count + 1\nleft_only = 1"),
    script("right", "verdict = 'innocent'\ncount = count + 2"),
    f'<parallelGateway id="join">{_HUMAN}</parallelGateway>',
    f'<scriptTask id="weigh" scriptFormat="python">{_OWN}<script>weighed = len(log)</script></scriptTask>',
    user("sign", _OUTPUTS),
    script("check", "checked = 1 / rate"),
    end(),
    edges("s > gather > ask > split > left > join > weigh > sign > check > e", "split > right > join"),
)
"""An agent, a compression, a split and a join that a person settles, a task, and a failure that stands."""


def told_story(governor: Governor) -> str:
    """Run the story to where it fails; its instance."""
    result = governor.start(load(STORY, file="story.bpmn"), {"rate": 0}, starter="ann")
    [asked] = governor.store.interventions(instance=result.instance)
    governor.answer(
        asked.id, "resolve", by="judge", reason="saw it happen", values={"verdict": {"take": _branch(asked.shown)}}
    )
    [item] = governor.store.work_items(instance=result.instance)
    governor.complete(item.id, {"signed": "yes, by the clerk"}, by="clerk")
    return result.instance


def told_demo(governor: Governor) -> str:
    """Run the sample with its recorded turns and answers; its instance."""
    settings = {"model": f"replay:{SAMPLE / 'model.yaml'}", "handlers": [str(SAMPLE / "handlers.py")]}
    variables = _json(SAMPLE / "variables.json")
    result = governor.start(load(SAMPLE / "process.bpmn"), variables, settings=settings)
    answers = FileAnswerer(read_answers(SAMPLE / "answers.yaml"), None, ())
    return Conversation(governor, [answers]).go_on(result).instance


def ran(governor: Governor, source: bytes, variables: dict[str, Any] | None = None) -> RunResult:
    return governor.start(load(source, file="model.bpmn"), variables or {})


def long_run(governor: Governor, activities: int) -> str:
    """AND blocks in a row, three activities beside each other and one behind."""
    content, paths, last = [start()], [], "s"
    for number in range(activities // 4):
        fork, join, after = f"g{number}", f"j{number}", f"a{number}"
        content += [gateway(fork), gateway(join), script(after, f"z = {number}")]
        paths.append(f"{last} > {fork}")
        for branch in range(3):
            name = f"t{number}_{branch}"
            content.append(script(name, f"v{branch} = {number}\nw{number % 20} = 'y' * {300 + branch}"))
            paths.append(f"{fork} > {name} > {join}")
        paths.append(f"{join} > {after}")
        last = after
    return ran(governor, model(*content, end(), edges(*paths, f"{last} > e"))).instance


def _branch(shown: Any) -> str:
    values = shown["conflicts"][0]["values"]
    return next(str(value["branch"]) for value in values if value["value"] == "innocent")


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(path.read_bytes())
    return found
