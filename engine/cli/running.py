"""What `run`, `resume` and `retry` share: progress while it goes, answers where it waits, the outcome at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bpmn.load import load
from engine.cli.asking.prompter import someone_is_there
from engine.cli.errors import BadOption
from engine.cli.exits import Exit, exit_for
from engine.cli.hints import Hints
from engine.cli.names import Names
from engine.cli.output import print_json
from engine.cli.screen.choose import messages, output
from engine.cli.screen.port import Style
from engine.cli.stored import names_of
from engine.cli.telling.outcome import Outcome
from engine.cli.telling.progress import Progress
from engine.cli.wiring import governor_on
from engine.context_names import ContextNames
from engine.events import Event
from engine.governor import Governor
from engine.people.answerers import FileAnswerer, SimulatedAnswerer
from engine.people.answers import PreparedAnswers
from engine.people.conversation import Conversation
from engine.people.given import Answerer
from engine.result import RunResult
from engine.store.errors import UnknownInstance
from engine.store.ids import RandomIds

Find = Callable[[Governor], str]
"""Finds the instance that is meant."""
Move = Callable[[Governor, str, Names], RunResult]
"""Moves the instance with this id, whose definition has these names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What the options of these commands say."""

    db: str | None = None
    answers: str | None = None
    model: str | None = None
    handlers: tuple[str, ...] = ()
    user: str | None = None
    roles: tuple[str, ...] = ()
    json: bool = False
    quiet: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of an instance that are given. `folder` is where relative paths in `model` start."""
        found: dict[str, Any] = {}
        if self.handlers:
            found["handlers"] = [str(Path(each).resolve()) if each.endswith(".py") else each for each in self.handlers]
        if self.model:
            found.update(model=self.model, folder=str(Path.cwd()))
        return found


class Runner:
    """Runs one instance for one command. Raises BadYaml for the file of answers."""

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        self._messages = messages()
        self._answers = _answers(options.answers)
        self._progress = Progress(self._messages)

    def start(self, file: str, process: str | None, variables: Mapping[str, Any], *, simulate: bool) -> Exit:
        """Start an instance of a file, and run it."""
        loaded = load(file, process=process)
        names = self._meet(Names(loaded.definition))
        id = _OneId(RandomIds().new())
        settings = {"folder": str(Path.cwd()), **self._options.settings, **({"simulate": True} if simulate else {})}
        with governor_on(self._options.db, self._listener(), ids=id) as governor, _interruptible(governor, id.new()):
            if self._tells and not loaded.errors:
                for finding in loaded.findings:
                    self._messages.item(("check", Style.WARN), str(finding))
            result = governor.start(loaded, variables, starter=self._options.user, settings=settings)
            return self._finish(governor, result, names)

    def go_on(self, find: Find, move: Move, *, converse: bool = True) -> Exit:
        """Move an instance that is there, and run it on; unless `converse`, without asking anybody for more."""
        with governor_on(
            self._options.db, self._listener(), instead=self._options.settings, must_exist=True
        ) as governor:
            instance = find(governor)
            names = self._meet(names_of(governor, instance))
            with _interruptible(governor, instance):
                return self._finish(governor, move(governor, instance, names), names, converse=converse)

    def _meet(self, names: Names) -> Names:
        """Use the names of the definition from now on."""
        self._progress.names = names
        self._answers.require_known(names.ids)
        return names

    @property
    def _tells(self) -> bool:
        """Whether anything is told on the way."""
        return not (self._options.json or self._options.quiet)

    def _listener(self) -> Callable[[Event], None] | None:
        return _UntilItBreaks(self._progress) if self._tells else None

    def _finish(self, governor: Governor, result: RunResult, names: Names, *, converse: bool = True) -> Exit:
        record = governor.store.instance(result.instance)
        if converse:
            answerers = self._answerers(names, simulated=bool(record.settings.get("simulate")))
            result = Conversation(governor, answerers).go_on(result)
        for answer in self._answers.unused():
            self._warn(f"{answer.place}: the answer for {answer.element} was not used")
        if self._options.json:
            print_json(result.to_json())
        else:
            Outcome(output(), names, Hints(self._options.db)).tell(result, names.process(record.process))
        return exit_for(result.status)

    def _answerers(self, names: Names, *, simulated: bool) -> list[Answerer]:
        options = self._options
        answerers: list[Answerer] = [FileAnswerer(self._answers, options.user, options.roles)]
        if simulated:
            answerers.append(SimulatedAnswerer())
        if someone_is_there() and not options.json:
            # Only a run that a person watches pays for forms.
            from engine.cli.asking.terminal import at_terminal

            answerers.append(at_terminal(self._messages, names, options.user, options.roles))
        return answerers

    def _warn(self, text: str) -> None:
        self._messages.item(("warning", Style.WARN), text)


def _answers(file: str | None) -> PreparedAnswers:
    if file is None:
        return PreparedAnswers(())
    # Reading YAML costs 20 ms, which a run without answers need not pay.
    from engine.people.answers_file import read_answers

    return read_answers(Path(file))


class _OneId:
    """The id of the instance to be: known before it exists, to be told if it is interrupted."""

    def __init__(self, id: str) -> None:
        self._id = id

    def new(self) -> str:
        return self._id


class _UntilItBreaks:
    """A listener that falls silent when nobody reads any more; the run goes on."""

    def __init__(self, listener: Callable[[Event], None]) -> None:
        self._listener: Callable[[Event], None] | None = listener

    def __call__(self, event: Event) -> None:
        if self._listener is None:
            return
        try:
            self._listener(event)
        except OSError:
            self._listener = None


@contextmanager
def _interruptible(governor: Governor, instance: str) -> Iterator[None]:
    """An interrupt (Ctrl-C) says how to go on: what was done until the last advance is kept."""
    try:
        yield
    except KeyboardInterrupt:
        try:
            governor.store.instance(instance)
        except UnknownInstance:
            raise KeyboardInterrupt("interrupted before anything was done") from None
        raise KeyboardInterrupt(f"interrupted; go on with: governor resume {instance}") from None


def by_prefix(prefix: str) -> Find:
    """The instance whose id begins so."""
    return lambda governor: governor.store.find_instance(prefix)


def restoring(snapshot: str, branch: str | None, by: str | None) -> Move:
    """Puts the context of a branch back to a snapshot; both by the names that people use. Raises UnknownContext."""

    def move(governor: Governor, instance: str, names: Names) -> RunResult:
        if by is None:
            raise BadOption("--user", "", "say who does this: --user NAME")
        contexts = ContextNames.of(governor, governor.graph(instance), instance)
        whose = None if branch is None else contexts.branch(branch)
        return governor.restore_context(instance, contexts.snapshot(snapshot), branch=whose, by=by)

    return move
