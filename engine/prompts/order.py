"""The order of entries in a prompt: models read both ends of a text better than its middle.

Source: Liu et al., Lost in the Middle: How Language Models Use Long Contexts, 2023.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from governance.similarity.bm25 import bm25_scores

_WHERE: Final = re.compile(r"^\S*@\d+:")


def relevant_at_ends(lines: Sequence[str], query: str) -> list[str]:
    """The lines with the most relevant one last, the second first, the third last but one, and so on.

    What shares nothing with the query stays in the middle, in the order given. Relevance is BM25; a record's branch
    says nothing of what it is about.
    """
    if len(lines) < 2:
        return list(lines)
    scores = bm25_scores(query, [_WHERE.sub("", line) for line in lines])
    relevant = sorted((i for i, score in enumerate(scores) if score > 0.0), key=lambda i: (-scores[i], -i))
    first, last = relevant[1::2], relevant[0::2]
    middle = [i for i, score in enumerate(scores) if score <= 0.0]
    return [lines[i] for i in (*first, *middle, *reversed(last))]
