"""Summaries as lines: short values of an object as facts, long ones each in its own way within a share of the room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from governance.similarity.bm25 import bm25_scores
from governance.summaries.clipping import ELLIPSIS, clip
from governance.summaries.facts import Fact
from governance.summaries.inline import inline
from governance.summaries.kinds import JSON, Kind, classify
from governance.summaries.leaves import Leaf, leaves_of, names_of
from governance.summaries.lines import summarise_lines
from governance.summaries.notes import left_out, note_room, without_notes
from governance.summaries.prose import summarise_prose
from governance.summaries.tables import is_table, items_lines, rows_of, table_lines

_READ = 4000
"""Code points of a block that count in matching it to the query."""
_LEAST_BLOCK = 60
"""Code points below which a block is not worth beginning."""
_FACTS_SHARE = 2
"""Part (one in two) of the room that facts may take where blocks need it too."""
_RELEVANCE = 3.0
"""What the most relevant block may take beyond the share of one that is not."""


def summary_lines(value: JSON, query: Sequence[str], room: int) -> list[str]:
    """Return the summary of ``value`` for the query terms as lines that take ``room`` code points at most.

    A line break is counted with each line.
    """
    kind, read = classify(value)
    if isinstance(read, Mapping) and not is_table(read):
        return _object_lines(list(leaves_of(read)), query, room)
    return _value_lines(kind, read, query, room)


def _value_lines(kind: Kind, value: JSON, query: Sequence[str], room: int) -> list[str]:
    if isinstance(value, str):
        if kind is Kind.TEXT_TABLE:
            return [summarise_lines(value, query, room - 1)]
        return [summarise_prose(value, query, room - 1) if kind is Kind.PROSE else clip(value, room - 1)]
    if isinstance(value, Mapping) and is_table(value):
        return table_lines(rows_of(value), query, room)
    if isinstance(value, Sequence):
        return items_lines(value, query, room) or table_lines(rows_of(value), query, room)
    return [inline(value, room - 1)]


def _object_lines(leaves: Sequence[Leaf], query: Sequence[str], room: int) -> list[str]:
    facts = [at for at, leaf in enumerate(leaves) if leaf.line is not None]
    blocks = [at for at, leaf in enumerate(leaves) if leaf.line is None]
    for_blocks = sum(leaves[at].size for at in blocks)
    spare = note_room(room) if sum(leaves[at].size for at in facts) + for_blocks > room else 0
    left = room - spare
    shown = _fact_lines(leaves, facts, query, max(left // _FACTS_SHARE, left - for_blocks))
    shown |= _block_lines(leaves, blocks, query, left - _cost(shown))
    shown |= _fact_lines(leaves, [at for at in facts if at not in shown], query, left - _cost(shown))
    lines = [line for at in sorted(shown) for line in shown[at]]
    missing = [leaf for at, leaf in enumerate(leaves) if at not in shown]
    if not missing:
        return lines
    note = left_out(len(missing), len(leaves), "keys", room - _cost(shown) - 1, names_of(missing, leaves))
    return [*lines, note] if note else lines


def _fact_lines(leaves: Sequence[Leaf], which: Sequence[int], query: Sequence[str], room: int) -> dict[int, list[str]]:
    """Return the lines of the facts that fit, by position; what matches the query is chosen first."""
    wanted = frozenset(query)
    facts = {at: Fact(leaves[at].path, leaves[at].line or "") for at in which}
    ranks = {
        at: (fact.is_empty, not fact.matches(wanted), len(leaves[at].keys), not fact.names_its_row)
        for at, fact in facts.items()
    }
    shown: dict[int, list[str]] = {}
    for at in sorted(which, key=ranks.__getitem__):
        line = str(facts[at])
        if len(line) < room:
            shown[at] = [line]
            room -= len(line) + 1
    return shown


def _block_lines(leaves: Sequence[Leaf], which: Sequence[int], query: Sequence[str], room: int) -> dict[int, list[str]]:
    """Return the lines of the blocks, by position, each within its share; the more relevant have a larger one.

    What a block does not need goes to more relevant ones. Where the room would not even begin them all, the least
    relevant are left out.
    """
    scores = bm25_scores(query, [f"{leaves[at].path} {inline(leaves[at].value, _READ)}" for at in which])
    best = max(scores, default=0.0) or 1.0
    weights = {at: 1.0 + _RELEVANCE * score / best for at, score in zip(which, scores, strict=True)}
    chosen = sorted(which, key=lambda at: -weights[at])[: max(0, room // _LEAST_BLOCK)]
    total = sum(weights[at] for at in chosen)
    shown: dict[int, list[str]] = {}
    for at in sorted(chosen, key=lambda at: (weights[at], leaves[at].size)):
        lines = _block(leaves[at], query, min(leaves[at].size, int(room * weights[at] / total)))
        total -= weights[at]
        if lines:
            shown[at] = lines
            room -= sum(len(line) + 1 for line in lines)
    return shown


def _block(leaf: Leaf, query: Sequence[str], room: int) -> list[str]:
    """Return the lines of one block with its path, or none if nothing of it fits."""
    is_list = leaf.kind in (Kind.TABLE, Kind.TEXT_TABLE) or (isinstance(leaf.value, Mapping) and is_table(leaf.value))
    lead = f"{leaf.path}:" if is_list else f"{leaf.path} = "
    body = _value_lines(leaf.kind, leaf.value, query, room - len(lead) - is_list)
    if not without_notes("\n".join(body)).strip(f"{ELLIPSIS}\n"):
        return []
    return [lead, *body] if is_list else [lead + body[0]]


def _cost(shown: Mapping[int, Sequence[str]]) -> int:
    return sum(len(line) + 1 for lines in shown.values() for line in lines)
