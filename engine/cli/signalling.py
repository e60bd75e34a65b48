"""`governor signal`: every instance that waits for a signal is moved on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cli.exits import Exit, exit_for
from engine.cli.output import others_print_to_stderr, print_json
from engine.cli.running import RunOptions
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.telling.outcome import LOOKS
from engine.cli.wiring import governor_on
from engine.result import RunResult


def send_signal(options: RunOptions, name: str, payload: Mapping[str, Any]) -> Exit:
    """Send it, and tell what each instance that received it came to."""
    with governor_on(options.db, instead=options.settings, must_exist=True) as governor, others_print_to_stderr():
        results = [governor.result(instance) for instance in governor.signal(name, payload)]
    if options.json:
        print_json({"signal": name, "received": [result.to_json() for result in results]})
    else:
        _tell(name, results, plain=options.plain)
    return Exit.FAILED if any(exit_for(each.status) is Exit.FAILED for each in results) else Exit.DONE


def _tell(name: str, results: list[RunResult], *, plain: bool) -> None:
    screen = output(plain=plain)
    if not results:
        screen.line(f"No instance waits for the signal {name}.")
    for each in results:
        status = (each.status, LOOKS.get(each.status, Style.STRONG))
        screen.line((each.instance, Style.NAME), "  ", status, f"  {each.reason}" if each.reason else "")
