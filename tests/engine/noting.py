"""The beginning of a handlers module whose calls are noted in a file, for programs of their own."""

from __future__ import annotations

from typing import Final

NOTING: Final = '''
import os
from pathlib import Path

HERE = Path({folder!r})


def note(what, job):
    with open(HERE / "effects", "a") as log:
        log.write(f"{{what}} {{job.key}} {{os.getpid()}}\\n")


def do(job):
    note(job.type, job)
    return {{job.type: True}}
'''
"""`folder` is where `effects` is written: a line for each call, with what it was for, its key, and the program."""
