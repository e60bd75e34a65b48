"""`governor replay` and `governor rewind`."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from engine.cli.exits import Exit
from engine.cli.hints import Hints
from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.telling.times import moment
from engine.cli.wiring import governor_on, looking_at
from engine.context_names import ContextNames, short
from engine.replay.rewinding import Consent, Plan
from engine.report.words import several
from governance.vocabulary import InteractionLevel


class Wish(NamedTuple):
    """What somebody wants of a rewind."""

    to: str
    yes: bool
    reason: str
    dry_run: bool
    user: str | None
    roles: tuple[str, ...]


def replay_instance(db: str | None, prefix: str, *, as_json: bool) -> Exit:
    """Tell what a replay came to. Raises NotReplayable, StoreError."""
    with looking_at(db) as governor:
        found = governor.replay(governor.store.find_instance(prefix))
    if as_json:
        print_json({**asdict(found), "same": found.difference is None})
    else:
        screen = output()
        advances, snapshots = several(found.advances, "advance"), several(found.snapshots, "snapshot")
        done = f"{advances} made again, {snapshots} with the same ids"
        if found.difference is None:
            screen.line((f"{found.instance}: {done}", Style.GOOD))
        else:
            screen.line((f"{found.instance}: {found.difference.message}", Style.BAD))
            screen.line((f"{done} before it", Style.DIM))
        if found.taken:
            taken = f"{several(found.taken, 'snapshot')} made inside agents' work stand as recorded"
            screen.line((f"{taken}: what models said is not kept", Style.DIM))
    return Exit.DONE if found.difference is None else Exit.FAILED


def rewind_instance(db: str | None, prefix: str, wish: Wish, *, as_json: bool) -> Exit:
    """Rewind, or tell what it would mean. Raises BadOption, RewindRefused, NotRewindable, NotReplayable, StoreError."""
    by = somebody(wish.user)
    with governor_on(db, must_exist=True) as governor:
        instance = governor.store.find_instance(prefix)
        contexts = ContextNames.of(governor, governor.graph(instance), instance)
        snapshot = contexts.snapshot(wish.to)
        plan = governor.plan_rewind(instance, snapshot)
        if not wish.dry_run:
            level = InteractionLevel.EXPLICIT_APPROVAL if wish.yes else InteractionLevel.MICRO_SUGGESTION
            governor.rewind(instance, snapshot, Consent(by, wish.reason, wish.roles, level))
    if as_json:
        print_json({"instance": instance, "rewound": not wish.dry_run, **plan.to_json()})
    else:
        _tell(output(), instance, plan, wish.dry_run, Hints(db))
    return Exit.DONE


def _tell(screen: Screen, instance: str, plan: Plan, dry_run: bool, hints: Hints) -> None:
    tense = "would stand" if dry_run else "stands"
    after = f"{several(plan.abandoned, 'advance')} after it {'would be' if dry_run else 'are'}"
    given_up = f"{after} given up, and stay in the log"
    screen.line((instance, Style.STRONG), f" {tense} at snapshot {short(plan.snapshot)} again; {given_up}")
    if plan.done:
        screen.line("done outside since, and not undone:")
        screen.table(
            ["when", "what", "effect", "key"],
            [[moment(e.at), f"{e.element}: {e.what}", (e.effect.value, Style.WARN), e.key] for e in plan.done],
        )
    if dry_run and plan.level.blocks:
        screen.line((f"it asks for {plan.level.value} ({plan.why}): --yes, with --reason", Style.WARN))
    if not dry_run:
        screen.line((f"go on: {hints.resume(instance)}", Style.DIM))
