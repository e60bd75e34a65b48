"""What stands at a context's head, as lines for a prompt."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from governance.layers.focus import FOCUS, focus_of
from governance.layers.limits import lasts
from governance.layers.manager import ContextLayerManager
from governance.layers.spaces import space_for
from governance.snapshots.canonical import spell
from governance.snapshots.contents import Contents, Space
from governance.snapshots.metadata import meta
from governance.snapshots.model import Item, key_of
from governance.snapshots.render import record_outputs, render_line, render_value
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

PATH: Final = "path/"
"""PROCESS entries of this prefix are the path taken; the others do not change during a run."""

LONG: Final = 120
"""Code points from which a value is long. Counters, flags and decisions are shorter, and change most."""

_LAYERS: Final = (Layer.SYSTEM, Layer.PROCESS, Layer.KNOWLEDGE, Layer.HISTORY, Layer.WORKING)
_NAMED: Final = 20
_STEP = re.compile(r"@(\d+):[^@]*$")


class Records(NamedTuple):
    """Lines of HISTORY. `spared` are the tokens that they have fewer than their entries count."""

    lines: list[str]
    spared: int


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

    def history(self, without: Collection[str] = (), beside: Collection[str] = ()) -> Records:
        """HISTORY, oldest first, but for these records. `beside` are variables whose lines stand in the prompt: what
        they say is not said again.
        """
        spoken = self._spoken(beside)
        records = [self._record(name, item, spoken) for name, item in self._aged(Layer.HISTORY, without)]
        return Records([line for line, _ in records], sum(spared for _, spared in records))

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

    def _spoken(self, names: Collection[str]) -> dict[str, str]:
        """By a value's hash which of these variables tells it, in full or as a summary."""
        rendered = self.space(Layer.WORKING).rendered
        shown = ((name, rendered[name]) for name in sorted(names, reverse=True) if name in rendered)
        return {item.value: name for name, item in shown if item.fidelity >= Fidelity.SUMMARY}

    def _record(self, name: str, item: Item, spoken: Mapping[str, str]) -> tuple[str, int]:
        """A record's line, and the tokens that it has fewer since long outputs are told as variables.

        A summary gives way to the record with these references where that is no longer: it leaves nothing out.
        """
        line = self._line(Layer.HISTORY, name, item)
        if item.fidelity < Fidelity.SUMMARY:
            return line, 0
        record = self._values.get(item.value)
        told = {
            output: f"(as the variable {spoken[value]})"
            for output, value in record_outputs(record) or ()
            if value in spoken and self._values.size(value).chars >= LONG
        }
        if not told:
            return line, 0
        rest = {output: self._values.get(value) for output, value in record_outputs(record) or () if output not in told}
        short = f"{name}: {spell({**record, 'outputs': {**record['outputs'], **rest, **told}}).decode()}"
        return (short, self.tokens(line) - self.tokens(short)) if len(short) <= len(line) else (line, 0)

    def _by_age(self, layer: Layer, wanted: Callable[[Item], bool]) -> list[str]:
        return [self._line(layer, name, item) for name, item in self._aged(layer) if wanted(item)]

    def _aged(self, layer: Layer, without: Collection[str] = ()) -> list[tuple[str, Item]]:
        """Entries that are shown, oldest first."""
        rendered = self.space(layer).rendered
        return sorted(
            ((name, item) for name, item in rendered.items() if name not in without),
            key=lambda entry: (self._age(entry[1]), entry[0]),
        )

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
