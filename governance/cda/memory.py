"""A memory for any agent: six calls, plain messages in and out (Design: CDA, API)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from governance.cda.assembly import Assembler, Request, messages_of
from governance.cda.compaction import Compactor
from governance.cda.course import Course
from governance.cda.dead_ends.model import DeadEnd
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.cda.direction import Direction, Turned
from governance.cda.embedding import Embedding, HashingEmbedding
from governance.cda.entry import Entry, Message, text_of
from governance.cda.experience.matching import of_use
from governance.cda.experience.model import Skill
from governance.cda.failures import Failures
from governance.cda.library import Library
from governance.cda.measures import alignment, context_alignment
from governance.cda.metadata import assembled_metadata, passthrough_metadata, turn_metadata
from governance.cda.phases import RECIPES, Phase, PhaseEvent, PhaseMachine, Transition
from governance.cda.ports import Journal
from governance.cda.scoring import Focus
from governance.cda.settings import CdaSettings
from governance.cda.shown import said
from governance.cda.state import AssembledContext, Compaction, DeadEndMatch, DirectionState, Strategy
from governance.cda.zones import ZoneTable
from governance.ports import Clock, SystemClock, timestamp
from governance.tokens import EstimatingCounter, TokenCounter


class CdaMemory:
    """Remembers turns, and assembles what a model should see of them for what is asked now.

    With a `journal` it goes on after a restart exactly where it was. Cost of a call grows with what it adds or shows,
    not with what is remembered. `observers` are told of every change of phase. A start tells of the first five
    `skills` (or of those of the journal's last `preload`), later contexts of those that are of use. Not for several
    threads at once.
    """

    def __init__(
        self,
        session: str = "default",
        settings: CdaSettings | None = None,
        *,
        dead_ends: DeadEndRegistry | None = None,
        journal: Journal | None = None,
        embedding: Embedding | None = None,
        counter: TokenCounter | None = None,
        clock: Clock | None = None,
        observers: Sequence[Callable[[Transition], None]] = (),
        skills: Sequence[Skill] = (),
    ) -> None:
        self.session, self.settings = session, settings or CdaSettings()
        self._counter, self._clock = counter or EstimatingCounter(), clock or SystemClock()
        self._embedding = embedding or HashingEmbedding()
        self._library = Library(session, self._counter, self._embedding, self.settings)
        self._zones: ZoneTable[int] = ZoneTable(self.settings)
        self._direction = Direction(self._embedding, self.settings)
        self._assembler = Assembler(self._library, self._counter, self.settings, self._zones)
        self._compactor = Compactor(self._library, self._counter, self.settings, self._zones)
        self._failures = Failures(self._library, dead_ends or DeadEndRegistry())
        self._machine, self._skills = PhaseMachine(observers), tuple(skills)
        self._course = Course(
            self._library,
            self._zones,
            self._direction,
            self._failures,
            self._machine,
            self._embedding,
            self.settings,
        )
        for event in journal.events() if journal is not None else ():
            if event["event"] == "skills":
                self._skills = tuple(map(Skill.model_validate, event["skills"]))
            else:
                self._course.replay(event)
        self._journal = journal

    def __len__(self) -> int:
        """How many entries are remembered."""
        return len(self._library)

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The skills that it tells of."""
        return self._skills

    @property
    def phase(self) -> Phase:
        return self._machine.phase

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The last changes of phase, oldest first."""
        return self._machine.transitions

    @property
    def usage(self) -> float:
        """Tokens of all context items as shown / window."""
        return self._course.usage

    @property
    def switched_on(self) -> bool:
        """Whether zones choose what is shown; before that everything is, while it fits."""
        if self.settings.zones != "auto":
            return self.settings.zones == "on"
        return self.usage >= self.settings.zones_usage or self._course.turns > self.settings.zones_turns

    def items(self) -> Iterator[Entry]:
        """The context items: what assemblies choose among."""
        return self._library.items()

    def aim(self, intent: str) -> None:
        """Say what all the work is for. Without it the first user message is taken."""
        self._write("aim", intent=intent)
        self._course.aim(intent)

    def preload(self, skills: Iterable[Skill]) -> None:
        """Know these skills from now on, in place of those known before; a restart knows them, too."""
        self._skills = tuple(skills)
        self._write("skills", skills=[skill.model_dump(mode="json") for skill in self._skills])

    def append_turn(
        self,
        messages: Iterable[Any],
        tools: Sequence[str] = (),
        phase: Phase | None = None,
        *,
        scope: str = "",
    ) -> list[str]:
        """Remember a turn; the ids of its entries.

        A message has `role` and `content` (text or JSON), perhaps `name`, `tool_calls`, `tool_call_id`, and for the
        memory alone `id`, `scope`, `causes` (ids of earlier entries), `data` (objects read or written), `said_at` (a
        text with the date on which it was said, by which a query that names a date finds it). `tools` and `scope` hold
        for the whole turn. `phase` is what the caller's agent is in; None: told by the roles. A turn that ends above
        RED is followed by a compaction. Raises BadMessage; then nothing of the turn is remembered.
        """
        given = [dict(message) if isinstance(message, Mapping) else message for message in messages]
        at = timestamp(self._clock.now())
        entries = self._course.add_turn(given, tools, phase, scope, at)
        facts = {"messages": [entry.message for entry in entries], "tools": list(tools), "scope": scope, "at": at}
        self._write("turn", phase=phase, **facts)
        if self.usage > self.settings.red:
            self._compact("auto", f"usage {self.usage:.2f} is above {self.settings.red:.2f}")
        return [entry.id for entry in entries]

    def assemble_context(
        self,
        query: str,
        max_tokens: int,
        *,
        scope: str | None = None,
        scope_text: str = "",
        tools: Sequence[str] = (),
        retained: Sequence[str] = (),
        phase: Phase | None = None,
    ) -> AssembledContext:
        """What a model should see now, in at most `max_tokens` tokens.

        `query` is what is asked or the coming activity's intent, `scope` where the work is with `scope_text` its name
        and documentation, `tools` the coming tools, each a name with its parameters' names ("book flight_number date"),
        `retained` ids of entries that are always shown. `phase` says what goes in (`RECIPES`); None: that of the
        memory's own, which a call moves to ASSEMBLE once it holds something. Raises UnknownEntry.
        """
        kept = frozenset(self._library.entry(id).number for id in retained)
        at = timestamp(self._clock.now())
        turned = self._course.turn(query, scope_text, phase)
        recipe = RECIPES[phase or self._machine.phase]
        failed = self._failures.lines(at)
        lines = self._lines(query, phase or self._machine.phase, at, tools)
        first = [said("\n".join(lines))] if lines else []
        if not failed and self._passes_whole(max_tokens - sum(self._counter.count(text_of(each)) for each in first)):
            messages = [*first, *self._assembler.everything()]
            self._write("assemble", query=query, scope_text=scope_text, phase=phase, zones=[])
            return self._told(messages, passthrough_metadata(self._library, lines), turned, max_tokens)
        request = Request(
            focus=Focus(
                query=query,
                scope=scope,
                tools=frozenset(tool.split(" ", 1)[0] for tool in tools),
                missed=self._failures.missed_scopes(at),
            ),
            room=max_tokens,
            needs=" ".join(tools),
            retained=kept,
            failed=failed,
            lines=tuple(lines),
            recipe=recipe,
        )
        found = self._assembler.assemble(request)
        self._write("assemble", query=query, scope_text=scope_text, phase=phase, zones=self._zones.drain())
        messages = messages_of(found, self._counter)
        return self._told(messages, assembled_metadata(found, self._library), turned, max_tokens)

    def score(self, query: str, *, scope: str | None = None, tools: Sequence[str] = ()) -> dict[str, float]:
        """QTS of the candidates for `query`, by entry id. Changes nothing."""
        focus = Focus(query=query, scope=scope, tools=frozenset(tool.split(" ", 1)[0] for tool in tools))
        entries = self._library.entries
        return {entries[number].id: qts.score for number, qts in self._assembler.scores(focus).items()}

    def compact(self, strategy: Strategy = "auto") -> Compaction:
        """Write the context items that assemblies choose among from now on.

        auto: down to YELLOW, and nothing below it; aggressive: what is dropped leaves the items, whatever the usage.
        Everything stays in the memory, byte for byte, and comes back with `restore`.
        """
        return self._compact(strategy, "asked for")

    def get_direction_state(self) -> DirectionState:
        """Where the work is heading, and which dead ends lie that way."""
        found = self._failures.matching(self._course.query, timestamp(self._clock.now()))
        return DirectionState(
            global_intent=dict(self._direction.target),
            intent=self._course.intent,
            drift_score=self._direction.drift,
            alert=self._direction.alert,
            gradient=self._course.gradient,
            phase=str(self._machine.phase),
            dead_end_matches=tuple(
                DeadEndMatch(id=each.id, similarity=similarity, line=each.line()) for each, similarity in found
            ),
        )

    def register_dead_end(
        self, trace: Mapping[str, Any], reason: str, *, session_id: str | None = None
    ) -> DeadEnd | None:
        """Keep that a way leads nowhere: `trace` has `tool` (or `strategy`) and `arguments`, perhaps `entries` (ids).

        What the memory holds of it is replaced by one line, and the direction turns away from it. None, and nothing is
        kept, for a failure that may be gone a moment later (a timeout).
        """
        at, session = timestamp(self._clock.now()), session_id or self.session
        found = self._course.fail(trace, reason, session, at)
        if found is not None:
            self._write("dead_end", trace=dict(trace), reason=reason, session=session, at=at)
        return found

    def list_dead_ends(self, session_id: str | None = None, top_k: int = 10) -> Sequence[DeadEnd]:
        """Known dead ends of a session (None: this one's), the most frequent first."""
        return self._failures.listed(session_id or self.session, timestamp(self._clock.now()), top_k)

    def restore(self, ids: Iterable[str]) -> list[Message]:
        """Messages exactly as they were given; what was lowered of them is whole again. Raises UnknownEntry."""
        entries = [self._library.entry(id) for id in ids]
        self._write("restore", ids=[entry.id for entry in entries])
        self._course.raise_whole(entry.id for entry in entries)
        return [entry.message for entry in entries]

    def _lines(self, query: str, phase: Phase, at: str, tools: Sequence[str]) -> list[str]:
        """Lines that come first, where the phase tells of experience: at the start what is hot, later what fits."""
        if not RECIPES[phase].experience:
            return []
        if phase is Phase.BOOTSTRAP:
            return [*self._failures.hot(at), *(skill.line() for skill in self._skills[:_SKILLS_TOLD])]
        found = of_use(self._skills, {f"tool:{tool.split(' ', 1)[0]}" for tool in tools}, query)
        told = [skill.line() for skill in found[:_SKILLS_TOLD]]
        return [*(each.line() for each, _ in self._failures.matching(query, at)), *told]

    def _passes_whole(self, max_tokens: int) -> bool:
        """Whether everything is shown as it is: it fits, no compaction chose, and zones do not forbid it."""
        fits = not self._library.any_lowered and self._library.shown_tokens <= max_tokens
        return fits and (self.settings.fill or not self.switched_on)

    def _told(
        self, messages: list[Mapping[str, Any]], chosen: Mapping[str, Any], turned: Turned, max_tokens: int
    ) -> AssembledContext:
        parts = [(text, self._counter.count(text)) for text in map(text_of, messages)]
        aligned = context_alignment(parts, self._direction.current, self._embedding)
        tokens = sum(count for _, count in parts)
        said_of = turn_metadata(turned, phase=str(self.phase), tokens=tokens, max_tokens=max_tokens, alignment=aligned)
        measured = {} if self._course.measures is None else {"last_turn": asdict(self._course.measures)}
        return AssembledContext(messages, {**chosen, **said_of, **measured, "zones_on": self.switched_on})

    def _compact(self, strategy: Strategy, reason: str) -> Compaction:
        """A compaction, handed what after_turn measured."""
        self._machine.on(PhaseEvent.OVER_RED, self._course.turns, reason)
        target = self._direction.target
        done = self._compactor.compact(
            strategy,
            self._course.query or self._course.intent,
            lambda entry: alignment(entry.text, target, self._embedding),
            self._failures.numbers,
        )
        if self._course.measures is not None:
            done = replace(done, last_turn=asdict(self._course.measures))
        self._write("compact", strategy=strategy, items=self._compactor.written)
        self._machine.on(PhaseEvent.COMPACTED, self._course.turns, done.reason)
        return done

    def _write(self, event: str, **facts: Any) -> None:
        if self._journal is not None:
            self._journal.append({"event": event, **facts})


_SKILLS_TOLD = 5
