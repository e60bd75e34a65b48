"""Files that are replaced whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def replace(target: Path, data: bytes) -> None:
    """All of it or nothing: a file of a half-written process would be worse than the old one. Raises OSError.

    Of a symbolic link the file behind it is replaced. The file keeps its mode.
    """
    target = Path(os.path.realpath(target))
    aside = target.with_name(f".{target.name}.new")
    try:
        with aside.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, aside)
        os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)
