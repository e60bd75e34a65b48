"""A person who types what a test says."""

from __future__ import annotations

import io

from engine.cli.asking.prompter import Questions
from engine.cli.screen.plain import PlainScreen


class Scripted:
    """A prompter with its lines prepared; after them input ends."""

    def __init__(self, *lines: str) -> None:
        self._lines = iter(lines)
        self.prompts: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt.strip())
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None


class Conversation:
    """Questions to a scripted person, and what they saw."""

    def __init__(self, *lines: str) -> None:
        self._person, self._shown = Scripted(*lines), io.StringIO()
        self.questions = Questions(self._person, PlainScreen(self._shown))

    @property
    def prompts(self) -> list[str]:
        return self._person.prompts

    @property
    def shown(self) -> str:
        return self._shown.getvalue()
