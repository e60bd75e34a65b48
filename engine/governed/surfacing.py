"""Where the context of an event sub-process begins: at what its scope as a whole has come to.

The snapshots of branches that are still apart belong to nobody but them, so it is the newest snapshot on the scope's
own branch: that of the token on it, or the one that its branches split off from. What an activity under way has done so
far is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.governed.branches import splits_of
from engine.governed.token import Token
from governance.snapshots.graph import SnapshotGraph


def surfaced(graph: SnapshotGraph, listening: Token, tokens: Iterable[Token]) -> Token:
    """The listener's token, moved on to the newest snapshot of its own branch.

    `listening` stands where the scope began; `tokens` are those of the scope. Cost: the tokens, and for branches their
    way back to the split.
    """
    best, newest = listening, graph.get(listening.head).generation
    for token in tokens:
        found = _on_branch(graph, listening, token)
        generation = graph.get(found.head).generation
        if generation > newest:
            best, newest = found, generation
    return best


def _on_branch(graph: SnapshotGraph, listening: Token, token: Token) -> Token:
    if token.branch == listening.branch:
        return listening._replace(head=token.head, recent=token.recent, action=token.action)
    if not token.branch.startswith(f"{listening.branch}/"):
        return listening
    split = 0
    for branch, generation in splits_of(token.branch):
        if branch == listening.branch:
            break
        split = generation
    commit = graph.get(token.head)
    while commit.generation > split and commit.parents:
        commit = graph.get(commit.parents[0])
    return listening._replace(head=commit.id)
