"""The policies of a file, resolved: activities by dimensions, and where each part is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from bpmn.definition import Element
from bpmn.load import Loaded, load
from bpmn.walk import elements
from engine.cli.names import Names
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Cell, Screen, Span, Style
from engine.errors import NotDeployable
from governance.policy import Origin, Policy, ResolvedPolicy

_GOVERNED_GATEWAYS: Final = frozenset({"parallelGateway", "inclusiveGateway", "complexGateway"})
_NOTHING: Final = "-"


class Dimension(NamedTuple):
    """A column: its heading, the fields of a policy it shows, and how."""

    title: str
    fields: tuple[str, ...]
    text: Callable[[Policy], str]
    optional: bool = False
    """Left out where no activity sets it."""


def _branches(policy: Policy) -> str:
    merge = "by default" if policy.merge is None else policy.merge.value
    keys = "".join(f", {name} {strategy.value}" for name, strategy in policy.merge_keys.items())
    return f"split {policy.split.value}\nmerge {merge}{keys}"


def _knowledge(policy: Policy) -> str:
    return "\n".join(f"{each.count} {each.type} ≥ {each.min_confidence:g}" for each in policy.knowledge_requirements)


def _approval(policy: Policy) -> str:
    approval = policy.approval
    parts = [", ".join(approval.roles), "four eyes" if approval.four_eyes else "", approval.due or ""]
    return "; ".join(part for part in parts if part)


DIMENSIONS: Final = (
    Dimension("threshold", ("working_threshold",), lambda policy: f"{policy.working_threshold:,}"),
    Dimension("retain", ("retain_keys",), lambda policy: ", ".join(policy.retain_keys)),
    Dimension("compress", ("compress_strategy",), lambda policy: policy.compress_strategy.value),
    Dimension("level", ("interaction_level",), lambda policy: policy.interaction_level.value),
    Dimension("knowledge", ("knowledge_requirements",), _knowledge),
    Dimension("branches", ("split", "merge", "merge_keys"), _branches),
    Dimension("approval", ("approval",), _approval, optional=True),
    Dimension("window", ("window_tokens",), lambda policy: f"{policy.window_tokens:,}", optional=True),
)


def show_policies(file: str, process: str | None, *, as_json: bool) -> None:
    """Print the matrix. Raises BpmnError, and NotDeployable for policies that are wrong."""
    loaded = load(file, process=process)
    wrong = [finding for finding in loaded.errors if finding.rule.startswith("policy")]
    if wrong:
        raise NotDeployable(file, wrong)
    if as_json:
        print_json(_document(loaded))
        return
    screen, names = output(), Names(loaded.definition)
    for id in loaded.definition.processes:
        rows = list(_governed(loaded, id))
        if rows:
            screen.line((names.process(id), Style.NAME), (f" ({id})", Style.DIM))
            _table(screen, names, rows)
            screen.line()
    screen.line(("The second line of a field says where it is written; nothing: it is the default.", Style.DIM))


def _table(screen: Screen, names: Names, rows: list[Element]) -> None:
    shown = [each for each in DIMENSIONS if not each.optional or any(_is_set(row.resolved, each) for row in rows)]
    screen.table(
        ["activity", *(dimension.title for dimension in shown)],
        [[_title(names, row), *(_cell(row, dimension) for dimension in shown)] for row in rows],
    )


def _title(names: Names, element: Element) -> Cell:
    return [(names.element(element.id), Style.STRONG), (f"\n{element.id}", Style.DIM)]


def _cell(element: Element, dimension: Dimension) -> Cell:
    """The value, and below where it is written; inherited values are dimmed."""
    resolved = element.resolved
    text = dimension.text(resolved.policy) or _NOTHING
    origins = [resolved.origins[field] for field in dimension.fields if field in resolved.origins]
    written = list(dict.fromkeys(origin for origin in origins if origin.element is not None))
    own = any(origin.kind == "element" for origin in written)
    value: Span = text if own else (text, Style.DIM)
    return [value, *((f"\n{_place(origin)}", Style.GOOD if own else Style.DIM) for origin in written)]


def _place(origin: Origin) -> str:
    """`element (line)`, with what kind of thing it is inherited from."""
    kind = "" if origin.kind == "element" else f"{origin.kind} "
    return f"{kind}{origin.element}" + (f" ({origin.line})" if origin.line else "")


def _is_set(resolved: ResolvedPolicy, dimension: Dimension) -> bool:
    origins = resolved.origins
    return any(origins[field].element is not None for field in dimension.fields if field in origins)


def _governed(loaded: Loaded, process: str) -> Iterator[Element]:
    """Activities, and the gateways that split and join."""
    for element in elements(loaded.definition.processes[process]):
        is_activity = element.kind.lower().endswith(("task", "subprocess", "callactivity", "transaction"))
        if is_activity or element.kind in _GOVERNED_GATEWAYS:
            yield element


def _document(loaded: Loaded) -> Mapping[str, Any]:
    activities = [
        {
            "process": process,
            "element": element.id,
            "name": element.name,
            "kind": element.kind,
            "line": element.line,
            **element.resolved.model_dump(mode="json"),
        }
        for process in loaded.definition.processes
        for element in _governed(loaded, process)
    ]
    return {"file": loaded.definition.file, "process": loaded.definition.main, "activities": activities}
