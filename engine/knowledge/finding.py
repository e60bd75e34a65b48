"""Which documents a folder holds, and which are let alone: links out of it, what is no file, what is too large."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import EngineError
from engine.knowledge.documents import READERS, require_size
from engine.knowledge.errors import UnreadableDocument


class NoDocuments(EngineError):
    """A place where there is nothing to read."""

    def __init__(self, path: str, found: str) -> None:
        self.path, self.found = path, found
        super().__init__(f"{path}: {found}; allowed are a document or a folder of documents: {', '.join(READERS)}")


@dataclass(slots=True)
class Found:
    """The documents of a place, by the name that each has as a source, and what was left out.

    `closed` are the sources of folders that could not be opened: nobody knows what stands in them now.
    """

    documents: dict[str, Path] = field(default_factory=dict)
    unreadable: list[UnreadableDocument] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)

    def missing(self, known: Iterable[str]) -> Iterator[str]:
        """Of the known sources those that are there no more."""
        there = {*self.documents, *(error.path for error in self.unreadable)}
        for source in known:
            if source not in there and not any(source.startswith(f"{folder}/") for folder in self.closed):
                yield source


def find(root: Path) -> Found:
    """The document at `root`, or all below it; hidden ones are passed over. Raises NoDocuments."""
    found = Found()
    if root.is_file():
        _add(root, root, found)
        return found
    if not root.is_dir():
        raise NoDocuments(str(root), "there is nothing")
    for path in _below(root, found):
        _add(path, root, found)
    return found


def _below(root: Path, found: Found) -> Sequence[Path]:
    paths: list[Path] = []

    def closed(error: OSError) -> None:
        folder, why = Path(error.filename), error.strerror or str(error)
        if folder == root:
            raise NoDocuments(str(root), f"cannot be opened ({why})")
        source = source_of(folder, root)
        found.closed.append(source)
        found.unreadable.append(UnreadableDocument(source, why, "make it readable"))

    for parent, folders, names in os.walk(root, onerror=closed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix.lower() in READERS and not name.startswith("."):
                paths.append(Path(parent, name))
    return paths


def _add(path: Path, root: Path, found: Found) -> None:
    source = source_of(path, root)
    try:
        _require_file(path, root, source)
        found.documents[source] = path
    except UnreadableDocument as error:
        found.unreadable.append(error)
    except (OSError, RuntimeError) as error:
        # A link that leads to itself is a RuntimeError before Python 3.13.
        found.unreadable.append(UnreadableDocument(source, str(error), "make it readable"))


def _require_file(path: Path, root: Path, source: str) -> None:
    """Whether it is a file of this folder that can be read as a whole. Raises UnreadableDocument, OSError."""
    if source.encode(errors="replace").decode() != source:
        raise UnreadableDocument(source.encode(errors="replace").decode(), "its name is not UTF-8", "rename it")
    if path != root and not path.resolve().is_relative_to(root.resolve()):
        raise UnreadableDocument(source, "is a link that leads out of the folder", "put a copy in its place")
    if not path.is_file():
        raise UnreadableDocument(source, "is no file", "put a document in its place, or take it away")
    require_size(path, source)


def source_of(path: Path, root: Path) -> str:
    """Its path from the folder's name on."""
    return path.relative_to(root.parent).as_posix()
