"""`governor policy`: the policies of a file, resolved, and where each part of them is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bpmn.load import Loaded, load
from bpmn.reader.source import Limits, read_source
from bpmn.writer.policy import with_policy
from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.telling.matrix import PolicyMatrix
from engine.errors import NotDeployable
from engine.names import Names
from engine.policy_matrix import governed, policy_rows
from engine.whole_file import replace


def show_policies(file: str, process: str | None, *, as_json: bool) -> None:
    """Print the matrix of each process. Raises BpmnError, and NotDeployable for policies that are wrong."""
    loaded = load(file, process=process)
    wrong = [finding for finding in loaded.errors if finding.rule.startswith("policy")]
    if wrong:
        raise NotDeployable(file, wrong)
    if as_json:
        print_json(_document(loaded))
        return
    screen, names = output(), Names(loaded.definition)
    for id in loaded.definition.processes:
        found = list(governed(loaded.definition, id))
        if found:
            screen.line((names.process(id), Style.NAME), (f" ({id})", Style.DIM))
            PolicyMatrix(names, found).tell(screen)


def _document(loaded: Loaded) -> Mapping[str, Any]:
    definition = loaded.definition
    return {"file": definition.file, "process": definition.main, "activities": policy_rows(definition)}


def set_policy(file: str, element: str, fields: Sequence[str], out: str | None, *, as_json: bool) -> None:
    """Write fields of one element's policy. Raises BpmnError, and BadOption for what is no FIELD=VALUE."""
    pairs = [field.partition("=") for field in fields]
    wrong = next((field for field, (_, equals, _) in zip(fields, pairs, strict=True) if not equals), None)
    if wrong is not None:
        raise BadOption("FIELD=VALUE", wrong, "write the field, an equals sign and its value")
    before = read_source(file, file, Limits())
    after = with_policy(before, file, element, {name.strip(): value for name, _, value in pairs})
    target = Path(out or file)
    try:
        replace(target, after)
    except OSError as error:
        raise BadOption("--out" if out else "FILE", str(target), error.strerror or str(error)) from error
    changed = after != before
    if as_json:
        print_json({"file": str(target), "element": element, "changed": changed})
    else:
        output().line(f"{target}: {element} " + ("is changed" if changed else "says this already"))
