from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from governance.summaries.clipping import clip
from governance.summaries.identifiers import keeps_identifiers
from governance.summaries.kinds import JSON, Kind, classify
from governance.summaries.summary import key_only, summarise
from tests.governance.summaries.strategies import limits, proses, queries, source_of, texts, values


@given(values, queries, limits)
def test_the_limit_is_held(value: JSON, query: str, limit: int) -> None:
    assert len(summarise(value, query=query, limit=limit)) <= limit


@given(values, queries, limits)
def test_every_number_and_identifier_stands_in_the_source(value: JSON, query: str, limit: int) -> None:
    summary = summarise(value, query=query, limit=limit)
    assert keeps_identifiers(summary, source_of(value)) == []


@given(values, queries, limits)
def test_json_in_a_text_keeps_its_digits(value: JSON, query: str, limit: int) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert keeps_identifiers(summarise(text, query=query, limit=limit), source_of(value)) == []


@given(values, queries, limits)
def test_the_same_input_gives_the_same_summary(value: JSON, query: str, limit: int) -> None:
    copy = json.loads(json.dumps(value))
    assert summarise(value, query=query, limit=limit) == summarise(copy, query=query, limit=limit)


@given(values, queries)
def test_what_fits_is_returned_whole(value: JSON, query: str) -> None:
    whole = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert summarise(value, query=query, limit=len(whole)) == whole


@given(proses.filter(lambda text: classify(text)[0] is Kind.PROSE), queries, limits)
def test_prose_is_kept_verbatim_and_in_order(text: str, query: str, limit: int) -> None:
    summary = summarise(text, query=query, limit=limit)
    at = 0
    for piece in filter(None, map(str.strip, summary.split("…"))):
        if piece.endswith("characters left out"):
            continue
        at = text.index(piece, at) + len(piece)


@given(values)
def test_key_only_holds_its_limit_and_invents_nothing(value: JSON) -> None:
    shown = key_only("finding", value)
    assert shown.startswith("finding: ")
    assert len(shown) <= len("finding: ") + 80
    counts = " ".join(map(str, range(200)))
    assert keeps_identifiers(shown, source_of(value) + " " + counts) == []


@given(texts, st.integers(min_value=0, max_value=120))
def test_clipping_cuts_no_number_or_identifier(text: str, limit: int) -> None:
    clipped = clip(text, limit)
    assert len(clipped) <= limit
    assert keeps_identifiers(clipped, text) == []
    assert text.startswith(clipped.removesuffix("…").rstrip())
