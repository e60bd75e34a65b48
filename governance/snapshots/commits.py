"""Commits as compact JSON, and the id that is the digest of it.

A store keeps one such document per step, so fields have one letter, empty ones are left out and a metadata hash stands
once for all keys written with it:

    p  parents
    w  writes, c  carry: {metadata hash: {key: value hash | null | [value hash | null, path, ...]}}
    s  shown: {key: null | [fidelity] | [fidelity, hash of the shown text]}
    k  kind, a  activity, b  branch, t  time
    n  won: {key: [time, generation, branch, value hash]}
    m  merge bases, l  lost heads
    g  generation, i  step where it differs (not hashed: the parents say them)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from governance.snapshots.canonical import compact, digest
from governance.snapshots.model import Commit, CommitMeta, Shown, Stamp, Write
from governance.vocabulary import Fidelity


def make_commit(
    parents: Sequence[str],
    writes: Mapping[str, Write],
    carry: Mapping[str, Write],
    shown: Mapping[str, Shown | None],
    meta: CommitMeta,
    generation: int,
    step: int,
) -> Commit:
    """A commit under the id that its parts give it."""
    body = compact(orjson.dumps(_body(parents, writes, carry, shown, meta), option=orjson.OPT_SORT_KEYS))
    return Commit(digest(body), tuple(parents), dict(writes), dict(carry), dict(shown), meta, generation, step, body)


def dump_commit(commit: Commit) -> bytes:
    """The commit as JSON. The id is left out: it is the digest of the rest."""
    step = b"" if commit.step == commit.generation else b',"i":%d' % commit.step
    return b'%b,"g":%d%b}' % (commit.body[:-1], commit.generation, step)


def load_commit(data: Mapping[str, Any]) -> Commit:
    """The commit in what `dump_commit` wrote. Its id is computed anew, so what was altered has another id."""
    return make_commit(
        data.get("p", ()),
        _load_writes(data.get("w", {})),
        _load_writes(data.get("c", {})),
        {key: _load_shown(entry) for key, entry in data.get("s", {}).items()},
        CommitMeta(
            kind=data["k"],
            activity=data.get("a", ""),
            branch=data.get("b", ""),
            at=data.get("t", ""),
            won={key: Stamp(*stamp) for key, stamp in data.get("n", {}).items()},
            bases=tuple(data.get("m", ())),
            lost=tuple(data.get("l", ())),
        ),
        data["g"],
        data.get("i", data["g"]),
    )


def _body(
    parents: Sequence[str],
    writes: Mapping[str, Write],
    carry: Mapping[str, Write],
    shown: Mapping[str, Shown | None],
    meta: CommitMeta,
) -> dict[str, Any]:
    """What the id hashes."""
    body: dict[str, Any] = {"k": meta.kind}
    if parents:
        body["p"] = list(parents)
    if writes:
        body["w"] = _dump_writes(writes)
    if carry:
        body["c"] = _dump_writes(carry)
    if shown:
        body["s"] = {key: _dump_shown(entry) for key, entry in shown.items()}
    if meta.activity:
        body["a"] = meta.activity
    if meta.branch:
        body["b"] = meta.branch
    if meta.at:
        body["t"] = meta.at
    if meta.won:
        body["n"] = {key: [won.at, won.generation, won.branch, won.value] for key, won in meta.won.items()}
    if meta.bases:
        body["m"] = list(meta.bases)
    if meta.lost:
        body["l"] = list(meta.lost)
    return body


def _dump_writes(writes: Mapping[str, Write]) -> dict[str, dict[str, Any]]:
    grouped: dict[str, dict[str, Any]] = {}
    for key, write in writes.items():
        group = grouped.setdefault(write.meta, {})
        group[key] = write.value if write.paths is None else [write.value, *write.paths]
    return grouped


def _load_writes(grouped: Mapping[str, Mapping[str, Any]]) -> dict[str, Write]:
    return {
        key: Write(entry[0], meta, tuple(entry[1:])) if isinstance(entry, list) else Write(entry, meta)
        for meta, group in grouped.items()
        for key, entry in group.items()
    }


def _dump_shown(shown: Shown | None) -> list[Any] | None:
    if shown is None:
        return None
    fidelity = shown.fidelity.value
    return [fidelity] if shown.text is None else [fidelity, shown.text]


def _load_shown(entry: Sequence[Any] | None) -> Shown | None:
    return None if entry is None else Shown(Fidelity(entry[0]), *entry[1:])
