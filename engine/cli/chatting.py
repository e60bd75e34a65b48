"""A chat with an instance: what it does is told as it happens, what is typed goes in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

from engine.chat.bridge import ChatProcessBridge
from engine.chat.replies import WrongReply
from engine.cli.exits import Exit, exit_for
from engine.cli.options import somebody
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.stored import names_of
from engine.cli.telling.chat import ChatTeller
from engine.cli.wiring import governor_on
from engine.errors import UnknownBranch
from engine.governor import Governor
from engine.people.answering import AlreadyDone, NotForThem, WrongOutputs
from engine.result import RunResult
from engine.status import Status
from engine.waiting import WAITS_FOR_PEOPLE
from governance.human_loop.errors import InterventionError

_QUIT: Final = "/quit"
_HELP: Final = "/help"
_TOLD: Final = 12
"""So many of the last things that happened are told at the beginning."""
_REFUSALS: Final = (WrongReply, WrongOutputs, AlreadyDone, NotForThem, InterventionError, UnknownBranch)


def chat(db: str | None, prefix: str, by: str | None, roles: tuple[str, ...]) -> Exit:
    """Talk until the instance ends, `/quit`, or the end of input. What comes of it is the exit code."""
    by = somebody(by)
    with governor_on(db, must_exist=True) as governor:
        instance = governor.store.find_instance(prefix)
        screen = output()
        teller = ChatTeller(screen, names_of(governor, instance))
        bridge = ChatProcessBridge(governor)
        try:
            _tell_last(bridge, instance, teller)
            bridge.listen(teller, instance)
            return _Talk(governor, bridge, screen, teller, instance, by, roles).go_on()
        finally:
            bridge.close()


def _tell_last(bridge: ChatProcessBridge, instance: str, teller: ChatTeller) -> None:
    for event in bridge.history(instance)[-_TOLD:]:
        teller(event)


class _Talk:
    """One conversation at a terminal, or with the lines of standard input."""

    def __init__(
        self,
        governor: Governor,
        bridge: ChatProcessBridge,
        screen: Screen,
        teller: ChatTeller,
        instance: str,
        by: str,
        roles: tuple[str, ...],
    ) -> None:
        self._governor, self._bridge, self._screen, self._teller = governor, bridge, screen, teller
        self._instance, self._by, self._roles = instance, by, roles

    def go_on(self) -> Exit:
        result = self._governor.result(self._instance)
        for line in self._lines(result):
            if line == _QUIT:
                break
            try:
                result = self._said(line, result)
            except _REFUSALS as error:
                self._screen.item(("no", Style.BAD), str(error))
            if result.status in (Status.COMPLETED, Status.STALLED):
                break
        return exit_for(result.status)

    def _lines(self, result: RunResult) -> Iterator[str]:
        self._ask(result)
        while True:
            try:
                line = input("> ") if sys.stdin.isatty() else input()
            except EOFError:
                return
            if line.strip():
                yield line.strip()

    def _said(self, line: str, result: RunResult) -> RunResult:
        """A reply to what is asked, or, after a `/say`, and where nothing is asked, something said."""
        if line == _HELP:
            self._help()
            return result
        asked = _first_question(result)
        if line.startswith("/say ") or asked is None:
            result = self._bridge.on_chat_turn(self._instance, line.removeprefix("/say "), by=self._by)
        else:
            result = self._bridge.reply(asked["id"], line, by=self._by, roles=self._roles)
        self._ask(result)
        return result

    def _ask(self, result: RunResult) -> None:
        asked = _first_question(result)
        if asked is not None:
            self._teller.ask(asked)

    def _help(self) -> None:
        for command, what in (
            ("TEXT", "answers what is asked; where nothing is, it is said into the process"),
            ("/say TEXT", "is said into the process, whatever is asked"),
            (_QUIT, "leaves; the instance goes on waiting"),
        ):
            self._screen.fact(command, what, width=10)


def _first_question(result: RunResult) -> dict[str, Any] | None:
    return next((dict(each) for each in result.waiting if each["kind"] in WAITS_FOR_PEOPLE), None)
