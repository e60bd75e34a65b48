"""What a benchmark is asked for on its command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def flags(about: str | None, *names: str, given: Sequence[str] | None = None) -> frozenset[str]:
    """Those of `--json` and these that were given. Ends the program after `--help`, and for any other word."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--json", *names):
        parser.add_argument(name, dest="given", action="append_const", const=name)
    return frozenset(parser.parse_args(given).given or ())


def chosen(
    about: str | None, known: Sequence[str], usual: Sequence[str], given: Sequence[str] | None = None
) -> Sequence[str]:
    """The cases that were named, else the usual ones. Ends the program after `--help`, and for one that is unknown."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    allowed = ", ".join(known)
    parser.add_argument("cases", metavar="CASE", nargs="*", help=f"of {allowed}; default: {', '.join(usual)}")
    named: list[str] = parser.parse_args(given).cases
    for each in named:
        if each not in known:
            parser.error(f"there is no case {each}; allowed are {allowed}")
    return named or usual
