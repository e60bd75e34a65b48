"""Deciding regions by the rules of a join (Design: D3 merge, resolve)."""

from __future__ import annotations

from governance.merging.conflicts import Status
from governance.merging.contest import Contest
from governance.merging.evidence import Evidence
from governance.merging.paths import identical, is_inside_item
from governance.merging.reducers import CannotFold, is_nothing
from governance.merging.regions import Region
from governance.merging.rules import MergeRules
from governance.merging.settlement import Outcome, Settlement
from governance.merging.survivors import Survivor
from governance.snapshots.model import layer_of, name_of
from governance.vocabulary import InteractionLevel, Layer, MergeStrategy

_LIST_REDUCERS = (MergeStrategy.APPEND, MergeStrategy.UNION)


def settle(key: str, region: Region, rules: MergeRules, evidence: Evidence) -> Settlement:
    """What becomes of the region: outside WORKING the last write stands, and nobody is told."""
    is_working, name = layer_of(key) is Layer.WORKING, name_of(key)
    declared = rules.strategy(name, region.path) if is_working else MergeStrategy.LAST_WRITE
    if not region.contested:
        return Settlement(region, Outcome.TAKEN, winner=region.members[0])
    strategy = declared or (MergeStrategy.HUMAN if rules.matters(name) else MergeStrategy.LAST_WRITE)
    contest = Contest(key, region, strategy, evidence)
    is_agreement = contest.is_agreement and (not strategy.is_reducer or is_nothing(contest.views[0]))
    if is_agreement or not is_working:
        return contest.taken(contest.candidates[-1])
    if strategy.is_reducer:
        return _reduced(contest)
    return _selected(contest, rules.level, is_declared=declared is not None)


def _reduced(contest: Contest) -> Settlement:
    path, strategy = contest.region.path, contest.strategy
    if any(map(is_nothing, contest.views)):
        return contest.undecided(Status.OPEN, "removed in one branch and written in another")
    if strategy in _LIST_REDUCERS and is_inside_item(path):
        return contest.undecided(Status.OPEN, f"{strategy} governs the list, not what is inside an item")
    try:
        return contest.folded(contest.evidence.folded(strategy, contest.key, path))
    except CannotFold as cannot:
        return contest.undecided(cannot.status, cannot.reason)


def _selected(contest: Contest, level: InteractionLevel, *, is_declared: bool) -> Settlement:
    if contest.strategy is MergeStrategy.LAST_WRITE:
        reason = "the last write stands" if is_declared else "no strategy is declared: the last write stands"
        return contest.won(_winner(contest), reason, notice=not is_declared)
    if contest.strategy is MergeStrategy.HIGHEST_CONFIDENCE:
        return _most_confident(contest, level)
    reason = "a person decides" if is_declared else "retained, or read by a condition: a person decides"
    return contest.undecided(Status.OPEN, reason)


def _most_confident(contest: Contest, level: InteractionLevel) -> Settlement:
    winner = _winner(contest)
    highest = _confidence(contest, winner)
    tied = [
        view
        for candidate, view in zip(contest.candidates, contest.views, strict=True)
        if _confidence(contest, candidate) == highest
    ]
    if all(identical(view, tied[-1]) for view in tied):
        return contest.won(winner, "the highest confidence stands")
    if level.at_least(InteractionLevel.DIFF_PREVIEW):
        return contest.undecided(Status.OPEN, f"several values share the highest confidence, {highest:g}")
    return contest.won(winner, "several values share the highest confidence: the last write of them stands")


def _winner(contest: Contest) -> Survivor:
    """The candidate that a choosing strategy prefers: the last, or the most confident and of those the last."""
    if contest.strategy is not MergeStrategy.HIGHEST_CONFIDENCE:
        return contest.candidates[-1]
    return max(reversed(contest.candidates), key=lambda candidate: _confidence(contest, candidate))


def _confidence(contest: Contest, candidate: Survivor) -> float:
    return contest.evidence.meta(contest.key, candidate).confidence
