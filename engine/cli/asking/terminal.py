"""A person at the terminal, who does tasks and decides."""

from __future__ import annotations

from engine.cli.asking.decision import DecisionForm
from engine.cli.asking.form import Form
from engine.cli.asking.prompter import Questions, TerminalPrompter
from engine.cli.screen.port import Screen, Style
from engine.cli.telling.shown import tell_work_item
from engine.names import Names
from engine.people.given import Decided, Done
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention


class TerminalAnswerer:
    """Asks whoever sits there; after the end of input (Ctrl-D) nobody does. The name is asked for once, if unknown."""

    def __init__(self, questions: Questions, names: Names, user: str | None, roles: tuple[str, ...] = ()) -> None:
        self._questions, self._names = questions, names
        self._user, self._roles = user, roles
        self._left = False

    def do(self, item: WorkItem) -> Done | None:
        if self._left:
            return None
        tell_work_item(self._questions.screen, item)
        try:
            by = self._name()
            roles = self._roles if item.is_for(by, self._roles) else self._asked_for(item.groups)
            return Done(outputs=Form(self._questions, item.form).fill(), by=by, roles=roles)
        except EOFError:
            self._leave()
            return None

    def decide(self, asked: Intervention) -> Decided | None:
        if self._left:
            return None
        try:
            return DecisionForm(self._questions, self._names).decide(asked, self._name(), self._roles)
        except EOFError:
            self._leave()
            return None

    def late(self, error: Exception) -> None:
        self.refused(error)

    def refused(self, error: Exception) -> None:
        self._questions.screen.line("  ", (str(error), Style.BAD))

    def _asked_for(self, groups: tuple[str, ...]) -> tuple[str, ...]:
        """The person's roles, with one that is needed."""
        if not groups:
            return self._roles
        given = self._questions.text(f"your role (needed: {', '.join(groups)})")
        return (*self._roles, given) if given else self._roles

    def _name(self) -> str:
        while not self._user:
            self._user = self._questions.text("your name")
        return self._user

    def _leave(self) -> None:
        self._left = True
        self._questions.screen.line()


def at_terminal(screen: Screen, names: Names, user: str | None, roles: tuple[str, ...]) -> TerminalAnswerer:
    """Whoever sits at this terminal."""
    return TerminalAnswerer(Questions(TerminalPrompter(), screen), names, user, roles)
