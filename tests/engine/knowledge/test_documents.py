"""Documents become passages that say where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.knowledge.documents import PASSAGE_CHARS, passages, sections
from engine.knowledge.errors import UnreadableDocument


def test_a_passage_has_the_headings_above_it_and_its_lines() -> None:
    found = list(sections("Intro.\n\n# Refunds\n\nAsk first.\n\n## Limits\nUp to 500.\n\n# Travel\nBook early.\n"))
    assert [(each.title, each.text, each.place) for each in found] == [
        ("", "Intro.", "line 1"),
        ("Refunds", "Ask first.", "line 5"),
        ("Refunds > Limits", "Up to 500.", "line 8"),
        ("Travel", "Book early.", "line 11"),
    ]


def test_a_heading_inside_a_code_block_is_none() -> None:
    [found] = sections("# A\n```\n# not a heading\n```\n")
    assert found.title == "A"
    assert "# not a heading" in found.text


def test_short_paragraphs_stand_together_and_long_ones_are_cut(tmp_path: Path) -> None:
    document = tmp_path / "a.txt"
    document.write_text("One.\n\nTwo.\n\n" + "A sentence of some length. " * 300)
    found = passages(document)
    assert found[0].text.startswith("One.\n\nTwo.")
    assert all(len(each.text) <= 2 * PASSAGE_CHARS for each in found)
    assert "".join(each.text for each in found).count("A sentence") == 300


def test_nothing_of_a_long_text_without_spaces_is_lost(tmp_path: Path) -> None:
    document = tmp_path / "a.txt"
    document.write_text("x" * 10_000)
    assert sum(len(each.text) for each in passages(document)) == 10_000


def test_a_page_gives_its_text_and_none_of_its_scripts(tmp_path: Path) -> None:
    document = tmp_path / "a.html"
    document.write_text(
        "<head><title>T</title></head><h1>Refunds</h1><p>Ask&nbsp;<b>first</b>.</p><script>x()</script>"
    )
    [found] = passages(document)
    assert (found.title, "".join(found.text.split())) == ("Refunds", "Askfirst.")


def test_a_pdf_gives_its_pages(tmp_path: Path) -> None:
    pytest.importorskip("pypdf", reason="PDF needs bpmn-governor[knowledge]")
    document = tmp_path / "a.pdf"
    document.write_bytes(pdf("Refunds need approval."))
    [found] = passages(document)
    assert (found.text, found.place) == ("Refunds need approval.", "page 1")


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("a.md", b"\xff\xfe\x00", "is not UTF-8 (byte 0)"),
        ("a.txt", b"MZ\x00\x01", "is no text (byte 2 is 0)"),
        ("a.html", b"<p>a\x00</p>", "is no text (byte 4 is 0)"),
        ("a.docx", b"", "is no kind of document that is read"),
        ("a.pdf", b"no pdf", "PDF"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, data: bytes, found: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UnreadableDocument, match=found.replace("(", r"\(").replace(")", r"\)")):
        passages(tmp_path / name)


def pdf(text: str) -> bytes:
    """The smallest PDF with one line on one page."""
    content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + trailer
