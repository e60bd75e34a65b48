"""Duplication between layers, counted as entries come and go (Design: attention, duplication)."""

from __future__ import annotations


class Overlap:
    """How many rendered entries of KNOWLEDGE, HISTORY and WORKING (all scopes) stand in another of these layers.

    `duplicated` of `entries` have a name or a value hash that another of the three layers has too. A HISTORY record
    counts as one entry per output.
    """

    entries: int
    duplicated: int
