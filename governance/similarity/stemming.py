"""English stems from the Snowball project, one instance a call: its stemmers keep the current word in themselves."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the English (Porter 2) stem of a lower-case word."""
    # Imported at the first word: the package imports every language it knows.
    from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]

    stemmed: str = EnglishStemmer().stemWord(word)
    return stemmed
