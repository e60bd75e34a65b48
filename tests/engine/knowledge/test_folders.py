"""A folder of documents as knowledge: what changed is read again, what is gone is marked, nothing is deleted."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from engine.knowledge.finding import NoDocuments
from engine.knowledge.folders import DocumentFolder, Taken
from engine.knowledge.index import KnowledgeIndex, PendingKnowledge
from engine.knowledge.knowledge import Knowledge
from engine.store.database import Database
from engine.store.knowledge import KnowledgeTable
from governance.flywheel.flywheel import KnowledgeFlywheel
from governance.flywheel.item import KnowledgeItem, Standing
from governance.flywheel.ports import Wanted
from governance.ports import FixedClock
from governance.tokens import EstimatingCounter
from tests.governance.flywheel.bases import AT, LATER, FirstCharacters, item

NEWEST = "2026-03-09T09:00:00.000000Z"
REFUNDS = "# Refunds\nAsk a team lead above 500 EUR.\n\n# Travel\nBook three weeks ahead.\n"


@pytest.fixture
def table(tmp_path: Path) -> KnowledgeTable:
    return KnowledgeTable(Database(str(tmp_path / "a.db")))


def wheel(table: KnowledgeTable) -> KnowledgeFlywheel:
    index = KnowledgeIndex(table)
    return KnowledgeFlywheel(PendingKnowledge(index, {}), index, FirstCharacters(), EstimatingCounter())


def take(table: KnowledgeTable, path: Path, at: str = AT, type: str | None = "sop") -> Taken:
    return DocumentFolder(table, wheel(table)).take_in(path, type, at)


def standing(table: KnowledgeTable) -> dict[str, Standing]:
    return {each.text: each.standing for each in table.since(0)[1]}


def handbook(tmp_path: Path, text: str = REFUNDS) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir(exist_ok=True)
    (folder / "rules.md").write_text(text)
    return folder


def found(table: KnowledgeTable, query: str, **wanted: object) -> list[KnowledgeItem]:
    return list(KnowledgeIndex(table).search(Wanted(query=query, **wanted)))  # type: ignore[arg-type]


def test_documents_are_found_by_their_words(table: KnowledgeTable, tmp_path: Path) -> None:
    assert take(table, handbook(tmp_path)).added == 2
    [best, *_] = found(table, "who approves refunds above 500?")
    assert (best.title, best.provenance.place, best.type) == ("Refunds", "line 2", "sop")
    assert best.provenance.source == "handbook/rules.md"


def test_what_did_not_change_is_not_read_again(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    take(table, folder)
    change, _ = table.since(0)
    again = take(table, folder, LATER)
    assert (again.read, len(again.unchanged)) == ([], 1)
    assert table.since(change) == (change, [])


def test_a_changed_passage_supersedes_the_old_one_and_leaves_the_others(table: KnowledgeTable, tmp_path: Path) -> None:
    take(table, handbook(tmp_path))
    again = take(table, handbook(tmp_path, "A new line.\n\n" + REFUNDS.replace("500", "900")), LATER)
    assert (again.added, again.superseded) == (2, 1)
    assert standing(table)["Ask a team lead above 500 EUR."] is Standing.SUPERSEDED
    [travel] = [each for each in table.since(0)[1] if "weeks" in each.text]
    assert (travel.created_at, travel.provenance.place) == (AT, "line 7")
    assert [each.text for each in found(table, "team lead")] == ["Ask a team lead above 900 EUR."]


def test_a_document_that_is_gone_has_expired_and_may_come_back(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    (folder / "other.txt").write_text("Something else.")
    take(table, folder)
    (folder / "rules.md").unlink()
    assert len(take(table, folder, LATER).gone) == 1
    assert not found(table, "refunds team lead")
    take(table, handbook(tmp_path), LATER)
    assert len(found(table, "refunds team lead")) == 1


def test_what_a_person_retired_stays_retired(table: KnowledgeTable, tmp_path: Path) -> None:
    take(table, handbook(tmp_path))
    [refunds] = found(table, "refunds team lead")
    table.put([refunds.marked(Standing.RETIRED, LATER, "wrong")])
    take(table, handbook(tmp_path, REFUNDS + "\nOne more line.\n"), LATER)
    assert not found(table, "refunds team lead")


def test_a_document_that_cannot_be_read_is_told_and_the_others_are_taken(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    (folder / "broken.txt").write_bytes(b"\xff\xff")
    taken = take(table, folder)
    assert (taken.added, [error.path for error in taken.unreadable]) == (2, ["handbook/broken.txt"])


def test_a_place_without_documents_is_refused(table: KnowledgeTable, tmp_path: Path) -> None:
    with pytest.raises(NoDocuments, match="there is nothing"):
        take(table, tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoDocuments, match="holds no document"):
        take(table, tmp_path / "empty")


def test_an_index_follows_what_another_program_changes(table: KnowledgeTable) -> None:
    index = KnowledgeIndex(table)
    assert not index.search(Wanted(query="refunds"))
    table.put([item("refunds take a week")])
    assert len(index.search(Wanted(query="refunds"))) == 1
    table.put([item("refunds take a week").marked(Standing.RETIRED, LATER)])
    assert not index.search(Wanted(query="refunds"))


def test_items_are_listed_newest_first_and_as_they_stand_now(table: KnowledgeTable) -> None:
    old, over = item("the oldest"), replace(item("its time is over"), created_at=LATER, expires_at=LATER)
    table.put([old, over, replace(item("the newest"), created_at=NEWEST)])
    knowledge = Knowledge(table, FixedClock(datetime.fromisoformat(NEWEST)), FirstCharacters())
    assert [each.text for each in knowledge.items()] == ["the newest", "the oldest"]
    assert [each.text for each in knowledge.items(all=True)] == ["the newest", "its time is over", "the oldest"]
    assert knowledge.find(over.id).standing is Standing.EXPIRED
    knowledge.confirm(over.id, by="ann")
    assert len(knowledge.items()) == 3


def test_types_and_confidence_narrow_a_search(table: KnowledgeTable) -> None:
    table.put([item(f"refunds rule {n}", 0.4 + n / 10, type="sop" if n % 2 else "faq") for n in range(5)])
    assert len(found(table, "refunds", count=9)) == 4
    assert {each.type for each in found(table, "refunds", type="faq", count=9)} == {"faq"}
    assert all(each.confidence >= 0.7 for each in found(table, "refunds", min_confidence=0.7))


def test_many_hits_of_another_type_hide_none(table: KnowledgeTable) -> None:
    table.put([item(f"refunds refunds rule {n}", type="faq") for n in range(50)])
    table.put([item("one rule of the handbook says something about refunds", type="sop")])
    assert len(found(table, "refunds", type="sop", count=1)) == 1


def test_a_subfolder_is_a_type(table: KnowledgeTable, tmp_path: Path) -> None:
    folder = handbook(tmp_path)
    (folder / "faq").mkdir()
    (folder / "faq" / "a.txt").write_text("Refunds are asked for often.")
    take(table, folder, type=None)
    assert {each.type for each in table.since(0)[1]} == {"document", "faq"}


def test_ids_do_not_depend_on_where_a_folder_is(tmp_path: Path) -> None:
    ids = []
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        table = KnowledgeTable(Database(str(tmp_path / place / "a.db")))
        take(table, handbook(tmp_path / place))
        ids.append({each.id for each in table.since(0)[1]})
    assert ids[0] == ids[1]
