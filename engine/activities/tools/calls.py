"""Makes the tool calls of a model's answer: checked, asked about, done once, and told as events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.activities.code_version import code_version
from engine.activities.tools.approving import ARGUMENTS, about_call, approved, fit, hash_of
from engine.activities.tools.box import BoxedTool
from engine.activities.tools.doing import do
from engine.activities.tools.guard import ToolGuard, ToolUse, level_of
from engine.activities.work import Desk, Heard, Suspended, Work
from engine.events import EventType
from engine.models.base import Message, ToolCall
from governance.snapshots.canonical import canonical, digest
from governance.tools.confirming import Question
from governance.tools.errors import ToolRefused, UnknownTool
from governance.tools.toolbox import json_object, parsed
from governance.vocabulary import Effect, InteractionLevel, Trigger

SAME_CALLS: Final = 2
"""So often the same call is made in one attempt; then its earlier result stands."""
_MOST_AT_ONCE: Final = 8


@dataclass(slots=True)
class _Pending:
    """A call on its way. `row` is what it came to: its `content`, why it `failed` or None, the `head` it moved to.

    `notes` of the guard and what people were `told` are kept with it, so that they are not lost with a program that
    ends before its commit.
    """

    call: ToolCall
    key: str
    tool: BoxedTool | None = None
    use: ToolUse | None = None
    heard: Heard | None = None
    row: dict[str, Any] | None = None
    notes: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    told: dict[str, str] | None = None


class ToolCalls:
    """The calls of one attempt. `denied` are names that are not offered again; `used` the tools that were called, and
    `trusted` those of them that are declared so.
    """

    def __init__(self, work: Work, desk: Desk, tools: Mapping[str, BoxedTool], guard: ToolGuard) -> None:
        self._work, self._desk, self._tools, self._guard = work, desk, tools, guard
        self._made: dict[str, int] = {}
        self._writes = 0
        self.denied: set[str] = set()
        self.used: dict[str, None] = {}
        self.trusted: set[str] = set()
        self.idle_turns = 0
        """Turns in a row in which nothing was done."""

    def make(self, turn: int, calls: Sequence[ToolCall]) -> tuple[Message, ...]:
        """A result for each call, in their order. Raises Suspended while people have to answer first."""
        pending = [_Pending(call, _key(turn, place, call)) for place, call in enumerate(calls, 1)]
        for each in pending:
            self._prepare(each)
        ready = [self._allowed(each) for each in pending]
        if not all(ready):
            raise Suspended(self._work.element.id)
        self._do([each for each in pending if each.row is None])
        for each in pending:
            self._finish(turn, each)
        self.idle_turns = 0 if any(each.use is not None for each in pending) else self.idle_turns + 1
        return tuple(Message("tool", str(_row(each)["content"]), tool_call_id=each.call.id) for each in pending)

    def _prepare(self, each: _Pending) -> None:
        """Check the call; what is wrong with it is its result. One that was made before has its result already."""
        each.row = self._desk.recall(each.key)
        try:
            self._check(each)
        except ToolRefused as refused:
            self._settle(each, _refusal(refused.reason))
        if each.use is not None and each.row is not None and "edited" in each.row:
            each.use = replace(each.use, arguments=each.row["edited"])

    def _check(self, each: _Pending) -> None:
        """Raises ToolRefused: for a tool there is not, bad arguments, and a call that goes in circles."""
        name = each.call.name
        if name not in self._tools or name in self.denied:
            raise UnknownTool(name, [known for known in self._tools if known not in self.denied])
        tool = each.tool = self._tools[name]
        arguments = json_object(name, each.call.arguments)
        if tool.handler is None:
            parsed(name, arguments)
        else:
            fit(name, arguments, tool.declaration.parameters)
        same = f"{name} {digest(canonical(arguments))}"
        self._made[same] = self._made.get(same, 0) + 1
        if self._made[same] > SAME_CALLS:
            raise ToolRefused(name, "the same call was made before: its result stands above; do something else")
        effect, writes = tool.declaration.effect, self._writes
        self._writes += effect is not Effect.READ
        each.use = ToolUse(
            activity=self._work.element.id,
            branch=self._work.context.branch,
            tool=tool.name,
            effect=effect,
            arguments=arguments,
            writes=writes,
            public=tool.declaration.public,
            seen=tuple(name for name in self.used if name not in self.trusted),
            version="" if tool.handler is None else code_version(tool.handler),
        )

    def _allowed(self, each: _Pending) -> bool:
        """Tell or ask people as the call's effect, the policy and the guard say. False: their answer is not there."""
        use = each.use
        if use is None or each.row is not None:
            return True
        guarded = self._guard.before(use)
        each.notes = guarded.notes
        level, reason = level_of(use.effect, self._work.policy.interaction_level, guarded)
        if level is InteractionLevel.AUTO_DENY:
            self._settle(each, _refusal(reason, for_good=guarded.level is not InteractionLevel.AUTO_DENY))
        elif level.blocks:
            each.heard = self._desk.ask(each.key, _question(each, use, level), reason)
            if each.heard is not None:
                self._bind(each, use, each.heard)
            return each.heard is not None
        elif level is InteractionLevel.MICRO_SUGGESTION:
            self._tell(each, _question(each, use, level), reason)
        return True

    def _bind(self, each: _Pending, use: ToolUse, heard: Heard) -> None:
        """Do what was approved, with the arguments that the person saw or put in their place, and nothing else."""
        if not heard.approved:
            self._settle(each, _refusal(f"denied by {heard.by}: {heard.reason}", for_good=True))
            return
        try:
            each.use = replace(use, arguments=approved(use.tool, use.arguments, heard, _parameters(each)))
        except ToolRefused as refused:
            self._settle(each, _refusal(refused.reason))

    def _settle(self, each: _Pending, row: dict[str, Any]) -> None:
        """The call's result, unless it had one before."""
        if each.row is None:
            notes = {"notes": [[kind, dict(data)] for kind, data in each.notes]} if each.notes else {}
            each.row = {**row, **notes, **({"told": each.told} if each.told else {})}
            self._desk.keep(each.key, each.row)

    def _tell(self, each: _Pending, question: Question, reason: str) -> None:
        self._desk.tell(each.key, question, reason)
        each.told = {"trigger": question.trigger, "level": question.level, "message": question.message, "why": reason}

    def _do(self, left: Sequence[_Pending]) -> None:
        """Make calls: those of handlers that only read at once, the others in turn. Raises Suspended."""
        at_once = [each for each in left if each.use and each.tool and each.tool.handler and _reads(each.use)]
        if len(at_once) > 1:
            with ThreadPoolExecutor(min(len(at_once), _MOST_AT_ONCE)) as pool:
                list(pool.map(self._make, at_once))
        for each in left:
            if each.row is None:
                self._make(each)
        if any(each.row is None for each in left):
            raise Suspended(self._work.element.id)

    def _make(self, each: _Pending) -> None:
        """Make one call; without a result afterwards, it waits for a person."""
        assert each.tool is not None
        assert each.use is not None
        found = do(self._work, self._desk, each.tool, each.use.arguments, each.key)
        row = self._answer_to(each, found) if isinstance(found, Question) else found
        if row is not None:
            self._settle(each, row if each.heard is None or each.heard.edited is None else _edited(row, each.heard))

    def _answer_to(self, each: _Pending, question: Question) -> dict[str, Any] | None:
        """What `human_confirm` gives: that people were told, or what they answered; None: they have not yet."""
        if not question.level.blocks:
            self._tell(each, question, "the agent says")
            return _result({"told": True})
        heard = each.heard = self._desk.ask(each.key, question, "the agent asks")
        if heard is None:
            return None
        answer = {"approved": heard.approved, "by": heard.by, "reason": heard.reason}
        return _result({**answer, **({"values": dict(heard.values)} if heard.values else {})})

    def _finish(self, turn: int, each: _Pending) -> None:
        """Go on from the result: where it moved the context, what it takes from the box; tell the guard and the log."""
        row = _row(each)
        if row.get("head") is not None:
            self._desk.move(row["head"])
        if row.get("for_good"):
            self.denied.add(each.call.name)
        if each.use is not None and each.tool is not None:
            self.used[each.tool.name] = None
            if each.tool.declaration.trusted:
                self.trusted.add(each.tool.name)
            if told := row.get("told"):
                level = InteractionLevel(told["level"])
                self._desk.tell(each.key, Question(Trigger(told["trigger"]), level, told["message"], {}), told["why"])
            # Whether they are on record already, the work's own count knows: it wants them each time.
            for kind, data in row.get("notes", ()):
                self._work.note(kind, data)
            if self._desk.is_new(each.key) and not (row.get("refused") or row.get("transient")):
                self._guard.after(each.use, row["failed"])
        self._work.note(EventType.TOOL_CALL.value, _record(turn, each, row))


