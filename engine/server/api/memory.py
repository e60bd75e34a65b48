"""`/v1/memory/{session}`: the six calls of the memory, for agents of other programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import Path, Query, Request
from pydantic import Field

from engine.server.api.documents import Given, Json, Text, Values, Word
from engine.server.api.parts import Operator, Viewer, router
from engine.server.services import services_of
from engine.skills.files import skills_in, write_skills
from engine.skills.known import named
from governance.cda.phases import Phase

routes = router("memory")

Session = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.:@-]{1,120}$", description="Whose: made when it is first used.")]
Texts = Annotated[list[Word], Field(max_length=200)]


class Turn(Given):
    """A turn: messages with `role` and `content`, perhaps `name`, `tool_calls`, `tool_call_id`."""

    messages: list[Values] = Field(min_length=1, max_length=1_000)
    tools: Texts = Field(default_factory=list)
    phase: Phase | None = None
    scope: str = Field(default="", max_length=500)
    intent: str | None = Field(default=None, max_length=20_000, description="What all the work is for, if it is said.")


class Assemble(Given):
    """What to assemble a context for."""

    query: Text
    max_tokens: int = Field(ge=1, le=10_000_000)
    tools: Texts = Field(default_factory=list, description="The coming tools, each with its parameters' names.")
    retained: Texts = Field(default_factory=list)
    scope: str | None = Field(default=None, max_length=500)


class Compact(Given):
    strategy: Literal["auto", "aggressive"] = "auto"


class NewFailure(Given):
    """A way that leads nowhere: `trace` has `tool` or `strategy`, and `arguments`."""

    trace: Values
    reason: Text


class Preload(Given):
    """Skills that worked: in YAML as `governor skills export` writes them, and ids of skills that are known here."""

    yaml: str = Field(default="", max_length=200_000, pattern=r"^[^\x00]*$")
    ids: Texts = Field(default_factory=list)


@routes.post("/memory/{session}/turns")
def append_turn(request: Request, person: Operator, session: Session, asked: Turn) -> Json:
    """append_turn: remember a turn; the ids of its entries."""
    with services_of(request).memories.use(session) as memory:
        if asked.intent is not None:
            memory.aim(asked.intent)
        ids = memory.append_turn(asked.messages, tools=asked.tools, phase=asked.phase, scope=asked.scope)
        return {"entries": ids, "usage": memory.usage, "phase": memory.phase}


@routes.post("/memory/{session}/context")
def assemble_context(request: Request, person: Operator, session: Session, asked: Assemble) -> Json:
    """assemble_context: what a model should see now, and why."""
    with services_of(request).memories.use(session) as memory:
        found = memory.assemble_context(
            asked.query, asked.max_tokens, tools=asked.tools, retained=asked.retained, scope=asked.scope
        )
        return {"messages": found.messages, "metadata": dict(found.metadata)}


@routes.post("/memory/{session}/compaction")
def compact(request: Request, person: Operator, session: Session, asked: Compact) -> Json:
    """compact: choose anew what assemblies choose among; nothing is lost."""
    with services_of(request).memories.use(session) as memory:
        return asdict(memory.compact(asked.strategy))


@routes.get("/memory/{session}/direction")
def get_direction_state(request: Request, person: Viewer, session: Session) -> Json:
    """get_direction_state: where the work is heading, and which dead ends lie that way."""
    with services_of(request).memories.use(session) as memory:
        state: Mapping[str, Any] = asdict(memory.get_direction_state())
        return {**state, "global_intent": {str(each): weight for each, weight in state["global_intent"].items()}}


@routes.post("/memory/{session}/dead-ends")
def register_dead_end(request: Request, person: Operator, session: Session, asked: NewFailure) -> Json:
    """register_dead_end: keep that a way leads nowhere. `dead_end` is null for a failure that may soon be gone."""
    with services_of(request).memories.use(session) as memory:
        found = memory.register_dead_end(asked.trace, asked.reason)
        return {"dead_end": None if found is None else found.model_dump(mode="json")}


@routes.get("/memory/{session}/dead-ends")
def list_dead_ends(
    request: Request, person: Viewer, session: Session, top_k: Annotated[int, Query(ge=1, le=1_000)] = 10
) -> Json:
    """list_dead_ends: the known ones of this session, the most frequent first."""
    with services_of(request).memories.use(session) as memory:
        return {"dead_ends": [each.model_dump(mode="json") for each in memory.list_dead_ends(top_k=top_k)]}


@routes.put("/memory/{session}/skills")
def preload_skills(request: Request, person: Operator, session: Session, asked: Preload) -> Json:
    """Skills that contexts of this session tell of from now on, in place of those before; of two of one id the YAML's.

    A start tells of the first five, later contexts of those that are of use where their conditions hold.
    """
    services = services_of(request)
    written = skills_in(asked.yaml, "skills") if asked.yaml.strip() else []
    chosen = named(services.governor.store.experience(), asked.ids)
    with services.memories.use(session) as memory:
        memory.preload({skill.id: skill for skill in [*chosen, *written]}.values())
        return {"skills": [skill.id for skill in memory.skills]}


@routes.get("/memory/{session}/skills")
def list_skills(request: Request, person: Viewer, session: Session) -> Json:
    """The skills that contexts of this session tell of, whole, and in YAML."""
    with services_of(request).memories.use(session) as memory:
        documents = [skill.model_dump(mode="json") for skill in memory.skills]
        return {"skills": documents, "yaml": write_skills(memory.skills)}
