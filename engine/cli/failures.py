"""From an exception to what the user reads: a clear line and an exit code, or one JSON object."""

from __future__ import annotations

import os
import sys
from typing import Any

from engine.clean_text import clean
from engine.cli.exits import Exit


def is_expected(error: BaseException, *, as_json: bool) -> bool:
    """Whether `report` should tell it: an error about what the user gave or about the world, or an interrupt.

    Usage errors are Typer's own to tell, unless they are to be JSON; the rest are defects.
    """
    if isinstance(error, OSError | KeyboardInterrupt):
        return True
    if _is_usage(error):
        return as_json
    from bpmn.errors import BpmnError
    from engine.errors import EngineError
    from governance.errors import GovernanceError

    return isinstance(error, BpmnError | EngineError | GovernanceError)


def report(error: BaseException, *, as_json: bool) -> Exit:
    """Tell the user; what to exit with."""
    if isinstance(error, BrokenPipeError):
        _forget_output()
        return Exit.BROKEN_PIPE
    if isinstance(error, KeyboardInterrupt):
        sys.stderr.write(f"\ngovernor: {error if str(error) else 'interrupted'}\n")
        return Exit.INTERRUPTED
    if as_json:
        from engine.cli.output import print_json

        print_json({"error": describe(error)})
    else:
        message = clean(_message(error))
        sys.stderr.write(message + "\n" if "\n" in message else f"governor: {message}\n")
    return Exit.BAD_INPUT


def describe(error: BaseException) -> dict[str, Any]:
    """An error as JSON: type, message, and its facts by name."""
    document = {"type": type(error).__name__, "message": _message(error)}
    if _is_usage(error) or isinstance(error, OSError):
        return document
    from engine.error_facts import facts_of

    return {**facts_of(error), **document}


def _message(error: BaseException) -> str:
    if _is_usage(error):
        return str(error.format_message())  # type: ignore[attr-defined]
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__


def _is_usage(error: BaseException) -> bool:
    return hasattr(error, "format_message")


def _forget_output() -> None:
    """Let Python flush what is left to nowhere when it ends, instead of complaining."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
