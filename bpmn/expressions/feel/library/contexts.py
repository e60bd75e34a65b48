"""Functions on contexts (DMN 1.5, 10.3.4.10)."""

from __future__ import annotations

from typing import Any, Final

from bpmn.expressions.feel.library.builtin import Library, refused
from bpmn.expressions.feel.semantics.evaluation import Evaluation

CONTEXTS: Final = Library()

Context = dict[str, Any]


@CONTEXTS.define("get value(m: context, key: string)")
def _get(_: Evaluation, context: Context, key: str) -> Any:
    if key not in context:
        raise refused(f"the context has no entry {key}")
    return context[key]


@CONTEXTS.define("get value(m: context, keys: list)")
def _get_deep(_: Evaluation, context: Context, keys: list[Any]) -> Any:
    found: Any = context
    if not keys:
        raise refused("keys is empty")
    for key in keys:
        if type(found) is not dict or key not in found:
            raise refused(f"there is no entry {key}")
        found = found[key]
    return found


@CONTEXTS.define("get entries(m: context)")
def _entries(evaluation: Evaluation, context: Context) -> list[Context]:
    evaluation.charge(len(context) // 8)
    return [{"key": key, "value": value} for key, value in context.items()]


@CONTEXTS.define("context(entries: list)")
def _context(evaluation: Evaluation, entries: list[Any]) -> Context:
    evaluation.charge(len(entries) // 8)
    made: Context = {}
    for entry in entries:
        if type(entry) is not dict or "value" not in entry or type(entry.get("key")) is not str:
            raise refused("an entry is no context with a key, which is a string, and a value")
        if entry["key"] in made:
            raise refused(f"two entries have the key {entry['key']}")
        made[entry["key"]] = entry["value"]
    return made


@CONTEXTS.define("context put(context: context, key: string, value: any)")
def _put(evaluation: Evaluation, context: Context, key: str, value: Any) -> Context:
    evaluation.charge(len(context) // 8)
    return {**context, key: value}


@CONTEXTS.define("context put(context: context, keys: list, value: any)")
def _put_deep(evaluation: Evaluation, context: Context, keys: list[Any], value: Any) -> Context:
    if not keys or any(type(key) is not str for key in keys):
        raise refused("keys are not all strings, or there are none")
    if len(keys) > evaluation.run.limits.depth:
        raise refused("keys are too many")
    around: list[Context] = []
    inner: Any = context
    for key in keys[:-1]:
        around.append(inner)
        inner = inner.get(key, {})
        if type(inner) is not dict:
            raise refused(f"the entry {key} is no context")
    made: Any = {**inner, keys[-1]: value}
    for key, outer in zip(reversed(keys[:-1]), reversed(around), strict=True):
        evaluation.charge(len(outer) // 8)
        made = {**outer, key: made}
    return dict(made)


@CONTEXTS.define("context merge(contexts: list)")
def _merge(evaluation: Evaluation, contexts: list[Any]) -> Context:
    made: Context = {}
    for context in contexts:
        if type(context) is not dict:
            raise refused("contexts holds something that is no context")
        evaluation.charge(len(context) // 8)
        made.update(context)
    return made
