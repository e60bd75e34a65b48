"""The page about what `governor check` finds, made of its rules."""

from __future__ import annotations

import sys
from typing import Final

from bpmn.check.catalogue import RULES
from bpmn.check.rule import Rule
from docs.make.markdown import code, page, sentence, table

READING: Final = {
    "agent": ("error", "`gov:agent` has only the fields it may have, and stands on a task that an agent can do."),
    "dangling-reference": ("error", "What an element refers to is in the file."),
    "duplicate-id": ("error", "An id is used once."),
    "event-definition": ("error", "An event is of a known kind."),
    "ignored": ("warning", "An extension of a vendor, or an element of BPMN itself, is not followed."),
    "implied-event": (
        "warning",
        "A message or signal event names what it waits for or throws; one that does not goes by the name of its "
        "message flow, else by its own id.",
    ),
    "job-type": ("error", "A job type is written once, on a task that a handler can do."),
    "loop": ("error", "An activity has at most one loop marker."),
    "missing-handler": ("warning", "Every job type has a handler; a run refuses to start without."),
    "missing-start": (
        "warning",
        "A process or sub-process has a start event; without one it begins with every element that no flow leads to.",
    ),
    "passed-over": (
        "warning",
        "With `--simulate`: a script, call, condition or number of instances that nobody here does is passed over.",
    ),
    "policy-conflict": ("error", "A field of a policy is written once, or the same everywhere on its element."),
    "policy-field": ("error", "A policy has only the fields it may have."),
    "policy-misplaced": ("error", "Policies and `gov:` attributes stand where they are read."),
    "policy-value": ("error", "A field of a policy has a value that it may have."),
    "several-processes": ("error", "Of several processes, `--process` names the one to start."),
    "timer": ("error", "A timer has one of a date, a duration and a cycle."),
    "unreadable": ("error", "The file is there, is XML and is BPMN 2.0, within limits and without a DOCTYPE."),
}
"""Findings of reading, policies and handlers: severity, and what holds where they find nothing."""


def write() -> str:
    head = ("code", "severity", "holds")
    rules = sorted(RULES, key=lambda rule: rule.code)
    return page(
        "What check finds",
        "`governor check FILE` tells each finding on a line: file, line, severity, code, element, what is wrong, what "
        "was found and what is allowed. An error keeps the file from being run (exit code 2); a warning does not.",
        "`--format json` (or `--json`) gives `{file, process, errors, warnings, findings, rewritten}`, "
        "`--format github` annotations for GitHub Actions.",
        "## Rules",
        table(head, [[code(each.code), each.severity, holds(each)] for each in rules]),
        "## Reading, policies, handlers",
        table(head, [[code(name), *told] for name, told in READING.items()]),
    )


def holds(rule: Rule) -> str:
    """What the rule asks for: the first lines of its module."""
    return sentence(sys.modules[rule.check.__module__].__doc__ or "")
