"""The page about expressions, made of the tables that run them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from bpmn.expressions.languages import FRONT_ENDS
from bpmn.expressions.library.functions import FUNCTIONS
from bpmn.expressions.library.methods import METHODS
from bpmn.expressions.limits import DEFAULT_LIMITS
from bpmn.expressions.python import refusals
from bpmn.timers import CYCLE_FORMS, DATE_FORMS, DURATION_FORMS
from docs.make.juel import juel
from docs.make.markdown import code, codes, page, table
from engine.scripts.trusted import ScriptLimits

_SCRIPT: Final = ScriptLimits()
_LIMITS: Final = {
    "steps": "steps; loops and work on large values cost them",
    "seconds": "seconds of computing",
    "text": "characters of one text",
    "items": "items of one list, tuple, set or object",
    "integer_bits": "bits of a whole number",
    "depth": "levels of lists and objects inside each other",
    "result": "characters of all that comes out, as JSON",
}
_TRUSTED: Final = {
    "cpu_s": f"{_SCRIPT.cpu_s} seconds of computing, of all threads together",
    "wall_s": f"{_SCRIPT.wall_s:g} seconds by the clock",
    "memory": f"{_SCRIPT.memory >> 20:,} MiB of memory (address space)",
    "files": f"{_SCRIPT.files} bytes of a file that is written; 64 files open at a time",
}
_TYPES: Final[Mapping[type[Any], str]] = {
    str: "text",
    list: "lists",
    dict: "objects",
    tuple: "tuples",
    set: "sets",
    float: "numbers",
}


def write() -> str:
    limits = [
        [code(each.name), f"{getattr(DEFAULT_LIMITS, each.name):,}", _LIMITS[each.name]]
        for each in fields(DEFAULT_LIMITS)
        if each.name in _LIMITS
    ]
    return page(
        "Conditions and scripts",
        f"Languages: {codes(FRONT_ENDS)}. A text is in the language that is declared for it, else in the one it is "
        "written in: `${...}` or `#{...}` is JUEL, `= ...` [FEEL](feel.md), all else a safe subset of Python. All are "
        "evaluated over an allow-list; nothing in a file can import, open or call anything else. A text in another "
        "language is refused by that language's name when the file is checked.",
        "## Python: what may be written\n\n"
        f"In conditions, collections and numbers of instances: {refusals.EXPRESSIONS}.\n\n"
        f"In script tasks also: {refusals.STATEMENTS}.",
        "A name is a process variable; `order.total` and `order['total']` both read a field. A script changes "
        "variables by assigning to them and removes one with `del`; whatever it assigns to is a process variable. "
        "A variable that is not there is an error that names it; `order.get('total', 0)` asks for a field that may be "
        "missing. Values that come out are JSON: tuples and sets become lists. A condition holds as Python sees truth, "
        "but a text is an error that names the flow and the text: Python would take `'false'` for true.",
        "### Functions\n\n" + codes(sorted(FUNCTIONS)),
        "### Methods",
        table(["of", "methods"], [[_TYPES[kind], codes(sorted(names))] for kind, names in METHODS.items()]),
        *juel(),
        "## Limits\n\nOf one run of a condition or script:\n\n" + table(["limit", "at most", "of"], limits),
        "## Trusted scripts\n\n`--trust-scripts` lets scripts of a file be full Python: those that the subset refuses "
        "run in a process of their own, under Linux on x86-64 and ARM64. It sees the process's variables as globals; "
        "what it assigns to them becomes theirs, if it is JSON.",
        table(["limit", "at most"], [[code(name), told] for name, told in _TRUSTED.items()]),
        "They hold for all that a script does: it may start threads, but no processes, opens no sockets, and raises no "
        "limit (a filter of system calls refuses that by `PermissionError`). Where the system gives it namespaces, it "
        "can signal and read no process outside. It sees no variable of the environment but `PATH`. What ended it is "
        "told: computing, time, memory that it may not have (`MemoryError`) or the machine has no more of, a signal "
        "from outside. Another program is the business of a service task with a handler.",
        "## Timers\n\nISO 8601. "
        f"`timeDuration`: {codes(DURATION_FORMS)}; `timeDate`: {codes(DATE_FORMS)}, UTC without an offset; "
        f"`timeCycle`: {codes(CYCLE_FORMS)}.",
    )
