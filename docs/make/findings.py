"""The page about what `governor check` finds, made of its rules."""

from __future__ import annotations

import sys
from typing import Final

from bpmn.check.catalogue import RULES
from bpmn.check.rule import Rule
from docs.make.markdown import code, page, sentence, table

READING: Final = {
    "agent": ("error", "`gov:agent` has only the fields it may have, and stands on a task that an agent can do."),
    "called-decision": ("error", "A task asks for one decision, of one file, and maps its result in a known way."),
    "data": ("error", "Data and properties stand where something is run that they belong to."),
    "dangling-reference": ("error", "What an element refers to is in the file."),
    "decision": ("error", "What a decision requires is there, in no circle; its types are; its texts are in FEEL."),
    "decision-expression": ("error", "A text of a decision is correct FEEL."),
    "decision-file": ("warning", "A `.dmn` file beside the process can be read."),
    "decision-function": ("warning", "A decision calls functions that FEEL or its model has; another one gives null."),
    "decision-import": ("error", "The models that a decision model imports are among the files."),
    "duplicate-id": ("error", "An id is used once."),
    "event-definition": ("error", "An event is of a known kind."),
    "event-end": (
        "warning",
        "A boundary or intermediate event has an outgoing flow; in a file of an engine that runs it without, its path "
        "ends there.",
    ),
    "function-kind": ("error", "A function of a decision model is in FEEL, not Java or PMML."),
    "hit-policy": ("error", "A decision table has a hit policy and an aggregation of DMN."),
    "ignored": ("warning", "An extension of a vendor, or an element of BPMN itself, is not followed."),
    "implied-event": (
        "warning",
        "A message or signal event names what it waits for or throws; one that does not goes by the name of its "
        "message flow, else by its own id.",
    ),
    "import": ("error", "A decision model imports decision models only."),
    "imported-values": ("error", "A literal expression has a text of its own."),
    "job-type": ("error", "A job type is written once, on a task that a handler can do."),
    "loop": ("error", "An activity has at most one loop marker."),
    "mapping-value": ("error", "An input or output is text, a script written there, or a list or map of these."),
    "missing-decision": ("warning", "Every decision that is asked for is there; a run refuses to start without."),
    "missing-form": ("warning", "The form of a task that stands in another file is beside the process."),
    "missing-handler": ("warning", "Every job type has a handler; a run refuses to start without."),
    "missing-start": (
        "warning",
        "A process or sub-process has a start event; without one it begins with every element that no flow leads to.",
    ),
    "no-input-expression": ("error", "An input of a decision table has an expression."),
    "no-output": ("error", "A decision table has an output."),
    "passed-over": (
        "warning",
        "With `--simulate`: what nobody here does, or the drawing leaves open, is passed over: a script, call, "
        "condition, time or number.",
    ),
    "policy-conflict": ("error", "A field of a policy is written once, or the same everywhere on its element."),
    "policy-field": ("error", "A policy has only the fields it may have."),
    "policy-misplaced": ("error", "Policies and `gov:` attributes stand where they are read."),
    "policy-value": ("error", "A field of a policy has a value that it may have."),
    "relation-row": ("error", "A row of a relation has a cell for each column."),
    "rule-width": ("error", "A rule has an entry for each input and output of its table."),
    "several-handlers": ("error", "A compensation boundary event is associated with one activity that undoes its own."),
    "several-processes": ("error", "Of several processes, `--process` names the one to start."),
    "sequence-flow": (
        "error",
        "`incoming` and `outgoing` say what the sequence flows say, as far as they are there; flows are immediate, and "
        "those out of start events have no condition: in files of engines that run them all the same, it is a warning.",
    ),
    "timer": ("error", "A timer has one of a date, a duration and a cycle."),
    "trusted-script": ("warning", "With `--trust-scripts`: a script is full Python, and runs in a process of its own."),
    "unreadable": ("error", "The file is there, is XML and is BPMN 2.0, within limits and without a DOCTYPE."),
}
"""Findings of reading, policies, handlers and decisions: severity, and what holds where they find nothing."""


def write() -> str:
    head = ("code", "severity", "holds")
    rules = sorted(RULES, key=lambda rule: rule.code)
    return page(
        "What check finds",
        "`governor check FILE` tells each finding on a line: file, line, severity, code, element, what is wrong, what "
        "was found and what is allowed. An error keeps the file from being run (exit code 2); a warning does not.",
        "`--format json` (or `--json`) gives `{file, process, errors, warnings, findings, rewritten}`, "
        "`--format github` annotations for GitHub Actions, `--format sarif` a log for code scanning (SARIF 2.1.0).",
        "## Rules",
        table(head, [[f"[{code(each.code)}](rules/{each.code}.md)", each.severity, holds(each)] for each in rules]),
        "## Reading, policies, handlers, decisions",
        table(head, [[code(name), *told] for name, told in READING.items()]),
    )


def holds(rule: Rule) -> str:
    """What the rule asks for: the first lines of its module."""
    return sentence(sys.modules[rule.check.__module__].__doc__ or "")
