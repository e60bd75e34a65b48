"""What holds for every context, request and sequence of steps."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision, D1Request
from governance.policy import Policy
from governance.snapshots.model import name_of
from governance.vocabulary import Band, CompressStrategy, Fidelity
from tests.governance.compression.contexts import LATER, Context, Truncating
from tests.governance.compression.storage import Storage

NAMES = [f"{stem}_{n}" for stem in ("doc", "risk", "note") for n in range(4)]
LAYERS = ["WORKING", "HISTORY", "KNOWLEDGE", "PROCESS", "WORKING:call@7"]
WORDS = st.sampled_from(["invoice", "outage", "database", "合同", "approve", "42", "risk", "lunch"])
PHRASES = st.lists(WORDS, min_size=1, max_size=6)
TEXTS = st.builds(lambda words, times: " ".join(words * times), PHRASES, st.integers(1, 40))
VALUES = st.one_of(
    TEXTS,
    st.integers(),
    st.builds(lambda text, n: {"text": text, "n": n}, TEXTS, st.integers(0, 9)),
    st.builds(lambda text, call: {"tool_call_id": call, "content": text}, TEXTS, st.sampled_from(["c1", "c2"])),
    st.just({"tool_calls": [{"id": "c1"}]}),
)
PLAIN_VALUES = st.one_of(TEXTS, st.builds(lambda text: {"text": text}, TEXTS))
KEYS = st.builds("{}/{}".format, st.sampled_from(LAYERS), st.sampled_from(NAMES))
ENTRIES = st.dictionaries(KEYS, VALUES, min_size=1, max_size=14)
REQUESTS = st.builds(
    D1Request,
    activity=st.just("review"),
    scope=st.sampled_from(["", "", "call@7"]),
    policy=st.builds(
        Policy,
        working_threshold=st.integers(1, 4_000),
        window_tokens=st.sampled_from([50, 300, 1_000, 100_000]),
        retain_keys=st.lists(st.sampled_from(["doc_*", "risk_1", "*_2", "none"]), max_size=2).map(tuple),
        compress_strategy=st.sampled_from(CompressStrategy),
    ),
    query=st.sampled_from(["", "cause of the database outage", "approve the invoice"]),
    inputs=st.frozensets(st.sampled_from(NAMES), max_size=2),
    overhead_tokens=st.sampled_from([0, 0, 60]),
    pinned=st.frozensets(KEYS, max_size=2),
    band_floor=st.sampled_from(Band),
    lowered=st.frozensets(KEYS, max_size=3),
)


def keeps(request: D1Request, key: str) -> bool:
    retained = any(fnmatchcase(name_of(key), pattern) for pattern in request.policy.retain_keys)
    return retained or key in request.pinned


@given(ENTRIES, st.lists(REQUESTS, min_size=2, max_size=4))
def test_what_is_kept_of_lines_changes_no_decision(entries: dict[str, Any], requests: list[D1Request]) -> None:
    warm = Context.of(entries)
    for request in requests:
        cold = Context.of(entries)
        assert warm.compressor.evaluate(warm.head, request) == cold.compressor.evaluate(cold.head, request)


@given(ENTRIES, st.lists(REQUESTS, min_size=1, max_size=4))
def test_compression_only_ever_shows_less_and_never_touches_values(
    entries: dict[str, Any], requests: list[D1Request]
) -> None:
    context = Context.of(entries)
    for request in requests:
        before, tree = context.shown(), context.graph.contents(context.head).tree
        decision = context.compress(request)
        after = context.shown()
        assert context.graph.contents(context.head).tree == tree
        assert before.keys() == after.keys()
        changed = {change.key for change in decision.changes}
        for key, (fidelity, line) in after.items():
            if key in changed:
                assert not keeps(request, key)
                assert fidelity < before[key][0]
                assert len(line) < len(before[key][1])
            else:
                assert (fidelity, line) == before[key]
        assert decision.compressed is bool(changed)
        assert decision.after.chars <= decision.before.chars
        assert decision.after.tokens <= decision.before.tokens
        assert decision.after == context.compressor.evaluate(context.head, request).before


@given(ENTRIES, REQUESTS)
def test_each_band_stays_in_its_bounds(entries: dict[str, Any], request: D1Request) -> None:
    context = Context.of(entries)
    before = context.shown()
    decision = context.compress(request)
    if decision.band is Band.NONE:
        assert not decision.changes
    if decision.band is Band.LIGHT:
        assert all(change.key.startswith(request.working + "/") for change in decision.changes)
        assert all(change.from_ is Fidelity.FULL for change in decision.changes)
    if decision.band is not Band.FORCED:
        working = {f"{request.working}/{name}" for name in request.inputs}
        for change in decision.changes:
            assert change.key not in working | request.lowered
    for change in decision.changes:
        assert change.key.partition("/")[0] in {request.working, "HISTORY", "KNOWLEDGE"}
        assert change.chars_before == len(before[change.key][1])
        assert change.chars_after == len(context.line(change.key))


def bottom(context: Context, request: D1Request, key: str) -> bool:
    """Whether the entry is kept, archived, or at KEY_ONLY since a kept entry shares its tool call."""
    fidelity = context.fidelity(key)
    value = context.graph.values.get(context.item(key).value)
    tied = isinstance(value, dict) and ("tool_call_id" in value or "tool_calls" in value)
    return keeps(request, key) or fidelity is Fidelity.ARCHIVED or tied


@given(ENTRIES, REQUESTS)
def test_forced_ends_at_its_targets_or_with_kept_entries_only(entries: dict[str, Any], request: D1Request) -> None:
    context = Context.of(entries)
    decision = context.compress(request)
    if decision.band is not Band.FORCED:
        return
    rendered = [key for key, (fidelity, _) in context.shown().items() if fidelity is not Fidelity.ARCHIVED]
    if decision.after.usage >= 0.70:
        shown = [key for key in rendered if key.partition("/")[0] in {request.working, "HISTORY", "KNOWLEDGE"}]
        assert all(bottom(context, request, key) for key in shown)
    elif decision.after.pressure > 0.8:
        shown = [key for key in rendered if key.startswith(request.working + "/")]
        assert all(bottom(context, request, key) for key in shown)
    overflows = decision.after.pressure > 1.0 or decision.after.usage > 1.0
    assert (decision.overflow is not None) is overflows


@given(ENTRIES, REQUESTS, st.randoms(use_true_random=False))
def test_the_head_does_not_depend_on_the_order_of_entries(
    entries: dict[str, Any], request: D1Request, random: Any
) -> None:
    shuffled = list(entries.items())
    random.shuffle(shuffled)
    one, other = Context.of(entries), Context.of(dict(shuffled))
    assert one.compress(request) == other.compress(request)
    assert one.head == other.head


@given(ENTRIES, REQUESTS)
def test_evaluate_foretells_compress(entries: dict[str, Any], request: D1Request) -> None:
    context = Context.of(entries)
    told = context.compressor.evaluate(context.head, request)
    done = context.compressor.compress(context.head, request, LATER)
    assert (told.reason, told.changes, told.after, told.overflow) == (
        done.reason,
        done.changes,
        done.after,
        done.overflow,
    )
    assert (done.snapshot_after != context.head) is done.compressed


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("compress"), REQUESTS),
        st.tuples(st.just("decompress"), st.lists(KEYS, max_size=5)),
        st.tuples(st.just("write"), st.dictionaries(KEYS, PLAIN_VALUES, min_size=1, max_size=2)),
        st.tuples(st.just("reload"), st.none()),
    ),
    min_size=2,
    max_size=14,
)


class Journal:
    """What was shown of each entry before each fall that still stands, by plain bookkeeping."""

    def __init__(self) -> None:
        self._falls: dict[str, list[tuple[Fidelity, str]]] = {}

    def fell(self, decision: D1Decision, before: dict[str, tuple[Fidelity, str]]) -> None:
        for change in decision.changes:
            self._falls.setdefault(change.key, []).append(before[change.key])

    def wrote(self, keys: dict[str, Any]) -> None:
        for key in keys:
            self._falls.pop(key, None)

    def take_back(self, keys: list[str]) -> dict[str, tuple[Fidelity, str]]:
        return {key: self._falls[key].pop() for key in set(keys) if self._falls.get(key)}


@settings(max_examples=150)
@given(st.dictionaries(KEYS, PLAIN_VALUES, min_size=3, max_size=10), STEPS)
def test_decompress_restores_exactly_what_was_shown(entries: dict[str, Any], steps: list[tuple[str, Any]]) -> None:
    context, journal, storage = Context.of(entries), Journal(), Storage()
    for kind, argument in steps:
        before = context.shown()
        if kind == "compress":
            journal.fell(context.compress(argument), before)
        elif kind == "decompress":
            expected = journal.take_back(argument)
            assert context.decompress(argument) == sorted(expected)
            assert context.shown() == {**before, **expected}
        elif kind == "write":
            journal.wrote(argument)
            context.write(argument, at=LATER)
        else:
            context.graph = storage.reload(context.graph)
            context.compressor = ContextCompressor(context.graph, Truncating())
            assert context.shown() == before