def _key(turn: int, place: int, call: ToolCall) -> str:
    """What a call's result and its approval are kept under: of another call at the same place they are not."""
    return f"tool.{turn}.{place}.{digest(canonical([call.name, call.arguments]))[:16]}"


def _row(each: _Pending) -> dict[str, Any]:
    assert each.row is not None
    return each.row


def _reads(use: ToolUse) -> bool:
    return use.effect is Effect.READ


def _question(each: _Pending, use: ToolUse, level: InteractionLevel) -> Question:
    message = f"{use.activity} calls {use.tool}"
    return about_call(message, use.tool, use.effect, use.arguments, _parameters(each), level)


def _parameters(each: _Pending) -> Mapping[str, Any]:
    assert each.tool is not None
    return each.tool.declaration.parameters


def _edited(row: Mapping[str, Any], heard: Heard) -> dict[str, Any]:
    """What came of a call that a person changed: the model is told of it, and with which arguments it was made."""
    told = {"changed_by": heard.by, "reason": heard.reason, ARGUMENTS: heard.edited, "result": row["content"]}
    return {**row, "content": canonical(told).decode(), "edited": heard.edited, "by": heard.by}


def _record(turn: int, each: _Pending, row: Mapping[str, Any]) -> dict[str, Any]:
    """The call as an event, without any argument that is not public."""
    record: dict[str, Any] = {"tool": each.tool.name if each.tool else each.call.name, "turn": turn}
    if each.use is not None and each.tool is not None:
        given = each.use.arguments
        public = {name: given[name] for name in each.tool.declaration.public if name in given}
        record |= {"effect": each.use.effect.value, "arguments": hash_of(given)}
        record |= {"public": public} if public else {}
    by = row.get("by") if each.heard is None else each.heard.by
    record |= {"by": by} if by else {}
    record |= {"edited": True} if "edited" in row else {}
    return record | ({"chars": len(str(row["content"]))} if row["failed"] is None else {"failed": row["failed"]})


def _refusal(reason: str, *, for_good: bool = False) -> dict[str, Any]:
    row = {"content": canonical({"error": reason}).decode(), "failed": reason, "refused": True}
    return {**row, "for_good": True} if for_good else row


def _result(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"content": canonical(dict(value)).decode(), "failed": None}
