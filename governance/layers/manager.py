"""`ContextLayerManager`: one token's context, six layers over a snapshot (Design: the six layers)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from governance.errors import LayerRefused, NotJson
from governance.layers.branching import SPLIT_KIND, hidden_entries
from governance.layers.history import RECENT_RECORDS, ActivityRecord, HistoryGrading, record_name
from governance.layers.limits import lasts
from governance.layers.spaces import space_for
from governance.layers.staging import Staged, require_room, staged_in, writes_of
from governance.merging.answers import Answer
from governance.merging.merge import Merger, MergeResult
from governance.merging.paths import changed_paths
from governance.merging.rules import Head, MergeRules
from governance.snapshots.canonical import canonical, thaw
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.lookup import Standing
from governance.snapshots.model import CommitMeta, Shown, key_of, made
from governance.snapshots.values import ValueStore
from governance.vocabulary import Layer, Producer, SplitStrategy

_NOTHING_SHOWN: Final[Mapping[str, Shown | None]] = {}
_NO_ANSWERS: Final[Mapping[str, Answer]] = {}
_BEFORE_START: Final = Contents()
_NO_MERGE: Final = CommitMeta("")[4:]


class ContextLayerManager:
    """Reads and writes the context of one token, which stands at `head`, on `branch`, in a variable `scope`.

    Writes are staged and become one commit. Without a head ("") the instance has not started: the first commit makes
    its first snapshot, even of nothing, and until then SYSTEM is free to write. EPHEMERAL lives in this object alone.
    """

    __slots__ = ("_ephemeral", "_graph", "_shown", "_staged", "branch", "head", "scope")

    def __init__(
        self,
        graph: SnapshotGraph,
        head: str = "",
        *,
        branch: str = "",
        scope: str = "",
        ephemeral: dict[str, Any] | None = None,
    ) -> None:
        self._graph = graph
        self.head, self.branch, self.scope = head, branch, scope
        self._ephemeral = {} if ephemeral is None else ephemeral
        self._staged: dict[str, Staged] = {}
        self._shown: dict[str, Shown | None] = {}

    def read(self, layer: Layer, keys: Iterable[str] | None = None) -> dict[str, Any]:
        """Full values by name, staged writes included; of `keys` those that stand, of None all.

        Values are shared between readers: never change one. Raises UnknownValue.
        """
        if layer is Layer.EPHEMERAL:
            scratch = self._ephemeral
            return {name: scratch[name] for name in (scratch if keys is None else keys) if name in scratch}
        space, values = space_for(layer, self.scope), self._graph.values
        names = self._names(space) if keys is None else keys
        standing = ((name, self._value_hash(key_of(space, name))) for name in names)
        return {name: values.get(value_hash) for name, value_hash in standing if value_hash is not None}

    def write(
        self,
        layer: Layer,
        key: str,
        value: Any,
        *,
        producer: Producer,
        confidence: float = 1.0,
        citations: Sequence[str] = (),
        approved: bool = False,
    ) -> None:
        """Stage a private copy of `value`. What equals the head's value is no write.

        Raises NotJson, and LayerRefused for SYSTEM: above 2,000 tokens, or after start unless a person `approved`.
        """
        if layer is Layer.EPHEMERAL:
            self._ephemeral[key] = thaw(value)
            return
        value_hash = self._put(key_of(space_for(layer, self.scope), key), value)
        self._stage(layer, key, value_hash, producer, confidence, tuple(citations), approved)

    def write_stored(
        self, layer: Layer, key: str, value_hash: str, *, producer: Producer, confidence: float = 1.0
    ) -> None:
        """Stage a value that is in the store already. Raises LayerRefused as `write` does."""
        self._stage(layer, key, value_hash, producer, confidence, (), False)

    def delete(self, layer: Layer, key: str, *, producer: Producer = Producer.ENGINE, approved: bool = False) -> None:
        """Stage the removal of an entry; nothing if there is none. Raises LayerRefused as `write` does."""
        if layer is Layer.EPHEMERAL:
            self._ephemeral.pop(key, None)
            return
        full_key = key_of(space_for(layer, self.scope), key)
        if self.standing.item(full_key) is None:
            self._staged.pop(full_key, None)
            return
        if layer is Layer.SYSTEM:
            self._check_system(key, None, approved)
        self._staged[full_key] = Staged(None, producer, 1.0, (), None)

    def commit(
        self,
        kind: str,
        activity: str,
        at: str,
        *,
        shown: Mapping[str, Shown | None] = _NOTHING_SHOWN,
        sure: bool = False,
    ) -> str:
        """Make one commit of all that is staged, and of `shown`; the head after it, the old one if there is nothing.

        `at` is the advance's frozen time, the creation time of every entry written. `sure`: all hashes are right.
        """
        if self.head and not (self._staged or self._shown or shown):
            return self.head
        committed = self._graph.commit(
            (self.head,) if self.head else (),
            writes=writes_of(self._staged, self._graph.values, activity, self.branch, at, self._step),
            shown={**self._shown, **shown} if shown else self._shown,
            meta=made(CommitMeta, (kind, activity, self.branch, at, *_NO_MERGE)),
            sure=sure,
        )
        self.head = committed.id
        self._staged, self._shown = {}, {}
        return self.head

    def split(
        self, branches: Sequence[str], strategy: SplitStrategy, retain: tuple[str, ...], at: str
    ) -> list[ContextLayerManager]:
        """D2: a manager for each branch, which sees what `strategy` leaves of the context; EPHEMERAL starts empty.

        A branch is a name for a snapshot: it gets a commit of its own only if something is hidden from it.
        """
        self._require_committed()
        graph = self._graph
        hidden = hidden_entries(self.contents, graph.values, strategy, retain, self.scope)
        split = [ContextLayerManager(graph, self.head, branch=branch, scope=self.scope) for branch in branches]
        for manager in split:
            manager.commit(SPLIT_KIND, "", at, shown=hidden)
        return split

    def merge(
        self,
        others: Sequence[ContextLayerManager],
        rules: MergeRules,
        activity: str,
        at: str,
        *,
        into: str,
        answers: Mapping[str, Answer] = _NO_ANSWERS,
    ) -> MergeResult:
        """D3: bring the branches of `others` together with this one, which goes on at the merged head as `into`.

        EPHEMERAL is never merged. Raises MergeOpen while a person has to answer first, MergeDenied where nobody can,
        and UnknownAnswer; then nothing changed.
        """
        branches = (self, *others)
        for branch in branches:
            branch._require_committed()
        merger = Merger(self._graph)
        plan = merger.plan([Head(branch.branch, branch.head) for branch in branches], rules)
        result = merger.commit(plan, CommitMeta("D3", activity, into, at), answers)
        self.head, self.branch = result.snapshot, into
        self._ephemeral.clear()
        return result

    def restore(self, snapshot: str, at: str) -> str:
        """Put back the entries of `snapshot`, as they were shown, in a new commit; the head after it."""
        self._require_committed()
        self.head = self._graph.restore(self.head, snapshot, CommitMeta("restore", "", self.branch, at)).id
        return self.head

    def move_to_history(
        self, record: ActivityRecord, recent: Sequence[str], grading: HistoryGrading | None, *, after_join: bool = False
    ) -> tuple[str, ...]:
        """Stage a finished activity's record and the grades that its arrival changes.

        `recent` are the names of the token's last records, oldest first; given back with the new one, the last 8.
        `after_join`: they are those of several branches, not yet graded as one path. `grading` None: zones grade.
        """
        name = record_name(self.branch, self._step, record.activity)
        confidence = 1.0 if record.confidence is None else record.confidence
        values, document = self._graph.values, record.dump()
        value_hash = values.put_own(document)
        values.record_outputs[value_hash] = tuple(document["outputs"].items()) if "outputs" in document else None
        self._staged[f"HISTORY/{name}"] = made(Staged, (value_hash, Producer.ENGINE, confidence, (), None))
        path = (*recent, name)
        if grading is None:
            return path[-RECENT_RECORDS:]
        regrade = grading.regrade if after_join else grading.regrade_next
        lowered = regrade(self.standing, path)
        if self._shown:
            self._shown.update(lowered)
        else:
            self._shown = lowered
        return path[-RECENT_RECORDS:]

    def clear(self, layer: Layer) -> None:
        """Stage the removal of a layer's entries; of KNOWLEDGE the surest stay. EPHEMERAL is empty at once."""
        if layer is Layer.EPHEMERAL:
            self._ephemeral.clear()
            return
        contents, values = self.contents, self._graph.values
        for name, item in contents.items(space_for(layer, self.scope)):
            if layer is not Layer.KNOWLEDGE or not lasts(values, item):
                self.delete(layer, name)

    def char_count(self, layer: Layer) -> int:
        """Code points of the layer's lines as shown at the head."""
        if layer is Layer.EPHEMERAL:
            return sum(len(f"{name}: {canonical(value).decode()}") for name, value in self._ephemeral.items())
        return self.standing.totals(space_for(layer, self.scope)).chars

    @property
    def contents(self) -> Contents:
        """The entries at the head, without what is staged."""
        return self._graph.contents(self.head) if self.head else _BEFORE_START

    @property
    def standing(self) -> Standing:
        """The same, to be asked at once."""
        return self._graph.standing(self.head) if self.head else _BEFORE_START

    @property
    def values(self) -> ValueStore:
        """Where values are read from."""
        return self._graph.values

    @property
    def _step(self) -> int:
        """The step of the commit to come."""
        return self._graph.get(self.head).step + 1 if self.head else 1

    def _put(self, key: str, value: Any) -> str:
        try:
            return self._graph.values.put(value)
        except NotJson as error:
            raise NotJson(key + error.key.removeprefix("$"), error.found) from None

    def _names(self, space: str) -> list[str]:
        return sorted(staged_in(space, self._staged).keys() | set(self.contents.names(space)))

    def _value_hash(self, key: str) -> str | None:
        staged = self._staged.get(key)
        if staged is not None:
            return staged.value
        item = self.standing.item(key)
        return None if item is None else item.value

    def _check_system(self, name: str, value_hash: str | None, approved: bool) -> None:
        if self.head and not approved:
            raise LayerRefused(Layer.SYSTEM, name, "cannot change after start without EXPLICIT_APPROVAL")
        require_room(name, value_hash, self._staged, self.contents, self._graph.values)

    def _stage(
        self,
        layer: Layer,
        name: str,
        value_hash: str,
        producer: Producer,
        confidence: float,
        citations: tuple[str, ...],
        approved: bool,
    ) -> None:
        space = space_for(layer, self.scope)
        before = self.standing.named(space, name)
        if before is not None and before.value == value_hash:
            self._staged.pop(key_of(space, name), None)
            return
        if layer is Layer.SYSTEM:
            self._check_system(name, value_hash, approved)
        values = self._graph.values
        paths = None if before is None else changed_paths(values.get(before.value), values.get(value_hash))
        self._staged[key_of(space, name)] = made(Staged, (value_hash, producer, confidence, citations, paths))

    def _require_committed(self) -> None:
        if self._staged or self._shown:
            raise RuntimeError("staged writes belong to no snapshot yet: commit them first")
