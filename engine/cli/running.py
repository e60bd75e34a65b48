"""What `run`, `resume` and `retry` share: progress while it goes, answers where it waits, the outcome at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bpmn.load import load
from engine.cli.asking.prompter import someone_is_there
from engine.cli.exits import Exit, exit_for
from engine.cli.hints import Hints
from engine.cli.options import somebody
from engine.cli.output import others_print_to_stderr, print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.stored import names_of
from engine.cli.telling.outcome import Outcome
from engine.cli.watching import Watching
from engine.cli.wiring import governor_on
from engine.context_names import ContextNames
from engine.governor import Governor
from engine.names import Names
from engine.operations.operating import KIND
from engine.people.answerers import FileAnswerer, SimulatedAnswerer
from engine.people.answers import PreparedAnswers
from engine.people.conversation import Conversation
from engine.people.given import Answerer
from engine.result import RunResult
from engine.status import Status
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
    plain: bool = False
    report: str | None = None
    detach: bool = False

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
        self._watching = Watching(silent=options.json or options.quiet, plain=options.plain)
        self._messages = self._watching.screen
        self._answers = _answers(options.answers)

    def start(
        self,
        file: str,
        process: str | None,
        variables: Mapping[str, Any],
        more: Mapping[str, Any],
        *,
        knowledge: str | None = None,
        decisions: Sequence[str] = (),
    ) -> Exit:
        """Start an instance of a file, and run it; `more` are settings of it, None: not given.

        `knowledge` are documents to take in before, `decisions` files with decisions that it asks for.
        """
        loaded = load(
            file,
            process=process,
            decisions=decisions,
            simulate=bool(more.get("simulate")),
            trust_scripts=bool(more.get("trust_scripts")),
        )
        names = self._meet(Names(loaded.definition))
        id = _OneId(RandomIds().new())
        settings = {"folder": str(Path.cwd()), **self._options.settings, **_given(more)}
        watching = self._watching
        opened = governor_on(
            self._options.db, watching.listener, ids=id, hear=watching.hear, detached=self._options.detach
        )
        with opened as governor, _interruptible(governor, id.new()):
            if watching.listener is not None and not loaded.errors:
                for finding in loaded.findings:
                    self._messages.item(("check", Style.WARN), str(finding))
            if knowledge is not None:
                for unreadable in governor.knowledge.take_in(Path(knowledge)).unreadable:
                    self._warn(str(unreadable))
            with watching.going(), self._own_output():
                result = governor.start(loaded, variables, starter=self._options.user, settings=settings)
                result = self._converse(governor, result, names)
            return self._finish(governor, result, names)

    def go_on(self, find: Find, move: Move, *, converse: bool = True) -> Exit:
        """Move an instance that is there, and run it on; unless `converse`, without asking anybody for more."""
        options, watching = self._options, self._watching
        with governor_on(
            options.db, watching.listener, instead=options.settings, must_exist=True, hear=watching.hear
        ) as governor:
            instance = find(governor)
            names = self._meet(names_of(governor, instance))
            with _interruptible(governor, instance):
                with watching.going(lambda: governor.store.events(instance)), self._own_output():
                    result = move(governor, instance, names)
                    if converse and result.status != Status.SUSPENDED:
                        result = self._converse(governor, result, names)
                return self._finish(governor, result, names)

    def operate(self, find: Find, move: Move) -> Exit:
        """Do something to an instance that does not run it on: WAITING where somebody has to agree to it first."""
        asked: list[bool] = []

        def noted(governor: Governor, instance: str, names: Names) -> RunResult:
            result = move(governor, instance, names)
            asked.append(any(each.get("kind") == KIND and each["status"] == "open" for each in result.interventions))
            return result

        self.go_on(find, noted, converse=False)
        return Exit.WAITING if asked[0] else Exit.DONE

    def _own_output(self) -> AbstractContextManager[None]:
        """What handlers print must not stand in the one JSON object."""
        return others_print_to_stderr() if self._options.json else nullcontext()

    def _meet(self, names: Names) -> Names:
        """Use the names of the definition from now on."""
        self._watching.meet(names)
        self._answers.require_known(names.ids)
        return names

    def _converse(self, governor: Governor, result: RunResult, names: Names) -> RunResult:
        """Go on as long as somebody has an answer."""
        settings = governor.store.instance(result.instance).settings
        answerers = self._answerers(names, simulated=bool(settings.get("simulate")))
        return Conversation(governor, answerers).go_on(result)

    def _finish(self, governor: Governor, result: RunResult, names: Names) -> Exit:
        for answer in self._answers.unused():
            self._warn(f"{answer.place}: the answer for {answer.element} was not used")
        if self._options.json:
            print_json(result.to_json())
        else:
            process = governor.store.instance(result.instance).process
            screen = output(plain=self._options.plain)
            Outcome(screen, names, Hints(self._options.db)).tell(result, names.process(process))
        if self._options.report is not None:
            _report(governor, result.instance, self._options.report)
        return exit_for(result.status)

    def _answerers(self, names: Names, *, simulated: bool) -> list[Answerer]:
        options = self._options
        answerers: list[Answerer] = [FileAnswerer(self._answers, options.user, options.roles)]
        if simulated:
            answerers.append(SimulatedAnswerer())
        if someone_is_there() and not options.json:
            # Only a run that a person watches pays for forms.
            from engine.cli.asking.terminal import at_terminal

            at_hand = at_terminal(self._messages, names, options.user, options.roles)
            answerers.append(self._watching.by(at_hand))
        return answerers

    def _warn(self, text: str) -> None:
        self._messages.item(("warning", Style.WARN), text)


def _given(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def _report(governor: Governor, instance: str, file: str) -> None:
    # Templates are for those who want the page.
    from engine.report.page import write_report

    write_report(governor.store, instance, file)


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
        person = somebody(by)
        contexts = ContextNames.of(governor, governor.graph(instance), instance)
        whose = branch_of(governor, instance, branch)
        return governor.restore_context(instance, contexts.snapshot(snapshot), branch=whose, by=person)

    return move


def branch_of(governor: Governor, instance: str, branch: str | None) -> str | None:
    """A branch by the name that people use. Raises UnknownContext."""
    return None if branch is None else ContextNames.of(governor, governor.graph(instance), instance).branch(branch)
