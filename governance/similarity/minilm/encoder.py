"""A small sentence encoder of BERT's kind (MiniLM), run by numpy alone: mean of the last layer, at length 1.

Source: Devlin et al., BERT, 2019; Reimers and Gurevych, Sentence-BERT, 2019.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import numpy as np

from governance.similarity.minilm.tensors import Array, read_tensors
from governance.similarity.minilm.wordpiece import WordPieces

_LONGEST = 256


class SentenceEncoder:
    """Reads `config.json`, `vocab.txt` and `model.safetensors` in `folder`; no library of models is needed.

    Raises OSError for files that are not there, ValueError or KeyError for another kind of model.
    """

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        tensors = read_tensors(folder / "model.safetensors")
        self._weights = {name.removeprefix("bert."): each for name, each in tensors.items()}
        self._words = WordPieces(folder / "vocab.txt")
        self._heads = int(config["num_attention_heads"])
        self._layers = int(config["num_hidden_layers"])
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        self._longest = min(_LONGEST, int(config["max_position_embeddings"]))
        self.dimensions = int(config["hidden_size"])

    def encode(self, text: str) -> Array:
        """The vector of a text, of length 1."""
        numbers = self._words.encode(text, self._longest)
        states = self._weights["embeddings.word_embeddings.weight"][numbers]
        states = states + self._weights["embeddings.position_embeddings.weight"][: len(numbers)]
        states = self._normal(states + self._weights["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for layer in range(self._layers):
            states = self._layer(states, f"encoder.layer.{layer}")
        mean = states.mean(axis=0)
        return cast(Array, mean / np.linalg.norm(mean))

    def _layer(self, states: Array, at: str) -> Array:
        seen = self._linear(self._attention(states, f"{at}.attention.self"), f"{at}.attention.output.dense")
        states = self._normal(states + seen, f"{at}.attention.output")
        inner = _gelu(self._linear(states, f"{at}.intermediate.dense"))
        return self._normal(states + self._linear(inner, f"{at}.output.dense"), f"{at}.output")

    def _attention(self, states: Array, at: str) -> Array:
        query, key, value = (self._by_head(self._linear(states, f"{at}.{part}")) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return cast(Array, seen.transpose(1, 0, 2).reshape(states.shape).astype(np.float32))

    def _by_head(self, states: Array) -> Array:
        return states.reshape(len(states), self._heads, -1).transpose(1, 0, 2)

    def _linear(self, states: Array, at: str) -> Array:
        return cast(Array, states @ self._weights[f"{at}.weight"].T + self._weights[f"{at}.bias"])

    def _normal(self, states: Array, at: str) -> Array:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self._epsilon)
        return cast(
            Array, centred / spread * self._weights[f"{at}.LayerNorm.weight"] + self._weights[f"{at}.LayerNorm.bias"]
        )


def _gelu(values: Array) -> Array:
    """x times the normal distribution's share below x; the error function by Abramowitz and Stegun 7.1.26."""
    x = np.abs(values) / np.float32(np.sqrt(2.0))
    t = 1.0 / (1.0 + 0.3275911 * x)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(values) * (1.0 - series * np.exp(-x * x))
    return cast(Array, (0.5 * values * (1.0 + error)).astype(np.float32))
