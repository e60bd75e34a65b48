"""Records of finished activities, and how much of each is shown by its distance on the path (Design: HISTORY)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from governance.compression.rungs import MARK
from governance.compression.settings import CompressSettings
from governance.ports import Summariser
from governance.snapshots.canonical import spell
from governance.snapshots.lookup import Entries
from governance.snapshots.model import Shown, branch_order, made
from governance.snapshots.render import full_text_size, record_outputs
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer

FULL_RECORDS: Final = 3
"""The records nearest on the path that are shown in full."""

RECENT_RECORDS: Final = 8
"""The records nearest on the path that are shown at all without a decision; those past FULL_RECORDS as summaries."""

NONE: Final[Mapping[str, str]] = MappingProxyType({})
"""No inputs, or no outputs."""

_HISTORY: Final = Layer.HISTORY.value
_FULL, _SUMMARY, _GONE = Fidelity.FULL, Fidelity.SUMMARY, Fidelity.ARCHIVED
_ARCHIVED: Final = Shown(Fidelity.ARCHIVED)
_CUT: Final = "…"
_KNOWN_TEXTS: Final = 1_024


class ActivityRecord(NamedTuple):
    """What a finished activity leaves in HISTORY. `inputs` and `outputs` name values by their hash.

    `duration` is in seconds; `confidence` and `alignment` are 0..1. What is None or empty is left out.
    """

    activity: str
    name: str = ""
    inputs: Mapping[str, str] = NONE
    outputs: Mapping[str, str] = NONE
    decision: str | None = None
    tools: tuple[str, ...] = ()
    duration: float | None = None
    confidence: float | None = None
    alignment: float | None = None

    def dump(self) -> dict[str, Any]:
        """The record as the JSON object that stands in HISTORY, its names in order."""
        found: dict[str, Any] = {"activity": self.activity}
        if self.alignment is not None:
            found["alignment"] = self.alignment
        if self.confidence is not None:
            found["confidence"] = self.confidence
        if self.decision:
            found["decision"] = self.decision
        if self.duration is not None:
            found["duration"] = self.duration
        if self.inputs:
            found["inputs"] = dict(sorted(self.inputs.items()))
        if self.name:
            found["name"] = self.name
        if self.outputs:
            found["outputs"] = dict(sorted(self.outputs.items()))
        if self.tools:
            found["tools"] = list(self.tools)
        return found


def record_name(branch: str, step: int, activity: str) -> str:
    """The name of a record in HISTORY."""
    return f"{branch}@{step}:{activity}"


def interleaved(values: ValueStore, contents: Entries, paths: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The records of several paths as one, each once, oldest first: by time, generation and branch.

    Records that do not stand in `contents` are left out.
    """
    stamps = []
    for name in {name for path in paths for name in path}:
        item = contents.item(f"HISTORY/{name}")
        if item is not None:
            branch, _, rest = name.rpartition("@")
            created_at = values.get(item.meta).get("created_at", "")
            stamps.append((created_at, int(rest[: rest.index(":")]), branch_order(branch), name))
    stamps.sort()
    return tuple([name for *_, name in stamps])


