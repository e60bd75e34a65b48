"""An instance goes on with another definition, or what that would come to is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bpmn.load import Loaded, load
from engine.cli.errors import BadOption
from engine.cli.exits import Exit
from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.running import Runner, RunOptions, by_prefix
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.wiring import looking_at
from engine.governor import Governor
from engine.names import Names
from engine.operations.migration.planning import MigrationPlan
from engine.result import RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the options say. `to` is a file or a hash, `mapping` OLD=NEW each."""

    to: str
    mapping: tuple[str, ...] = ()
    process: str | None = None
    trust_scripts: bool = False
    reason: str = ""

    def target(self) -> str | Loaded:
        """The hash, or what the file has. Raises BpmnError."""
        if not Path(self.to).is_file() and not self.to.endswith(".bpmn"):
            return self.to
        return load(self.to, process=self.process, trust_scripts=self.trust_scripts)

    def names(self) -> Mapping[str, str]:
        """Old ids to new ones. Raises BadOption."""
        found = {}
        for each in self.mapping:
            old, equals, new = each.partition("=")
            if not (old and equals and new):
                raise BadOption("--map", each, "write --map OLD=NEW")
            found[old] = new
        return found


def migrate_instance(options: RunOptions, prefix: str, wanted: Wanted, *, dry_run: bool) -> Exit:
    """Migrate it, or tell the plan: FAILED if something in that does not map."""
    target, names = wanted.target(), wanted.names()
    if dry_run:
        with looking_at(options.db) as governor:
            planned = governor.plan_migration(governor.store.find_instance(prefix), target, mapping=names)
        _tell(planned, as_json=options.json)
        return Exit.FAILED if planned.problems else Exit.DONE
    by = somebody(options.user)

    def move(governor: Governor, instance: str, _: Names) -> RunResult:
        governor.plan_migration(instance, target, mapping=names).require()
        hash = target if isinstance(target, str) else governor.deploy(target, by=by).definition
        return governor.migrate(instance, hash, mapping=names, by=by, reason=wanted.reason)

    return Runner(options).operate(by_prefix(prefix), move)


def _tell(planned: MigrationPlan, *, as_json: bool) -> None:
    if as_json:
        print_json(planned.to_json())
        return
    screen = output()
    for old, new in planned.mapped.items():
        screen.line("  ", (old, Style.STRONG), " stays" if old == new else f" → {new}")
    for label, ids in (
        ("waits no more", planned.dropped), ("does not wait", planned.not_armed),
        ("new", planned.added), ("gone", planned.removed),
    ):  # fmt: skip
        _line(screen, label, ids)
    for problem in planned.problems:
        screen.line("  ", ("does not map", Style.BAD), f": {problem}")
    screen.line("It can go on there." if not planned.problems else "It cannot go on there.")


def _line(screen: Screen, label: str, ids: list[str]) -> None:
    if ids:
        screen.line("  ", (label, Style.STRONG), f": {', '.join(ids)}")
