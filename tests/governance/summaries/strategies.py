"""Values as agents and tools leave them: words, amounts, ids, dates, in sentences and in JSON."""

# ruff: noqa: RUF001 - Chinese punctuation is meant.

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import strategies as st

from governance.summaries.kinds import JSON

WORDS = [
    *("the", "order", "refund", "gateway", "approved", "It", "However", "customer", "decision", "and", "not", "per"),
    *("订单", "支付网关", "证书到期", "因此", "十二万元", "客户同意"),
]
FIGURES = [
    *("12,500.00", "4.6%", "-5", "2026-05-16", "10:30", "1 250", "12 million", "30 days", "3.5"),
    *("A-17", "SO-20260318-0042", "mei_ito_3381", "orderId", "src/cart.py:81", "9f1c2e7ab04d5536", "a.b@example.org"),
    *("https://example.org/a?b=1", "v2.14.0", "HAT136", "$99"),
]
ENDS = [". ", "! ", ".\n", ".\n\n", ", ", "; ", ":\n", "\n- ", "\n# ", "\n\n", "。", "，", "？", " ", "\n| ", " | "]

words = st.sampled_from(WORDS) | st.sampled_from(FIGURES)
proses = st.lists(st.tuples(words, st.sampled_from([" ", " ", " ", *ENDS])), max_size=60).map(
    lambda pairs: "".join(word + end for word, end in pairs)
)
texts = proses | st.text(max_size=200) | words
keys = st.sampled_from(
    ["id", "orderId", "total_amount", "name", "note", "items", "客户", "status", "flight_number", ""]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts


def _containers(inner: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
    rows = st.lists(st.dictionaries(keys, inner, min_size=1, max_size=5), max_size=12)
    return st.lists(inner, max_size=12) | st.dictionaries(keys, inner, max_size=10) | rows


values: st.SearchStrategy[JSON] = st.recursive(scalars, _containers, max_leaves=40)
queries = st.lists(words, max_size=6).map(" ".join)
limits = st.integers(min_value=0, max_value=600)


def source_of(value: JSON) -> str:
    """Return all that stands in ``value``: as JSON text, and every key and value on a line of its own."""
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "\n".join([json.dumps(value, ensure_ascii=False), compact, *_parts(value)])


def _parts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _parts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _parts(item)
    else:
        yield json.dumps(value)
