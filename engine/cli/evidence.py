"""`governor evidence`."""

from __future__ import annotations

from dataclasses import asdict

from engine.cli.exits import Exit
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.wiring import looking_at
from engine.evidence import evidence
from engine.evidence.signing import Signer, Verifier
from engine.evidence.verifying import Verified, verify_archive
from governance.ports import SystemClock, timestamp


def write_evidence(db: str | None, prefix: str, out: str, key: str | None, *, masked: bool, as_json: bool) -> None:
    """Write an archive; `masked`: what is personal is withheld. Raises EvidenceError, StoreError, OSError."""
    signer = None if key is None else Signer(key)
    with looking_at(db) as governor:
        instance = governor.store.find_instance(prefix)
        at = timestamp(SystemClock().now())
        size, events = evidence.write_evidence(
            governor.store, instance, out, at, personal=not masked, signer=signer
        )
    if as_json:
        print_json({"instance": instance, "file": out, "bytes": size, "signed": signer is not None})
    else:
        how = "signed" if signer is not None else "not signed (--key)"
        output().line(f"{out}: {size:,} bytes, {events:,} events, {how}")


def verify_evidence(file: str, public_key: str | None, *, as_json: bool) -> Exit:
    """Tell what an archive proves. Raises EvidenceError, OSError."""
    found = verify_archive(file, None if public_key is None else Verifier(public_key))
    if as_json:
        print_json({"intact": not found.problems, **asdict(found)})
    else:
        _tell(found)
    return Exit.FAILED if found.problems else Exit.DONE


def _tell(found: Verified) -> None:
    screen = output()
    for problem in found.problems:
        screen.line((problem, Style.BAD))
    held = f"{found.events:,} events, {found.snapshots:,} snapshots, {found.values:,} values"
    held += f", {found.decisions:,} decisions"
    screen.line((f"instance {found.instance}", Style.STRONG), f": {held}; last link {found.head[:16]}")
    if found.problems:
        screen.line(("it is not what was archived", Style.BAD))
        return
    for title, lines, style in (("it proves", found.proves, Style.GOOD), ("it does not prove", found.lacks, Style.DIM)):
        screen.line((title, style))
        for line in lines:
            screen.line(f"  {line}")
