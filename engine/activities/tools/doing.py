"""One call of a tool, done: by governance on the context, or by a handler outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.activities.job import Job, PrivateVariables
from engine.activities.tools.box import BoxedTool
from engine.activities.work import BpmnErrorRaised, Desk, Outcome, Work
from engine.errors import EngineError
from governance.errors import NotJson
from governance.snapshots.canonical import canonical, thaw
from governance.tools.confirming import Question
from governance.tools.errors import ToolRefused
from governance.tools.toolbox import call

_TRANSIENT = (TimeoutError, ConnectionError)


class TransientFailure(EngineError):
    """Raise it in a handler that is called as a tool: it failed for a while, which says nothing of the call."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def do(work: Work, desk: Desk, tool: BoxedTool, arguments: Mapping[str, Any], key: str) -> dict[str, Any] | Question:
    """{"content": text, "failed": why or None, ...}, or a question for people.

    A failure of the tool is a result that says so: the model may do something else. A BPMN error passes through.
    """
    if tool.handler is None:
        return _on_the_context(desk, tool.name, arguments)
    own = thaw(dict(arguments))
    job = Job(f"{work.key}/{key}", tool.name, work.element, PrivateVariables(work.variables), work.attempt, own)
    try:
        given = tool.handler(job)
        value = dict(given.outputs) if isinstance(given, Outcome) else given
        return {"content": _text(value), "failed": None}
    except BpmnErrorRaised:
        raise
    except NotJson as error:
        return _failed(f"{tool.name} gave what is no JSON: {error}")
    except Exception as error:
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return _failed(told, transient=isinstance(error, (*_TRANSIENT, TransientFailure)))


def _on_the_context(desk: Desk, name: str, arguments: Mapping[str, Any]) -> dict[str, Any] | Question:
    bench = desk.bench()
    before = bench.context.head
    try:
        given = call(bench, name, arguments)
    except ToolRefused as refused:
        return _failed(refused.reason)
    if isinstance(given, Question):
        return given
    moved = {"head": bench.context.head} if bench.context.head != before else {}
    return {"content": _text(given), "failed": None, **moved}


def _text(value: Any) -> str:
    """What a model reads; a tool that gives nothing says so."""
    if value is None or value == "":
        return '{"result":null}'
    return value if isinstance(value, str) else canonical(value).decode()


def _failed(reason: str, *, transient: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {"content": canonical({"error": reason}).decode(), "failed": reason}
    return {**found, "transient": True} if transient else found
