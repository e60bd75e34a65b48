"""Whether the packages Python found under our three names are the ones installed with this file.

`engine` is a common name. A folder of that name on PYTHONPATH, or a distribution that installs one over ours, would
otherwise show as an import error deep inside. Nothing of ours is imported here: what is wrong may be anywhere.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from typing import NamedTuple

PACKAGES = ("engine", "bpmn", "governance")
DISTRIBUTION = "bpmn-governor"


class ForeignPackage(NamedTuple):
    """A package of one of our names that is not ours."""

    name: str
    expected: str
    """Path of our `__init__.py`."""
    found: str | None
    """Path of the `__init__.py` that Python found; a folder's if it has none; None if there is nothing."""


def foreign_packages(home: str | None = None) -> list[ForeignPackage]:
    """Those of the three packages that are not the (empty) ones in `home`, the folder this installation lives in.

    Costs one file lookup per package. Only when the list is empty is it safe to import more of ours.
    """
    home = home or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    expected = {name: os.path.join(home, name, "__init__.py") for name in PACKAGES}
    return [
        ForeignPackage(name, path, found)
        for name, path in expected.items()
        if not _is_ours(path, found := _init_file(name))
    ]


def explain(foreign: ForeignPackage) -> str:
    """One line for the user: what was found, whose it is, what was expected and what to do."""
    if foreign.found is None:
        return f"Governor's package {foreign.name!r} is missing: {foreign.expected}. Install {DISTRIBUTION} again."
    owners = ", ".join(_owners(foreign)) or "no installed distribution"
    if _same_file(foreign.found, foreign.expected):
        return (
            f"Governor's package {foreign.name!r} was overwritten: {foreign.found} is not empty"
            f" (it belongs to: {owners}). Install {DISTRIBUTION} in an environment of its own."
        )
    return (
        f"Another package named {foreign.name!r} was imported: {foreign.found} (it belongs to: {owners});"
        f" Governor's is {foreign.expected}. Take the other off PYTHONPATH, or install {DISTRIBUTION} in an environment"
        " of its own."
    )


def _is_ours(expected: str, found: str | None) -> bool:
    return found is not None and _same_file(found, expected) and os.path.getsize(found) == 0


def _same_file(found: str, expected: str) -> bool:
    return found == expected or (os.path.exists(expected) and os.path.samefile(found, expected))


def _init_file(package: str) -> str | None:
    spec = importlib.util.find_spec(package)
    if spec is None:
        return None
    if spec.has_location:
        return spec.origin
    return next(iter(spec.submodule_search_locations or ()), spec.origin)


def _owners(foreign: ForeignPackage) -> Iterator[str]:
    """Names of the installed distributions, but for our own, that list the found file; reads all their file lists."""
    import importlib.metadata  # 30 ms, spent only when something is wrong

    for distribution in importlib.metadata.distributions():
        paths = (path for path in distribution.files or () if path.parts == (foreign.name, "__init__.py"))
        if distribution.name != DISTRIBUTION and any(str(path.locate()) == foreign.found for path in paths):
            yield distribution.name
