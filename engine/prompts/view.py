"""What stands at a context's head, as lines for a prompt."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection
from typing import Any, Final

from governance.layers.focus import FOCUS, focus_of
from governance.layers.limits import lasts
from governance.layers.manager import ContextLayerManager
from governance.layers.spaces import space_for
from governance.snapshots.contents import Contents, Space
from governance.snapshots.metadata import meta
from governance.snapshots.model import Item, key_of
from governance.snapshots.render import render_line, render_value
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

PATH: Final = "path/"
"""PROCESS entries of this prefix are the path taken; the others do not change during a run."""

_LAYERS: Final = (Layer.SYSTEM, Layer.PROCESS, Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING)
_NAMED: Final = 20
_STEP = re.compile(r"@(\d+):[^@]*$")


class View:
    """Read-only lines of one snapshot, seen from a variable scope."""

    def __init__(self, contents: Contents, values: ValueStore, scope: str) -> None:
        self._contents, self._values, self._scope = contents, values, scope

    def space(self, layer: Layer) -> Space:
        return self._contents.space(space_for(layer, self._scope))

    def shown_tokens(self) -> int:
        """Tokens of the entries as shown."""
        return sum(self.space(layer).totals.tokens for layer in _LAYERS)

    def full_tokens(self) -> int:
        """Tokens that the entries would have without any compression."""
        return sum(self.space(layer).totals.full_tokens for layer in _LAYERS)

    def tokens(self, text: str) -> int:
        return self._values.measure(text).tokens

    def system(self) -> list[tuple[str, str]]:
        """(name, text) of each SYSTEM entry; text as such, not as JSON."""
        rendered = self.space(Layer.SYSTEM).rendered
        return [(name, self._plain(Layer.SYSTEM, name, rendered[name])) for name in sorted(rendered)]

    def definition(self) -> dict[str, Any]:
        """PROCESS entries that do not change: by name the value where it is shown in full, else the shown text."""
        rendered = self.space(Layer.PROCESS).rendered
        return {
            name: self._value_or_text(Layer.PROCESS, name, rendered[name])
            for name in sorted(rendered)
            if not name.startswith((PATH, FOCUS))
        }

    def focus(self, branch: str) -> str:
        """What the branch is to look at, "" if nobody said."""
        return focus_of(self._contents, self._values, branch) or ""

    def path(self) -> list[tuple[str, str]]:
        """(gateway, what it chose last) in the order the choices were made."""
        rendered = self.space(Layer.PROCESS).rendered
        marks = sorted((self._age(item), name) for name, item in rendered.items() if name.startswith(PATH))
        return [
            (name.removeprefix(PATH), _choice(self._value_or_text(Layer.PROCESS, name, rendered[name])))
            for _, name in marks
        ]

    def knowledge(self, *, lasting: bool) -> list[str]:
        """Lines of KNOWLEDGE, oldest first: those sure enough to outlive their activity, or the others."""
        return self._by_age(Layer.KNOWLEDGE, lambda item: lasts(self._values, item) is lasting)

    def history(self, without: Collection[str] = ()) -> list[str]:
        """Lines of HISTORY, oldest first, but for these records."""
        return self._by_age(Layer.HISTORY, lambda item: True, without)

    def working(self) -> dict[str, str]:
        """Lines of the scope's variables by name: those written longest ago first, of one step the longest first.

        So a prompt begins as the last one did for as long as possible: what is written later stands further down.
        """
        lines = {item: self._line(Layer.WORKING, *item) for item in self.space(Layer.WORKING).rendered.items()}
        order = sorted(lines, key=lambda item: (self._age(item[1]), -len(lines[item]), item[0]))
        return {name: lines[name, item] for name, item in order}

    def archived(self, layer: Layer) -> str | None:
        """One line that tells how many entries are not shown and names some; of HISTORY the latest."""
        archived = self.space(layer).archived
        if not archived:
            return None
        named = heapq.nsmallest(_NAMED, archived, key=_latest_first if layer is Layer.HISTORY else str)
        more = f", and {len(archived) - _NAMED} more" if len(archived) > _NAMED else ""
        return f"({len(archived)} archived: ask for them by name: {', '.join(named)}{more})"

    def _by_age(self, layer: Layer, wanted: Callable[[Item], bool], without: Collection[str] = ()) -> list[str]:
        rendered = self.space(layer).rendered
        found = ((name, item) for name, item in rendered.items() if name not in without and wanted(item))
        aged = sorted((self._age(item), name) for name, item in found)
        return [self._line(layer, name, rendered[name]) for _, name in aged]

    def _age(self, item: Item) -> tuple[str, int]:
        written = meta(self._values, item.meta)
        return written.created_at, written.step

    def _line(self, layer: Layer, name: str, item: Item) -> str:
        return render_line(self._values, key_of(space_for(layer, self._scope), name), item)

    def _plain(self, layer: Layer, name: str, item: Item) -> str:
        shown = self._value_or_text(layer, name, item)
        return shown if isinstance(shown, str) else render_value(self._values, key_of(layer, name), item)

    def _value_or_text(self, layer: Layer, name: str, item: Item) -> Any:
        if item.fidelity is Fidelity.FULL:
            return self._values.get(item.value)
        return render_value(self._values, key_of(layer, name), item)


def view_of(context: ContextLayerManager) -> View:
    """The view of a token's context at its head."""
    return View(context.contents, context.values, context.scope)


def _choice(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _latest_first(name: str) -> tuple[int, str]:
    step = _STEP.search(name)
    return (-int(step.group(1)) if step else 0, name)
