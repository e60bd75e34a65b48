"""Marks of Chinese and Japanese punctuation, for character classes and sets."""

# ruff: noqa: RUF001 - these characters look like ASCII ones on purpose.

from __future__ import annotations

CJK_SENTENCE_ENDS = "。！？；"
CJK_CLAUSE_ENDS = "，：、"
CJK_CLOSING = "）」』】》”’"
CJK_OPENING = "（「『【《“‘"
"""The typographic quotation marks are used in Latin scripts too."""
