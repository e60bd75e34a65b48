"""`governor export-log`."""

from __future__ import annotations

from typing import NamedTuple

from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.wiring import looking_at
from engine.evidence.checkpoints import every_instance
from engine.mining.export import Format, export_logs
from engine.report.words import several


class Wanted(NamedTuple):
    """Which instances (prefixes; none: all), of which process, how and where to."""

    instances: tuple[str, ...]
    format: Format
    out: str
    process: str | None
    pseudonyms: bool


def export(db: str | None, wanted: Wanted, *, as_json: bool) -> None:
    """Write the logs. Raises BadOption, StoreError, OSError."""
    if wanted.out == "-":
        raise BadOption("--out", "", "say where to write it: --out FILE")
    with looking_at(db) as governor:
        store = governor.store
        ids = [store.find_instance(each) for each in wanted.instances] or list(every_instance(store))[::-1]
        if wanted.process is not None:
            ids = [id for id in ids if store.instance(id).process == wanted.process]
        count = export_logs(store, ids, wanted.format, wanted.out, pseudonyms=wanted.pseudonyms)
    if as_json:
        print_json({"file": wanted.out, "format": wanted.format, "instances": count})
    else:
        output().line(f"{wanted.out}: {several(count, 'instance')} as {wanted.format.upper()}")
