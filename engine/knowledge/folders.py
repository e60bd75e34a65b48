"""Documents of a folder as items of knowledge; only what changed is read again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from engine.knowledge.documents import Passage, passages
from engine.knowledge.errors import UnreadableDocument
from engine.knowledge.finding import NoDocuments, find
from engine.store.parts import KnowledgeItems
from governance.flywheel.feedback import regraded
from governance.flywheel.flywheel import KnowledgeFlywheel
from governance.flywheel.item import KnowledgeItem, Provenance, SourceKind, Standing

DEFAULT_TYPE: Final = "document"


@dataclass(slots=True)
class Taken:
    """What taking in documents came to: their paths, the items that are new, and what could not be read."""

    read: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    added: int = 0
    superseded: int = 0
    unreadable: list[UnreadableDocument] = field(default_factory=list)


class DocumentFolder:
    """Keeps the items of documents as the documents are.

    Sources are named by their path from the folder's name on (`handbook/sop/refunds.md`): the same on every machine,
    and no prompt tells where a folder is. Two folders of one name are taken for one.
    """

    def __init__(self, stored: KnowledgeItems, flywheel: KnowledgeFlywheel) -> None:
        self._stored, self._flywheel = stored, flywheel

    def take_in(self, path: Path, type: str | None, at: str) -> Taken:
        """Read a document, or all below a folder. Each document is one transaction.

        Without `type`, a subfolder's name is its documents' type. Items whose passage is gone are superseded, those of
        a document that is gone have expired: both stay readable. What cannot be read is told, and stays as it was
        known. Raises NoDocuments.
        """
        root = path.expanduser().absolute()
        taken, known = Taken(), self._stored.sources()
        found = find(root)
        taken.unreadable += found.unreadable
        for source, document in found.documents.items():
            self._take(document, source, type or _type_by_folder(document, root), at, known.get(source), taken)
        if root.is_dir():
            before = [source for source, digest in known.items() if digest and source.startswith(f"{root.name}/")]
            for source in found.missing(before):
                self._expire(source, at, taken)
        if not (found.documents or found.unreadable or taken.gone):
            raise NoDocuments(str(root), "holds no document")
        return taken

    def _take(self, document: Path, source: str, type: str, at: str, digest: str | None, taken: Taken) -> None:
        try:
            now = sha256(f"{type}\n".encode() + document.read_bytes()).hexdigest()
            if now == digest:
                taken.unchanged.append(source)
                return
            found = passages(document)
        except UnreadableDocument as error:
            taken.unreadable.append(UnreadableDocument(source, error.found, error.allowed))
            return
        except OSError as error:
            taken.unreadable.append(UnreadableDocument(source, error.strerror or str(error), "make it readable"))
            return
        items = {item.id: item for item in (self._item(each, source, type, at) for each in found)}
        before = {item.id: item for item in self._stored.of_source(source)}
        here = [self._now(item, before.get(item.id), at) for item in items.values()]
        gone = [item for id, item in before.items() if id not in items and item.standing.in_use]
        old = [item.marked(Standing.SUPERSEDED, at, "the document changed") for item in gone]
        self._stored.put([*(item for item in here if item != before.get(item.id)), *old], {source: now})
        taken.read.append(source)
        taken.added += sum(item.id not in before for item in here)
        taken.superseded += len(old)

    def _item(self, passage: Passage, source: str, type: str, at: str) -> KnowledgeItem:
        provenance = Provenance(kind=SourceKind.DOCUMENT, source=source, place=passage.place)
        return self._flywheel.produce(passage.text, type, provenance, at, title=passage.title)

    def _now(self, found: KnowledgeItem, known: KnowledgeItem | None, at: str) -> KnowledgeItem:
        """An item of the document as it stands there now. What a person retired stays so, whatever documents say."""
        if known is None:
            return found
        placed = replace(known, provenance=found.provenance, title=found.title)
        if known.standing in (Standing.SUPERSEDED, Standing.EXPIRED):
            return regraded(placed.marked(Standing.TO_VERIFY, at), self._flywheel.settings)
        return placed

    def _expire(self, source: str, at: str, taken: Taken) -> None:
        items = [item for item in self._stored.of_source(source) if item.standing.in_use]
        self._stored.put([item.marked(Standing.EXPIRED, at, "the document is gone") for item in items], {source: ""})
        taken.gone.append(source)


def _type_by_folder(document: Path, root: Path) -> str:
    """The name of the subfolder of `root` that the document is in."""
    inside = document.relative_to(root).parts if document != root else ()
    return inside[0] if len(inside) > 1 else DEFAULT_TYPE
