"""How questions reach a person and answers come back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol

from engine.cli.screen.port import Screen


class Prompter(Protocol):
    """Asks for a line of text. Raises EOFError when the person has had enough."""

    def ask(self, prompt: str) -> str: ...


class TerminalPrompter:
    """Asks on the terminal, with line editing where both ends are one."""

    def __init__(self) -> None:
        self._edits = sys.stdin.isatty() and sys.stdout.isatty()
        if self._edits:
            import readline  # noqa: F401  # what makes `input` edit lines

    def ask(self, prompt: str) -> str:
        if self._edits:
            return input(prompt).strip()
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip()


def someone_is_there() -> bool:
    """Whether a person can read questions and type answers."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class Questions:
    """Prompts and what goes with them on the screen."""

    def __init__(self, prompter: Prompter, screen: Screen) -> None:
        self.screen, self._prompter = screen, prompter

    def text(self, prompt: str, default: str = "") -> str:
        """A line; `default` for an empty one."""
        shown = f" [{default}]" if default else ""
        return self._prompter.ask(f"  {prompt}{shown}: ") or default

    def choice(self, prompt: str, options: Sequence[str]) -> str:
        """One of the words in `options`, whose beginning is enough. Asks until it is one."""
        told = ", ".join(f"[{word[0]}]{word[1:]}" for word in options)
        while True:
            given = self._prompter.ask(f"  {prompt} {told}: ").lower()
            found = [word for word in options if given and word.startswith(given)]
            if len(found) == 1:
                return found[0]
            self.screen.line(f"  Please answer one of {', '.join(options)}.")