class HistoryGrading:
    """Grades records by their distance on a token's path: three in full, five as summaries, then decisions only.

    The text of a grade is made once per record and name length, so a loop or another branch that grades the same
    record again finds it.
    """

    def __init__(self, values: ValueStore, summariser: Summariser, settings: CompressSettings | None = None) -> None:
        self._values = values
        self._summariser = summariser
        settings = settings or CompressSettings()
        # Taken out: to ask a model of pydantic for a field takes several times as long.
        self._share, self._least = settings.summary_share, settings.summary_least_chars
        self._short, self._most = settings.short_chars, settings.key_only_chars
        self._text = lru_cache(_KNOWN_TEXTS)(values.put_own)
        self._summary = lru_cache(_KNOWN_TEXTS)(self._make_summary)
        self._key_only = lru_cache(_KNOWN_TEXTS)(self._make_key_only)

    def regrade(self, contents: Entries, path: Sequence[str]) -> dict[str, Shown | None]:
        """What changes in how the records of `path` (oldest first) are shown, as a commit's `shown`.

        Only lowers: what D1 lowered further stays. Cost: the length of `path`.
        """
        lowered: dict[str, Shown | None] = {}
        for distance in range(FULL_RECORDS + 1, min(len(path), RECENT_RECORDS) + 1):
            self._lower(contents, path[-distance], lowered)
        for name in reversed(path[:-RECENT_RECORDS]):
            self._lower_old(contents, name, lowered)
        return lowered

    def regrade_next(self, contents: Entries, path: Sequence[str]) -> dict[str, Shown | None]:
        """The same after one more completion on a path that was graded before it: two records change their grade."""
        lowered: dict[str, Shown | None] = {}
        if len(path) > FULL_RECORDS:
            self._lower(contents, path[-FULL_RECORDS - 1], lowered)
        if len(path) > RECENT_RECORDS:
            self._lower_old(contents, path[-RECENT_RECORDS - 1], lowered)
        return lowered

    def summary(self, record_hash: str, name_chars: int) -> str:
        """Hash of what a record's summary says; `name_chars` are those of its name in HISTORY."""
        return self._summary(record_hash, name_chars)

    def excerpt(self, record_hash: str) -> str:
        """Hash of what a record says in 80 characters: its decision, else what it came to."""
        decision = self._key_only(record_hash)
        if decision is not None:
            return decision
        return self._text(self._cut(_essence(self._values, self._values.get(record_hash))))

    def _lower(self, contents: Entries, name: str, lowered: dict[str, Shown | None]) -> None:
        """Put the grade of a recent record in, if that shows less than now."""
        key = f"HISTORY/{name}"
        item = contents.item(key)
        if item is not None and item.fidelity is _FULL:
            lowered[key] = made(Shown, (_SUMMARY, self._summary(item.value, len(name))))

    def _lower_old(self, contents: Entries, name: str, lowered: dict[str, Shown | None]) -> None:
        """The same of one that is shown by its decision alone."""
        key = f"HISTORY/{name}"
        item = contents.item(key)
        if item is None or item.fidelity is _GONE:
            return
        if self._values.get(item.value).get("decision") is None:
            lowered[key] = _ARCHIVED
        elif item.fidelity is not Fidelity.KEY_ONLY:
            lowered[key] = Shown(Fidelity.KEY_ONLY, self._key_only(item.value))

    def _make_summary(self, record_hash: str, name_chars: int) -> str:
        """Hash of the summary's text: at most 30 % of the line; of a short record its decision or outputs."""
        values, label = self._values, name_chars + len(": ")
        chars = label + full_text_size(values, _HISTORY, record_hash).chars
        room = int(self._share * chars) - label - len(MARK)
        record = values.get(record_hash)
        if chars < self._short or room < self._least:
            return self._text(MARK + self._cut(_essence(values, record)))
        value = {**record, "outputs": dict(_outputs(self._values, record))}
        return self._values.put_own(MARK + self._summariser.summarise(value, query="", limit=room)[:room])

    def _make_key_only(self, record_hash: str) -> str | None:
        """Hash of the decision's text; None if the record carries none."""
        decision = self._values.get(record_hash).get("decision")
        return None if decision is None else self._values.put_own(self._cut(_plain(decision)))

    def _cut(self, text: str) -> str:
        limit = self._most
        return text if len(text) <= limit else text[: limit - len(_CUT)] + _CUT


def _essence(values: ValueStore, record: Mapping[str, Any]) -> str:
    """What a short record says: its decision, else its outputs, else what was done."""
    if "decision" in record:
        return _plain(record["decision"])
    outputs = ""
    if "outputs" in record:
        outputs = ", ".join([f"{name}={_plain(value)}" for name, value in _outputs(values, record)])
    return outputs or str(record.get("name", record["activity"]))


def _outputs(values: ValueStore, record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value_hash in record_outputs(record) or ():
        yield name, values.get(value_hash)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else spell(value).decode()
