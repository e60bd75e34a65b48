"""The prompt of an activity, from its context (Design: the prompt)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bpmn.definition import Element
from engine.activities.work import Work
from engine.models.base import Message, ToolSpec
from engine.prompts.blocks import Block, as_json, blocks, inputs_of
from engine.prompts.fence import fenced_by, mark_for
from engine.prompts.task import instructions, query
from engine.prompts.templates import Templates
from engine.prompts.view import View, view_of


@dataclass(frozen=True, slots=True)
class Assembled:
    """A prompt and its size. Tokens are counted by the context's own counter.

    `overhead_tokens` are those that are not entries of the context, as D1 wants to know them. `tokens_ungoverned` is
    what the prompt would have if every entry were shown in full. `prefix_chars` is how much of the beginning depends
    on SYSTEM, the process definition and lasting knowledge alone: it is the same for every call while these are.
    """

    messages: tuple[Message, ...]
    tokens: int
    overhead_tokens: int
    tokens_ungoverned: int
    prefix_chars: int

    @property
    def chars(self) -> int:
        return sum(len(message.content) for message in self.messages)


class PromptAssembler:
    """Puts prompts together: what changes least stands first, the task last.

    SYSTEM and the process definition are the system message; lasting KNOWLEDGE, long variables, knowledge for this
    activity, HISTORY, what worked and what failed, the other variables, the path taken and the task follow as the
    user's. A long variable keeps its place whatever the activity is about, be it an input: a provider need not read
    again what a prompt has in common with an earlier one from its beginning. Entries are fenced: they are data, whoever
    wrote them; an instance's fences have one code.
    Without `templates`, ours are made at the first prompt: a run without agents does without a template engine.
    """

    def __init__(self, templates: Templates | None = None) -> None:
        self._templates = templates

    def assemble(
        self, work: Work, follow_up: Sequence[Message] = (), tools: Sequence[ToolSpec] = ()
    ) -> Assembled:
        """The prompt for `work` at its context's head, and what was said after it in this attempt.

        `tools` are sent beside it, and count in its tokens.
        """
        view, about = view_of(work.context), query(work.element)
        system = self._render("system", system=_system(view), process=_process(view))
        focus = view.focus(work.context.branch)
        found = blocks(work, view, about)
        mark = mark_for(work.instance, [*(line for block in found for line in block.lines), focus])
        told = [self._told(block, mark) for block in found]
        lasting = told[0]
        parts = [*told, self._task(work, view, fenced_by(mark, [f"focus: {focus}"]) if focus else "")]
        user = "\n\n".join(filter(None, parts))
        messages = (Message("system", system), Message("user", user), *follow_up)
        tokens = sum(view.tokens(text) for message in messages for text in _texts(message))
        tokens += sum(view.tokens(as_json(asdict(tool))) for tool in tools)
        overhead = max(0, tokens + sum(block.spared for block in found) - view.shown_tokens())
        return Assembled(messages, tokens, overhead, overhead + view.full_tokens(), len(system) + len(lasting))

    def correction(self, work: Work, answer: str, problems: Sequence[str]) -> tuple[Message, ...]:
        """What follows an answer that does not fit: the answer itself, and what is wrong with it."""
        told = self._render("correction", problems=problems, schema=_schema(work.element))
        return (Message("assistant", answer), Message("user", told))

    def _told(self, block: Block, mark: str) -> str:
        """A part with a fence, "" if there is nothing to put into it."""
        if not block.lines:
            return ""
        return self._render(block.template, entries=fenced_by(mark, block.lines), **block.values)

    def _task(self, work: Work, view: View, focus: str) -> str:
        element = work.element
        inputs = [name if name in work.variables else f"{name} (not set)" for name in inputs_of(element)]
        return self._render(
            "task",
            id=element.id,
            name=element.name or element.id,
            process=work.process_name,
            branch=work.context.branch,
            focus=focus,
            path="; ".join(f"{gateway} -> {taken}" for gateway, taken in view.path()),
            inputs=", ".join(inputs),
            instructions=instructions(element),
            feedback=work.feedback or "",
            schema=_schema(element),
            again=work.visit > 1,
            learns=bool(work.policy.knowledge_requirements),
        )

    def _render(self, template: str, /, **values: Any) -> str:
        return self._used().render(template, values)

    @property
    def version(self) -> str:
        """Which templates prompts are made with."""
        return self._used().digest

    def _used(self) -> Templates:
        if self._templates is None:
            self._templates = Templates()
        return self._templates


def _texts(message: Message) -> Iterator[str]:
    yield message.content
    for call in message.tool_calls:
        yield f"{call.name} {call.arguments}"


def _system(view: View) -> str:
    return "\n".join(f"{name}: {text}" for name, text in view.system())


def _process(view: View) -> str:
    """The process in words where its definition is shown in full; other entries as lines."""
    entries = view.definition()
    told = entries.pop("definition", None)
    parts = [_outline(told)] if isinstance(told, Mapping) else [f"definition: {told}"] if told is not None else []
    parts += [f"{name}: {value if isinstance(value, str) else as_json(value)}" for name, value in entries.items()]
    return "\n".join(parts)


def _outline(definition: Mapping[str, Any]) -> str:
    parts = [str(definition[key]) for key in ("name", "documentation") if key in definition]
    activities = definition.get("activities", {})
    pairs = activities.items() if isinstance(activities, Mapping) else activities
    if activities:
        parts.append("Its activities, as `id: name`:")
        parts += [f"- {id}: {name}" for id, name in pairs]
    if "further activities" in definition:
        parts.append(f"- and {definition['further activities']} more")
    return "\n".join(parts)


def _schema(element: Element) -> str:
    return "" if element.outputs_schema is None else as_json(element.outputs_schema)
