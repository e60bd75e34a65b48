"""`context_compress`: lower what is shown of a layer, put it back, or say what would fall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from governance.compression.decisions import D1Decision, D1Request
from governance.layers.spaces import space_for
from governance.snapshots.model import key_of, name_of
from governance.tools.arguments import CompressArguments
from governance.tools.bench import Bench
from governance.tools.errors import ToolRefused
from governance.vocabulary import Band, Layer

NAME: Final = "context_compress"


def compress(bench: Bench, asked: CompressArguments) -> dict[str, Any]:
    """What was or would be lowered, or what was put back. Raises ToolRefused."""
    if asked.mode == "decompress":
        return _put_back(bench, asked)
    request = _request(bench, asked)
    head = bench.context.head
    if asked.mode == "evaluate":
        return _told(bench.compressor.evaluate(head, request))
    decision = bench.compressor.compress(head, request, bench.at)
    bench.goes_to(decision.snapshot_after)
    return _told(decision)


def _request(bench: Bench, asked: CompressArguments) -> D1Request:
    """D1 as it would go for the activity, in the medium band at least, with the other layers held."""
    policy = bench.request.policy
    strategy = asked.strategy or policy.compress_strategy
    retained = (*policy.retain_keys, *asked.retain_keys)
    scope, contents = bench.context.scope, bench.context.contents
    others = {Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING} - {Layer(asked.layer)}
    held = {
        key_of(space_for(layer, scope), name)
        for layer in others
        for name in contents.space(space_for(layer, scope)).rendered
    }
    return replace(
        bench.request,
        policy=policy.model_copy(update={"compress_strategy": strategy, "retain_keys": retained}),
        asked=Band.MEDIUM,
        pinned=held.union(bench.request.pinned),
    )


def _put_back(bench: Bench, asked: CompressArguments) -> dict[str, Any]:
    if not asked.retain_keys:
        raise ToolRefused(NAME, "decompress needs retain_keys: the names of the entries to put back")
    space = space_for(Layer(asked.layer), bench.context.scope)
    keys = [key_of(space, name) for name in asked.retain_keys]
    missing = [name_of(key) for key in keys if bench.context.contents.item(key) is None]
    if missing:
        raise ToolRefused(NAME, f"there is no entry {', '.join(missing)} in {asked.layer}")
    kept = [name_of(key) for key in keys if key in bench.hidden()]
    if kept:
        raise ToolRefused(NAME, f"{', '.join(kept)} is kept from this branch")
    head, raised = bench.compressor.decompress(bench.context.head, keys, bench.at)
    bench.goes_to(head)
    return {"put_back": [name_of(key) for key in raised], "snapshot": head}


def _told(decision: D1Decision) -> dict[str, Any]:
    before, after = decision.before, decision.after
    return {
        "compressed": decision.compressed,
        "band": decision.band.value,
        "pressure": [round(before.pressure, 4), round(after.pressure, 4)],
        "usage": [round(before.usage, 4), round(after.usage, 4)],
        "changes": [change.record() for change in decision.changes],
        "snapshot": decision.snapshot_after,
        "back_to": decision.snapshot_before,
    }
