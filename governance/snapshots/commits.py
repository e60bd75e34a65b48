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
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

import orjson

from governance.snapshots.model import Commit, CommitMeta, Shown, Stamp, Write, made
from governance.vocabulary import Fidelity

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


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
    raw = orjson.dumps(_body(parents, writes, carry, shown, meta), option=orjson.OPT_SORT_KEYS)
    id = sha256(raw).hexdigest()[:32]
    body = bytes(memoryview(raw))
    copies = (dict(writes), dict(carry) if carry else _NONE, dict(shown) if shown else _NONE)
    parts = (id, tuple(parents), *copies, meta, generation, step, body)
    return made(Commit, parts)


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
    kind, activity, branch, at, won, bases, lost = meta
    body: dict[str, Any] = {"k": kind}
    if parents:
        body["p"] = parents
    if writes:
        body["w"] = _dump_writes(writes)
    if carry:
        body["c"] = _dump_writes(carry)
    if shown:
        # A slice of a Shown is a plain tuple, which is what orjson writes.
        body["s"] = {
            key: entry if entry is None else entry[:1] if entry[1] is None else entry[:2]
            for key, entry in shown.items()
        }
    if activity:
        body["a"] = activity
    if branch:
        body["b"] = branch
    if at:
        body["t"] = at
    if won:
        body["n"] = {key: [won.at, won.generation, won.branch, won.value] for key, won in won.items()}
    if bases:
        body["m"] = bases
    if lost:
        body["l"] = lost
    return body


def _dump_writes(writes: Mapping[str, Write]) -> dict[str, dict[str, Any]]:
    grouped: dict[str, dict[str, Any]] = {}
    for key, (value, meta, paths) in writes.items():
        entry = value if paths is None else (value, *paths)
        if meta in grouped:
            grouped[meta][key] = entry
        else:
            grouped[meta] = {key: entry}
    return grouped


def _load_writes(grouped: Mapping[str, Mapping[str, Any]]) -> dict[str, Write]:
    return {
        key: Write(entry[0], meta, tuple(entry[1:])) if isinstance(entry, list) else Write(entry, meta)
        for meta, group in grouped.items()
        for key, entry in group.items()
    }


def _load_shown(entry: Sequence[Any] | None) -> Shown | None:
    return None if entry is None else Shown(Fidelity(entry[0]), *entry[1:])
