"""`context_inspect`: what stands in the context, and how much of it is shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from governance.layers.spaces import space_for
from governance.snapshots.model import Item, key_of
from governance.snapshots.render import render_value
from governance.tools.arguments import InspectArguments
from governance.tools.bench import Bench
from governance.tools.errors import ToolRefused
from governance.vocabulary import Fidelity, Layer

NAME: Final = "context_inspect"
MOST_CHARS: Final = 16_000
"""So much text is given at once; what is left out is named."""

MOST_NAMES: Final = 50

_LAYERS: Final = (Layer.SYSTEM, Layer.PROCESS, Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING)


def inspect(bench: Bench, asked: InspectArguments) -> dict[str, Any]:
    """Counts of each layer; entries as shown, or those of `keys` in full. Raises ToolRefused for a key there is not."""
    layers = _LAYERS if asked.layer == "ALL" else (Layer(asked.layer),)
    told: dict[str, Any] = {"branch": bench.branch, "snapshot": bench.context.head}
    told["layers"] = {layer.value: _counts(bench, layer) for layer in layers}
    if asked.keys:
        return {**told, **_within(_in_full(bench, layers, asked.keys))}
    if asked.summary_only:
        return told
    shown = {
        f"{layer.value}/{name}": _told(bench, key_of(space_for(layer, bench.context.scope), name), item)
        for layer in layers
        for name, item in sorted(_space(bench, layer).rendered.items())
    }
    return {**told, **_within(shown)}


def _space(bench: Bench, layer: Layer) -> Any:
    return bench.context.contents.space(space_for(layer, bench.context.scope))


def _counts(bench: Bench, layer: Layer) -> dict[str, Any]:
    space, name_of_space = _space(bench, layer), space_for(layer, bench.context.scope)
    hidden = bench.hidden()
    archived = sorted(name for name in space.archived if key_of(name_of_space, name) not in hidden)
    counts = {"entries": len(space.rendered), "chars": space.totals.chars, "tokens": space.totals.tokens}
    return {**counts, "archived": len(archived), "archived_names": archived[:MOST_NAMES]} if archived else counts


def _in_full(bench: Bench, layers: Sequence[Layer], names: Sequence[str]) -> dict[str, Any]:
    """Full values by `LAYER/name`; a name may say its layer itself."""
    found: dict[str, Any] = {}
    hidden = bench.hidden()
    for wanted in names:
        places = [
            (layer, name, key_of(space_for(layer, bench.context.scope), name))
            for layer in layers
            for name in (wanted, wanted.removeprefix(f"{layer.value}/"))
        ]
        standing = [place for place in dict.fromkeys(places) if bench.context.contents.item(place[2]) is not None]
        if not standing:
            raise ToolRefused(NAME, f"there is no entry {wanted}")
        open_ones = [place for place in standing if place[2] not in hidden]
        if not open_ones:
            raise ToolRefused(NAME, f"{wanted} is kept from this branch")
        for layer, name, key in open_ones:
            found[f"{layer.value}/{name}"] = _full(bench, key)
    return found


def _full(bench: Bench, key: str) -> Any:
    """The value as a reader sees it in full: a record in HISTORY with its outputs."""
    item = bench.context.contents.item(key)
    assert item is not None
    return json.loads(render_value(bench.context.values, key, item._replace(fidelity=Fidelity.FULL)))


def _told(bench: Bench, key: str, item: Item) -> Any:
    text = render_value(bench.context.values, key, item)
    return text if item.fidelity is Fidelity.FULL else {"shown": text, "fidelity": item.fidelity.name}


def _within(entries: dict[str, Any]) -> dict[str, Any]:
    """As many entries as there is room for; the first is cut if it is larger than all the room."""
    given: dict[str, Any] = {}
    left, room = [], MOST_CHARS
    for name, value in entries.items():
        text = value if isinstance(value, str) else str(value)
        if len(text) > room and given:
            left.append(name)
            continue
        given[name] = value if len(text) <= room else f"{text[:room]}… ({len(text) - room} more characters)"
        room -= min(len(text), room)
    return {"entries": given, **({"left_out": left} if left else {})}
