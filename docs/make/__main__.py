"""Writes the reference and the pictures: `python -m docs.make`."""

from __future__ import annotations

from docs.make.pages import DOCS, PAGES


def main() -> None:
    for path, write in PAGES.items():
        file = DOCS / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
