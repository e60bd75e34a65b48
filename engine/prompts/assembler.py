"""The prompt of an activity, from its context (Design: the prompt)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bpmn.definition import Element
from engine.activities.work import Work
from engine.models.base import Message, ToolSpec
from engine.prompts.fence import fenced
from engine.prompts.order import relevant_at_ends
from engine.prompts.task import instructions, query
from engine.prompts.templates import Templates
from engine.prompts.view import View, view_of
from governance.snapshots.canonical import canonical
from governance.vocabulary import Layer


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

    SYSTEM and the process definition are the system message; lasting KNOWLEDGE, knowledge for this activity, HISTORY,
    what worked and what failed, WORKING, the path taken and the task follow as the user's. Entries are fenced: they are
    data, whoever wrote them.
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
        lasting = self._entries("knowledge", view.knowledge(lasting=True), lasting=True)
        parts = [
            lasting,
            self._entries(
                "knowledge",
                relevant_at_ends(view.knowledge(lasting=False), about),
                view.archived(Layer.KNOWLEDGE),
                lasting=False,
            ),
            self._entries(
                "history", relevant_at_ends(view.history(without=_failed(work)), about), view.archived(Layer.HISTORY)
            ),
            self._entries("skills", work.skills),
            self._entries("dead_ends", _dead_ends(work), refused=work.refusal is not None),
            self._working(work, view),
            self._task(work, view),
        ]
        user = "\n\n".join(filter(None, parts))
        messages = (Message("system", system), Message("user", user), *follow_up)
        tokens = sum(view.tokens(text) for message in messages for text in _texts(message))
        tokens += sum(view.tokens(_json(asdict(tool))) for tool in tools)
        overhead = max(0, tokens - view.shown_tokens())
        return Assembled(messages, tokens, overhead, overhead + view.full_tokens(), len(system) + len(lasting))

    def correction(self, work: Work, answer: str, problems: Sequence[str]) -> tuple[Message, ...]:
        """What follows an answer that does not fit: the answer itself, and what is wrong with it."""
        told = self._render("correction", problems=problems, schema=_schema(work.element))
        return (Message("assistant", answer), Message("user", told))

    def _entries(self, template: str, lines: Iterable[str], archived: str | None = None, **values: Any) -> str:
        """A part with a fence, "" if there is nothing to put into it."""
        entries = [*lines, *([archived] if archived else [])]
        return self._render(template, entries=fenced(entries), **values) if entries else ""

    def _working(self, work: Work, view: View) -> str:
        lines = {**view.working(), **_local_lines(work)}
        agent = work.element.agent
        for name in () if agent is None else (agent.turn, agent.results):
            # They are the conversation that follows.
            lines.pop(name or "", None)
        prompts = _computed_prompts(work)
        lines.update(prompts)
        inputs = [name for name in (*_inputs(work.element), *prompts) if name in lines]
        order = [*(name for name in lines if name not in inputs), *inputs]
        return self._entries(
            "working", [lines[name] for name in order], view.archived(Layer.WORKING), inputs=", ".join(inputs)
        )

    def _task(self, work: Work, view: View) -> str:
        element = work.element
        inputs = [name if name in work.variables else f"{name} (not set)" for name in _inputs(element)]
        return self._render(
            "task",
            id=element.id,
            name=element.name or element.id,
            process=work.process_name,
            branch=work.context.branch,
            focus=_focus(view, work.context.branch),
            path="; ".join(f"{gateway} -> {taken}" for gateway, taken in view.path()),
            inputs=", ".join(inputs),
            instructions=instructions(element),
            feedback=work.feedback or "",
            schema=_schema(element),
            again=work.visit > 1,
            learns=bool(work.policy.knowledge_requirements),
        )

    def _render(self, template: str, /, **values: Any) -> str:
        if self._templates is None:
            self._templates = Templates()
        return self._templates.render(template, values)


def _focus(view: View, branch: str) -> str:
    """Fenced: a model wrote it, after reading the context."""
    line = view.focus(branch)
    return fenced([f"focus: {line}"]) if line else ""


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
    parts += [f"{name}: {value if isinstance(value, str) else _json(value)}" for name, value in entries.items()]
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


def _failed(work: Work) -> frozenset[str]:
    """Records that a dead end stands for."""
    return frozenset(name for each in work.dead_ends for name in each.entries)


def _dead_ends(work: Work) -> list[str]:
    """What failed, a line each; what the last answer repeated stands first."""
    lines = [each.line for each in work.dead_ends]
    return list(dict.fromkeys([*([work.refusal] if work.refusal else []), *lines]))


def _inputs(element: Element) -> list[str]:
    """Variables that the activity declares as inputs."""
    return list(dict.fromkeys(item.variable or item.name for item in element.data_inputs))


def _computed_prompts(work: Work) -> dict[str, str]:
    """Prompts that a file computes from variables (Camunda's agents): they hold data, so they stand among the data."""
    wanted = {mapping.target for mapping in work.element.input_mappings if mapping.target.startswith("data.")}
    found: dict[str, str] = {}
    for target in sorted(wanted):
        value: Any = work.variables
        for step in target.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None:
            found[target] = f"{target}: {_json(value)}"
    return found


def _local_lines(work: Work) -> dict[str, str]:
    """Variables that are not in the context: those of one instance of a multi-instance activity."""
    return {name: f"{name}: {_json(work.variables[name])}" for name in sorted(work.local)}


def _schema(element: Element) -> str:
    return "" if element.outputs_schema is None else _json(element.outputs_schema)


def _json(value: Any) -> str:
    return canonical(value).decode()
