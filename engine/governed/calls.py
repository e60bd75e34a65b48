"""An agent's calls as instances: their arguments, and what they came to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from engine.governed.token import Token
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import key_of
from governance.snapshots.render import record_outputs
from governance.vocabulary import Layer

META: Final = "_meta"
"""In a call: its id, and the name of its tool. All else are arguments."""
CHANGED_BY: Final = "changed_by"
BEFORE: Final = "before"
"""On the task of a box: the names of the records in HISTORY before its calls."""


def arguments_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call."""
    return {name: value for name, value in call.items() if name != META}


def result_of(call: Any, content: Any) -> dict[str, Any]:
    """What goes back to the agent: of a call that a person changed also what was called with, and who said so."""
    meta = call.get(META, {}) if isinstance(call, Mapping) else {}
    if CHANGED_BY in meta:
        told = {CHANGED_BY: meta[CHANGED_BY], "arguments": arguments_of(call), "reason": meta.get("reason", "")}
        content = {**told, "result": content}
    return {"id": meta.get("id", ""), "name": meta.get("name", ""), "content": content}


def changed(call: Mapping[str, Any], arguments: Mapping[str, Any], by: str, reason: str) -> dict[str, Any]:
    """The call with the arguments that a person put in the place of its own."""
    meta = call.get(META, {})
    return {**arguments, META: {**(meta if isinstance(meta, Mapping) else {}), CHANGED_BY: by, "reason": reason}}


def given_since(graph: SnapshotGraph, before: Collection[str], token: Token) -> Any:
    """The outputs of the activities that a token's path has gone through since, later ones first where names meet.

    None if there are none.
    """
    contents, values = graph.contents(token.head), graph.values
    given: dict[str, Any] = {}
    for name in token.recent:
        item = None if name in before else contents.item(key_of(Layer.HISTORY, name))
        if item is not None:
            outputs = record_outputs(values.get(item.value)) or ()
            given.update({output: values.get(hash) for output, hash in outputs})
    return given or None
