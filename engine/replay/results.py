"""What work came to, as JSON and back: outcomes, thoughts, and whatever was raised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from engine.activities.work import BpmnErrorRaised, DeadEndNote, Finding, Outcome, Suspended
from engine.errors import EngineError
from engine.governed.chains import Thought
from engine.governed.dead_ends import DeadEndReached
from engine.governed.refusals import Refused
from engine.replay.cause import kept
from governance.cda.dead_ends.transient import is_transient
from governance.errors import NotJson
from governance.snapshots.canonical import thaw
from governance.snapshots.values import ValueStore
from governance.vocabulary import Producer

Came = Outcome | Thought | Exception



class Unkept(EngineError):
    """A result that could not be kept."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"what the work came to was not kept: {why}")


_PLAIN: Final = (
    "confidence", "decision", "blocked_tool", "breached_guard", "tokens_assembled", "tokens_ungoverned", "head",
    "outside", "zones", "refused",
)  # fmt: skip
_FRESH: Final = Outcome()


def dump_result(values: ValueStore, result: Came) -> dict[str, Any]:
    """A result; what it produced is put into `values`. What cannot be kept, as it is no JSON, says so."""
    try:
        return _dump(values, result)
    except NotJson as error:
        return {"unkept": str(error)}


def _dump(values: ValueStore, result: Came) -> dict[str, Any]:
    if isinstance(result, Outcome):
        return {"outcome": _outcome(values, result)}
    if isinstance(result, Thought):
        return {"thought_hash": values.put(asdict(result))}
    if isinstance(result, BpmnErrorRaised):
        text_hash, outputs = values.put(str(result)), kept(values, result.variables)
        return {"bpmn_error": result.code, "text_hash": text_hash, "outputs": outputs}
    if isinstance(result, Suspended):
        return {"suspended": result.element}
    if isinstance(result, Refused | DeadEndReached):
        return {"refused": type(result).__name__}
    return {
        "error": [each.__name__ for each in type(result).__mro__ if issubclass(each, Exception)],
        "text_hash": values.put(str(result)),
        "transient": is_transient(result),
    }


def load_result(values: ValueStore, row: Mapping[str, Any]) -> Came | None:
    """The result; None for a refusal, which is found again. Raises UnknownValue, Unkept."""
    if "unkept" in row:
        raise Unkept(row["unkept"])
    if "outcome" in row:
        return _load_outcome(values, row["outcome"])
    if "thought_hash" in row:
        return Thought(**thaw(values.get(row["thought_hash"])))
    if "bpmn_error" in row:
        variables = {name: thaw(values.get(each)) for name, each in row["outputs"].items()}
        raised = BpmnErrorRaised(row["bpmn_error"], "", variables)
        raised.args = (values.get(row["text_hash"]),)
        return raised
    if "suspended" in row:
        return Suspended(row["suspended"])
    if "refused" in row:
        return None
    return _error(row["error"], values.get(row["text_hash"]), row["transient"])


def _outcome(values: ValueStore, outcome: Outcome) -> dict[str, Any]:
    """Only what differs from an empty outcome."""
    row = {name: value for name in _PLAIN if (value := getattr(outcome, name)) != getattr(_FRESH, name)}
    row["producer"] = outcome.producer.value
    if outcome.outputs:
        row["outputs"] = kept(values, outcome.outputs)
    for name in ("deleted", "trusted"):
        if names := getattr(outcome, name):
            row[name] = sorted(names)
    if outcome.problems:
        row["problems"] = list(outcome.problems)
    if outcome.tools:
        row["tools"] = list(outcome.tools)
    if outcome.findings:
        row["findings_hash"] = values.put([asdict(each) for each in outcome.findings])
    if outcome.dead_ends:
        row["dead_ends_hash"] = values.put([[*each[:3], list(each.activities)] for each in outcome.dead_ends])
    return row


def _load_outcome(values: ValueStore, row: Mapping[str, Any]) -> Outcome:
    notes = thaw(values.get(row["dead_ends_hash"])) if "dead_ends_hash" in row else ()
    findings = values.get(row["findings_hash"]) if "findings_hash" in row else ()
    return Outcome(
        **{name: row[name] for name in _PLAIN if name in row},
        outputs={name: thaw(values.get(each)) for name, each in row.get("outputs", {}).items()},
        deleted=frozenset(row.get("deleted", ())),
        trusted=frozenset(row.get("trusted", ())),
        problems=tuple(row.get("problems", ())),
        tools=tuple(row.get("tools", ())),
        findings=tuple(Finding(**each) for each in findings),
        producer=Producer(row["producer"]),
        dead_ends=tuple(DeadEndNote(each[0], each[1], each[2], tuple(each[3])) for each in notes),
    )


class _Raised(Exception):
    """Stands for an exception whose class is not here."""

    status_code: int | None = None


def _error(names: list[str], text: str, transient: bool) -> Exception:
    """An exception that is told and caught as that one was: by the names of its class and of those above it."""
    kind: type[Exception] = _Raised
    for name in reversed([each for each in names if each != "Exception"]):
        kind = type(name, (kind,), {})
    raised = kind(text)
    if transient:
        raised.status_code = 503  # type: ignore[attr-defined]
    return raised
