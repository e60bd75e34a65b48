"""Tells what a run came to: on standard output, after it has stopped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.cli.hints import Hints
from engine.cli.screen.port import Screen, Span, Style
from engine.cli.telling.gauge import count, several
from engine.cli.telling.times import moment
from engine.cli.telling.values import spoken
from engine.names import Names
from engine.result import RunResult
from engine.status import Status

_VALUE_WIDTH: Final = 100
_FACT_WIDTH: Final = 12
LOOKS: Final = {
    "completed": Style.GOOD,
    "suspended": Style.PERSON,
    "cancelled": Style.WARN,
    "waiting": Style.PERSON,
    "failed": Style.BAD,
    "stalled": Style.BAD,
    "running": Style.WARN,
}


_NEAR: Final = 0.05
"""Counts of tokens that differ by less are the same count."""


class Outcome:
    """The end of a run, for people."""

    def __init__(self, screen: Screen, names: Names, hints: Hints) -> None:
        self._screen, self._names, self._hints = screen, names, hints

    def tell(self, result: RunResult, process: str) -> None:
        self._headline(result, process)
        self._variables(result.variables)
        self._differing(result.differing)
        self._governance(result)
        if result.incidents:
            self._incidents(result)
        if result.waiting:
            self._waiting(result)
        self._more(result)

    def _headline(self, result: RunResult, process: str) -> None:
        reason = f": {result.reason}" if result.reason and not result.incidents else ""
        status: Span = (result.status, LOOKS.get(result.status, Style.STRONG))
        self._screen.line()
        self._screen.line((process, Style.NAME), " ", status, f" (instance {result.instance}){reason}")

    def _variables(self, variables: Mapping[str, Any]) -> None:
        if not variables:
            return
        self._head("variables")
        width = min(max(map(len, variables)), 30)
        for name, value in sorted(variables.items()):
            self._screen.fact((name, Style.STRONG), spoken(value, _VALUE_WIDTH), width=width)

    def _differing(self, differing: Mapping[str, list[dict[str, Any]]]) -> None:
        if not differing:
            return
        self._head("not settled between branches")
        width = min(max(map(len, differing)), 30)
        for name, held in sorted(differing.items()):
            for number, each in enumerate(held):
                value = "deleted" if each.get("deleted") else spoken(each["value"], _VALUE_WIDTH)
                label = (name if number == 0 else "", Style.STRONG)
                self._screen.fact(label, f"{value}  ({self._names.branch(each['branch'])})", width=width)

    def _governance(self, result: RunResult) -> None:
        decisions, measures = result.decisions, result.measures
        if not measures.get("activities"):
            return
        self._head("governance")
        lowered = [each for each in decisions["D1"] if each["compressed"]]
        looks = several(len(decisions["D1"]), "look at the context", "looks at the context")
        self._fact("D1 compress", f"{looks}, {count(len(lowered))} compressed")
        self._fact("D2 split", several(len(decisions["D2"]), "split"))
        disagreed = several(len(result.conflicts), "conflict")
        self._fact("D3 merge", f"{several(len(decisions['D3']), 'merge')}, {disagreed}")
        told = sum(each["status"] == "told" for each in result.interventions)
        asked = sum("id" in each for each in result.interventions)
        self._fact("people", f"{several(asked, 'question')}, {several(told, 'note')}")
        self._attention(measures)
        self._tokens(measures)

    def _attention(self, measures: Mapping[str, Any]) -> None:
        if measures["attention"]:
            lowest = min(measures["attention"], key=lambda each: float(each["score"]))
            self._fact("attention", f"lowest {lowest['score']:.2f} at {self._names.element(lowest['element'])}")

    def _tokens(self, measures: Mapping[str, Any]) -> None:
        if measures["tokens_without_governance"]:
            assembled, without = measures["tokens_assembled"], measures["tokens_without_governance"]
            share = f"{measures['compression_ratio']:.0%}"
            self._fact("tokens", f"{count(assembled)} sent to models; {count(without)} without governance ({share})")
            reported, cost = measures["tokens_reported"], measures["cost"]
            if cost or abs(reported - assembled) > _NEAR * assembled:
                price = f", {cost:,.4f} US dollars" if cost else ""
                more = f"{reported / assembled - 1:+.0%}"
                self._fact("", f"{count(reported)} tokens as models count them ({more}){price}")

    def _incidents(self, result: RunResult) -> None:
        self._head("failed")
        for incident in result.incidents:
            name = self._names.element(incident["element"])
            self._screen.line("  ", (name, Style.BAD), f": {incident['error']}")
        self._command("try again", self._hints.retry(result.instance))

    def _waiting(self, result: RunResult) -> None:
        self._head("waits for")
        shown = {each["id"]: each["shown"] for each in result.interventions if "id" in each}
        for waiting in result.waiting:
            self._screen.line("  ", (self._names.element(waiting["element"]), Style.PERSON), f": {_what(waiting)}")
            if waiting["kind"] == "work_item":
                self._command("do it", self._hints.do(waiting["id"], waiting["form"], _roles(waiting)))
            elif waiting["kind"] == "intervention":
                self._command("answer", self._hints.decide(waiting["id"], waiting["options"], shown[waiting["id"]]))
        suspended = result.status == Status.SUSPENDED
        self._command("go on", (self._hints.unsuspend if suspended else self._hints.resume)(result.instance))

    def _more(self, result: RunResult) -> None:
        self._screen.line()
        self._command("look at the run", self._hints.show(result.instance) + " --events")
        self._command("its contexts", self._hints.log(result.instance))

    def _head(self, title: str) -> None:
        self._screen.line()
        self._screen.line((title, Style.STRONG))

    def _fact(self, name: str, text: str) -> None:
        self._screen.fact((name, Style.GOVERNANCE), text, width=_FACT_WIDTH)

    def _command(self, what: str, command: str) -> None:
        self._screen.line((f"  {what}: ", Style.DIM), command)


def _roles(waiting: Mapping[str, Any]) -> tuple[str, ...]:
    """The roles that do a task, where others may not."""
    return tuple(waiting["groups"]) if waiting["restricted"] else ()


def _what(waiting: Mapping[str, Any]) -> str:
    kind = waiting["kind"]
    if kind == "work_item":
        whom = " or ".join([*filter(None, (waiting["assignee"],)), *waiting["users"], *waiting["groups"]]) or "anybody"
        return f"a task for {whom}" + (f", due {moment(waiting['due'])}" if waiting.get("due") else "")
    if kind == "intervention":
        return f"{waiting['message']} ({', '.join(waiting['options'])})"
    if kind == "timer":
        return f"time, {waiting['due']}"
    return f"the {kind} {waiting.get('name') or ''}".rstrip()
