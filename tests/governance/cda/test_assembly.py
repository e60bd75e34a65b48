"""The room of an assembly, and what the lines that come first may take of it (Design: CDA, phases)."""

from __future__ import annotations

import pytest

from governance.cda.assembly import Assembler, Request
from governance.cda.embedding import HashingEmbedding
from governance.cda.library import Library
from governance.cda.scoring import Focus
from governance.cda.settings import CdaSettings
from governance.cda.zones import ZoneTable


class Characters:
    """A counter to whom each character is a token."""

    def count(self, text: str) -> int:
        return len(text)


@pytest.mark.parametrize(
    ("lengths", "kept"),
    [((24,), (24,)), ((25,), ()), ((25, 24), (24,)), ((24, 17), (24, 17)), ((24, 18), (24,)), ((24, 18, 17), (24, 17))],
)
def test_a_line_that_comes_first_takes_a_fourth_of_what_room_is_left_at_most(
    lengths: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    settings = CdaSettings()
    library = Library("s", Characters(), HashingEmbedding(), settings)
    lines = tuple(chr(97 + at) * length for at, length in enumerate(lengths))
    found = Assembler(library, Characters(), settings, ZoneTable(settings)).assemble(
        Request(focus=Focus(query="ledger"), room=100, lines=lines)
    )
    assert tuple(map(len, found.lines)) == kept
    assert found.packed.room == 100 - sum(length + 1 for length in kept)
