"""One decision, asked from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bpmn.dmn.decisions import Decided, Decisions
from bpmn.dmn.model import DecisionModel, Reference
from bpmn.errors import BpmnError
from bpmn.expressions.outside import Outside
from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import messages, output
from engine.cli.screen.port import Style
from engine.json_text import pretty
from engine.store.ids import RandomIds
from governance.ports import SystemClock


def decide_file(
    file: str, decision: str | None, variables: Mapping[str, Any], more: Sequence[str], *, as_json: bool
) -> None:
    """Ask a decision of a file and print what it gives. Raises BpmnError."""
    decisions = Decisions.load(_sources(file, more))
    model = next(each for each in decisions.models if each.file == file)
    reference = _asked(decisions, model, decision)
    decided = decisions.decide(reference, variables, outside=Outside(SystemClock().now(), RandomIds().new()))
    if as_json:
        print_json({"decision": reference.id, "result": decided.json, "notes": [str(note) for note in decided.notes]})
        return
    output().line(pretty(decided.json))
    _tell_notes(decided)


def _tell_notes(decided: Decided) -> None:
    """Why the result is null; what was null on the way to another is for those who ask for JSON."""
    if decided.json is None:
        for note in decided.notes:
            messages().item(("null", Style.WARN), str(note))


def _asked(decisions: Decisions, model: DecisionModel, name: str | None) -> Reference:
    if name is None and len(model.decisions) == 1:
        return Reference(model.namespace, next(iter(model.decisions)))
    if name is None:
        known = [*(each.name for each in model.decisions.values()), *(each.name for each in model.services.values())]
        raise BadOption("--decision", "", f"say which one: {', '.join(known) or 'the file has none'}")
    return decisions.find(name, file=model.file, among=model.namespace)


def _sources(file: str, more: Sequence[str]) -> dict[str, str]:
    """The file first, then those it may import: those given, and those beside it that can be read."""
    found = {file: file, **{each: each for each in more}}
    known = {Path(each).resolve() for each in found}
    for path in sorted(Path(file).resolve().parent.glob("*.dmn")):
        if path not in known and _is_readable(path):
            found[str(path)] = str(path)
    return found


def _is_readable(path: Path) -> bool:
    try:
        Decisions.load({str(path): path})
    except BpmnError:
        return False
    return True
