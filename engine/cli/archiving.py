"""`governor export` and `governor import`: instances as files."""

from __future__ import annotations

from pathlib import Path

from engine.cli.hints import Hints
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.wiring import governor_on, looking_at


def export_to(db: str | None, prefix: str, out: str, *, as_json: bool) -> None:
    """Write an instance to a file. Raises UnknownInstance, AmbiguousInstance, OSError."""
    with looking_at(db) as governor:
        instance = governor.store.find_instance(prefix)
        governor.store.export(instance, Path(out))
    size = Path(out).stat().st_size
    if as_json:
        print_json({"instance": instance, "file": out, "bytes": size})
    else:
        output().line((instance, Style.NAME), f"  written to {out}, {size:,} bytes")


def import_from(db: str | None, file: str, *, as_json: bool) -> None:
    """Take in an instance. Raises BadArchive, InstanceExists, OSError."""
    with governor_on(db) as governor:
        instance = governor.store.take_in(Path(file))
        status = governor.store.instance(instance).status
    if as_json:
        print_json({"instance": instance, "status": status})
    else:
        output().line((instance, Style.NAME), f"  taken in, {status}: ", (Hints(db).show(instance), Style.STRONG))
