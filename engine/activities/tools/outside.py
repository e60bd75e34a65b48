"""Tools that are activities of the process: the agent's turn asks for calls, the process makes them, a turn goes on.

Between turns the conversation is a variable of the process, for a call may take days: what the model said, its
provider's own blocks, and what the calls came to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import orjson

from bpmn.definition import AgentConfig
from engine.activities.conversation import Conversation, Exchange
from engine.activities.tools.approving import fit
from engine.activities.work import Work
from engine.models.base import Message, ToolCall, ToolSpec
from governance.snapshots.canonical import canonical
from governance.tools.errors import ToolRefused
from governance.tools.toolbox import json_object

META: Final = "_meta"
CALL: Final = "toolCall"
RESULT: Final = "toolCallResult"
"""Inside a box: the call that an activity is done for, and the variable for what it comes to."""
DENIED: Final = "denied"
"""In what a call that was refused came to, beside its `error`: nobody offers the tool again."""


def call_of(work: Work) -> dict[str, Any] | None:
    """The arguments of the agent's call that an activity is done for; None: it is done for none."""
    call = work.variables.get(CALL) if CALL in work.local else None
    return {name: value for name, value in call.items() if name != META} if isinstance(call, Mapping) else None


def nothing_to_call(text: str) -> dict[str, Any]:
    """The variable of an agent's last turn, in which it said `text`."""
    return {"toolCalls": [], "context": {}, "responseText": text}


class OutsideCalls:
    """The calls of an agent with a box: those of its earlier turns, and those that this one asks for."""

    def __init__(self, work: Work, agent: AgentConfig, most: int) -> None:
        self._agent, self._most = agent, most
        self._offers = {offer.element: offer for offer in agent.offers}
        turn = work.variables.get(agent.turn or "")
        context = turn.get("context") if isinstance(turn, Mapping) else None
        rounds = context.get("rounds") if isinstance(context, Mapping) else None
        self._rounds: list[dict[str, Any]] = [dict(each) for each in rounds] if isinstance(rounds, list) else []
        self._denied: set[str] = set()
        self._take(work.variables.get(agent.results or ""))

    def __contains__(self, name: object) -> bool:
        return name in self._offers

    def restore(self, conversation: Conversation) -> None:
        """What was said in earlier turns."""
        for each in self._rounds:
            conversation.add(_exchange(each))

    @property
    def last(self) -> bool:
        """Whether there were as many rounds as may be: this turn has to answer."""
        return len(self._rounds) + 1 >= self._most

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools on offer; none in the last turn."""
        if self.last:
            return ()
        offers = (offer for name, offer in self._offers.items() if name not in self._denied)
        return tuple(ToolSpec(offer.element, offer.description, dict(offer.parameters)) for offer in offers)

    def check(self, calls: Sequence[ToolCall]) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """The calls that can be made, as the process takes them; and by id why others cannot."""
        good: list[dict[str, Any]] = []
        wrong: dict[str, str] = {}
        for call in calls:
            try:
                if call.name in self._denied:
                    raise ToolRefused(call.name, "it was denied; do something else")
                arguments = json_object(call.name, call.arguments)
                fit(call.name, arguments, self._offers[call.name].parameters)
                good.append({META: {"id": call.id, "name": call.name}, **arguments})
            except ToolRefused as refused:
                wrong[call.id] = canonical({"error": refused.reason}).decode()
        return good, wrong

    def asked(self, answer: Message, good: Sequence[Mapping[str, Any]], done: Mapping[str, str]) -> dict[str, Any]:
        """The turn's variable: the calls to make, and the conversation with what is done of it already."""
        rounds = [*self._rounds, {"answer": asdict(answer), "done": dict(done)}]
        told = [dict(call) for call in good]
        return {"toolCalls": told, "context": {"rounds": rounds}, "responseText": answer.content}

    def over(self, text: str) -> dict[str, Any]:
        """The turn's variable at the end: nothing is left to call."""
        return nothing_to_call(text)

    def _take(self, results: Any) -> None:
        """Put what the last turn's calls came to into its round; a call without a result has an empty one."""
        if not self._rounds:
            return
        last = self._rounds[-1]
        came = {each.get("id"): each.get("content") for each in results or () if isinstance(each, Mapping)}
        done = dict(last["done"])
        for call in last["answer"]["tool_calls"]:
            if call["id"] not in done:
                done[call["id"]] = _text(came.get(call["id"]))
        last["done"] = done
        for each in self._rounds:
            names = {call["id"]: call["name"] for call in each["answer"]["tool_calls"]}
            self._denied |= {names[id] for id, text in each["done"].items() if _is_denied(text)}


def _exchange(round: Mapping[str, Any]) -> Exchange:
    said = round["answer"]
    calls = tuple(ToolCall(**call) for call in said["tool_calls"])
    answer = Message("assistant", said["content"], calls, blocks=tuple(said["blocks"]))
    return Exchange(answer, tuple(Message("tool", round["done"][call.id], tool_call_id=call.id) for call in calls))


def _is_denied(text: str) -> bool:
    """Whether a call was refused for good; that word anywhere else in what a tool gives means nothing."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict) and found.keys() == {"error", DENIED} and found[DENIED] is True


def _text(content: Any) -> str:
    if content is None:
        return '{"result":null}'
    return content if isinstance(content, str) else canonical(content).decode()
