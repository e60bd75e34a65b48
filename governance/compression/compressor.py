"""D1: what a model is shown is made to fit, before every activity and model call (Design: D1 compress)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from governance.compression import passes
from governance.compression.bands import band_of
from governance.compression.decisions import D1Decision, D1Request, Measure
from governance.compression.decompress import decompressed
from governance.compression.draft import Draft
from governance.compression.eligibility import Hold
from governance.compression.entries import Entry, entries_of
from governance.compression.measuring import measure
from governance.compression.overflow import overflow_of
from governance.compression.reason import calm_reason, reason
from governance.compression.rungs import MARK, Shortener
from governance.compression.settings import CompressSettings
from governance.compression.units import units
from governance.policy import Policy
from governance.ports import Summariser
from governance.snapshots.contents import Contents
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.lookup import Standing
from governance.snapshots.model import CommitMeta, Shown
from governance.vocabulary import Band, Fidelity, Layer


@dataclass(frozen=True, slots=True)
class Selected:
    """A rule's summary of an entry, without its mark: `text`, and how long another one may be, in characters."""

    key: str
    text: str
    most: int


class ContextCompressor:
    """Lowers what models are shown of entries, and puts it back. Values are never touched.

    `summariser` writes the texts of SUMMARY and KEY_ONLY.
    """

    def __init__(
        self, graph: SnapshotGraph, summariser: Summariser, settings: CompressSettings | None = None
    ) -> None:
        self._graph = graph
        self._summariser = summariser
        self._settings = settings or CompressSettings()
        self._calm = self._settings.light_pressure, self._settings.medium_usage

    def evaluate(self, head: str, request: D1Request) -> D1Decision:
        """What `compress` would do; nothing is stored. Raises UnknownSnapshot."""
        return self._decide(head, request)[0]

    def compress(self, head: str, request: D1Request, at: str) -> D1Decision:
        """Lower what the band asks for, as one commit on `head` at the time `at`, or none if nothing falls.

        In the band NONE only totals are read. Raises UnknownSnapshot.
        """
        decision, fallen = self._decide(head, request)
        if not decision.changes:
            return decision
        meta = CommitMeta(kind="D1", activity=request.activity, branch=request.branch, at=at)
        commit = self._graph.commit([head], shown={entry.key: self._shown(entry) for entry in fallen}, meta=meta)
        return replace(decision, snapshot_after=commit.id)

    def selections(self, head: str, request: D1Request) -> list[Selected]:
        """What the rule would show at SUMMARY of what falls to it, for a model to rewrite. Raises UnknownSnapshot."""
        _, fallen = self._decide(head, request)
        return [
            Selected(entry.key, entry.text.removeprefix(MARK), len(entry.text) - len(MARK))
            for entry in fallen
            if entry.fidelity is Fidelity.SUMMARY and entry.text is not None
        ]

    def calm(self, standing: Standing, working: str, policy: Policy) -> Measure | None:
        """What `compress` would measure, if it would do nothing for a request like that; else None.

        `working` is the space whose size is the pressure. Tells in a moment that an activity needs no D1.
        """
        found = measure(standing, working, policy)
        pressure, usage = self._calm
        return found if found.pressure < pressure and found.usage < usage else None

    def decompress(self, head: str, keys: Iterable[str], at: str) -> tuple[str, list[str]]:
        """Show each of `keys` exactly as before its last lowering, as one commit: the new head, the keys raised.

        A tool call or result archived with one of them comes back too. Keys that are absent or FULL stay as they
        are; if all do, the head stays. Raises UnknownSnapshot.
        """
        raised = decompressed(self._graph, head, keys)
        if not raised:
            return head, []
        last = self._graph.get(head).meta
        meta = CommitMeta(kind="D1", activity=last.activity, branch=last.branch, at=at)
        return self._graph.commit([head], shown=raised, meta=meta).id, list(raised)

    def _decide(self, head: str, request: D1Request) -> tuple[D1Decision, Iterable[Entry]]:
        """The decision, and the entries that fall by it."""
        contents = self._graph.contents(head)
        before = measure(contents, request.working, request.policy, request.overhead_tokens)
        band = band_of(before.pressure, before.usage, request.band_floor, self._settings, request.asked)
        if band is Band.NONE:
            return _unchanged(head, request, before), ()
        entries = self._entries(contents, request, band)
        draft = self._draft(entries, request, band, before)
        count = self._run(draft, request, band)
        after = draft.measure
        decision = replace(
            _unchanged(head, request, before),
            band=band,
            after=after,
            changes=tuple(change for entry in draft.fallen if (change := entry.change)),
            passes=count,
            held=_held(entries, band),
            compressed=bool(draft.fallen),
            warning=before.pressure >= self._settings.warning_pressure,
            overflow=overflow_of(after, entries, request.working, self._settings),
        )
        return replace(decision, reason=reason(decision, request.policy, self._settings)), draft.fallen

    def _entries(self, contents: Contents, request: D1Request, band: Band) -> list[Entry]:
        """What may fall in the band, with what holds it: of WORKING alone while it is light.

        In the medium band other layers fall to the strategy's rung and no further: what is there already is passed
        over, so that the cost does not grow with the decisions that HISTORY keeps by key.
        """
        short = self._settings.short_chars
        working = contents.space(request.working)
        looked_at = [(request.working, working.upper if band is Band.LIGHT else working.rendered)]
        if band is not Band.LIGHT:
            to_key_only = band is Band.MEDIUM and request.policy.compress_strategy.rung >= Fidelity.KEY_ONLY
            for layer in (Layer.HISTORY, Layer.KNOWLEDGE):
                space = contents.space(layer)
                looked_at.append((layer, space.upper if to_key_only else space.rendered))
        values = self._graph.values
        return [entry for name, items in looked_at for entry in entries_of(values, name, items, request, short)]

    def _draft(self, entries: list[Entry], request: D1Request, band: Band, before: Measure) -> Draft:
        values = self._graph.values
        shortener = Shortener(values, self._summariser, self._settings, request.query, request.texts)
        return Draft(values, request, before, list(units(entries, band, values)), shortener)

    def _run(self, draft: Draft, request: D1Request, band: Band) -> int:
        if band is Band.LIGHT:
            return passes.light(draft, self._settings)
        if band is Band.MEDIUM:
            return passes.medium(draft, request.policy.compress_strategy.rung, self._settings)
        return passes.forced(draft, self._settings)

    def _shown(self, entry: Entry) -> Shown:
        return Shown(entry.fidelity, None if entry.text is None else self._graph.values.put(entry.text))


def _unchanged(head: str, request: D1Request, measured: Measure) -> D1Decision:
    return D1Decision(
        activity=request.activity,
        run=request.run,
        branch=request.branch,
        band=Band.NONE,
        reason=calm_reason(measured, request.policy),
        before=measured,
        after=measured,
        snapshot_before=head,
        snapshot_after=head,
    )


def _held(entries: Iterable[Entry], band: Band) -> dict[Hold, int]:
    """How many entries each hold keeps in this band, strongest hold first."""
    counts = Counter(entry.hold for entry in entries if entry.hold is not None and entry.hold.binds(band))
    return {hold: counts[hold] for hold in Hold if hold in counts}
