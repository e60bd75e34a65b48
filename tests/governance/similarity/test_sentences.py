"""A sentence encoder by numpy alone, and what it is asked (Design: CDA, direction, embedding)."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from governance.similarity.dense import DenseIndex
from governance.similarity.minilm.encoder import SentenceEncoder
from governance.similarity.minilm.tensors import read_tensors
from governance.similarity.minilm.wordpiece import WordPieces
from governance.similarity.sentences import SentenceEmbedding

_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
VOCABULARY = [*_SPECIAL, "the", "order", "ship", "##ped", "##s", "a", "17", "-", "_", "uber", "方"]
HIDDEN, HEADS, INNER = 8, 2, 12


def written(folder: Path) -> Path:
    """A model of one layer with weights of no meaning, in the files that real ones have."""
    random = np.random.default_rng(3)
    at = "encoder.layer.0"
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), HIDDEN),
        "embeddings.position_embeddings.weight": (16, HIDDEN),
        "embeddings.token_type_embeddings.weight": (2, HIDDEN),
        **{f"{at}.attention.self.{part}.weight": (HIDDEN, HIDDEN) for part in ("query", "key", "value")},
        **{f"{at}.attention.self.{part}.bias": (HIDDEN,) for part in ("query", "key", "value")},
        f"{at}.attention.output.dense.weight": (HIDDEN, HIDDEN),
        f"{at}.attention.output.dense.bias": (HIDDEN,),
        f"{at}.intermediate.dense.weight": (INNER, HIDDEN),
        f"{at}.intermediate.dense.bias": (INNER,),
        f"{at}.output.dense.weight": (HIDDEN, INNER),
        f"{at}.output.dense.bias": (HIDDEN,),
        **{f"{place}.LayerNorm.{part}": (HIDDEN,) for place in ("embeddings", f"{at}.attention.output", f"{at}.output")
           for part in ("weight", "bias")},
    }  # fmt: skip
    header, body = {}, b""
    for name, shape in shapes.items():
        raw = random.normal(size=shape).astype(np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    head = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + body)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    sizes = {"num_hidden_layers": 1, "max_position_embeddings": 16, "hidden_size": HIDDEN}
    config = {"num_attention_heads": HEADS, **sizes}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def by_hand(folder: Path, numbers: list[int]) -> list[float]:
    """The same vector, one number at a time."""
    w = {name: each.tolist() for name, each in read_tensors(folder / "model.safetensors").items()}
    at = "encoder.layer.0"

    def linear(v: list[float], name: str) -> list[float]:
        rows = zip(w[f"{name}.weight"], w[f"{name}.bias"], strict=True)
        return [dot(row, v) + c for row, c in rows]

    def dot(one: list[float], other: list[float]) -> float:
        return sum(a * b for a, b in zip(one, other, strict=True))

    def normal(v: list[float], name: str) -> list[float]:
        mean = sum(v) / len(v)
        spread = math.sqrt(sum((a - mean) ** 2 for a in v) / len(v) + 1e-12)
        scale, shift = w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"]
        return [(a - mean) / spread * b + c for a, b, c in zip(v, scale, shift, strict=True)]

    def plus(*parts: list[float]) -> list[float]:
        return [sum(each) for each in zip(*parts, strict=True)]

    words, places, kinds = (w[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position", "token_type"))
    states = [normal(plus(words[n], places[i], kinds[0]), "embeddings") for i, n in enumerate(numbers)]
    q, k, v = ([linear(s, f"{at}.attention.self.{part}") for s in states] for part in ("query", "key", "value"))
    size = HIDDEN // HEADS
    seen = []
    for i in range(len(states)):
        row: list[float] = []
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            scores = [math.exp(dot(q[i][part], each[part]) / math.sqrt(size)) for each in k]
            row += [dot(scores, [each[part][d] for each in v]) / sum(scores) for d in range(size)]
        seen.append(row)
    out = []
    for state, row in zip(states, seen, strict=True):
        mid = normal(plus(state, linear(row, f"{at}.attention.output.dense")), f"{at}.attention.output")
        inner = [0.5 * a * (1 + math.erf(a / math.sqrt(2))) for a in linear(mid, f"{at}.intermediate.dense")]
        out.append(normal(plus(mid, linear(inner, f"{at}.output.dense")), f"{at}.output"))
    mean = [sum(column) / len(out) for column in zip(*out, strict=True)]
    length = math.sqrt(sum(a * a for a in mean))
    return [a / length for a in mean]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The ORDERS shipped", ["the", "order", "##s", "ship", "##ped"]),
        ("a-17_17", ["a", "-", "17", "_", "17"]),
        ("Über 方x", ["uber", "方", "[UNK]"]),
        ("", []),
    ],
)
def test_a_text_becomes_pieces(tmp_path: Path, text: str, pieces: list[str]) -> None:
    numbers = WordPieces(written(tmp_path) / "vocab.txt").encode(text, 16)
    assert [VOCABULARY[number] for number in numbers] == ["[CLS]", *pieces, "[SEP]"]


def test_a_long_text_is_cut(tmp_path: Path) -> None:
    assert len(WordPieces(written(tmp_path) / "vocab.txt").encode("order " * 40, 16)) == 16


@pytest.mark.parametrize("text", ["the order shipped", "a", "", "order " * 40])
def test_the_vector_is_what_one_works_out_by_hand(tmp_path: Path, text: str) -> None:
    folder = written(tmp_path)
    numbers = WordPieces(folder / "vocab.txt").encode(text, 16)
    assert SentenceEncoder(folder).encode(text) == pytest.approx(by_hand(folder, numbers), abs=1e-5)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"\xff" * 40)
    with pytest.raises(ValueError, match="no safetensors file"):
        read_tensors(path)


def test_the_nearest_come_first() -> None:
    index = DenseIndex(3)
    for number in range(300):
        index.add(number, {0: math.cos(number), 1: math.sin(number)})
    found = index.top({0: math.cos(7), 1: math.sin(7)}, 2)
    assert found[0][0] == 7
    assert found[0][1] == pytest.approx(1.0)
    assert len(found) == 2


def test_an_embedding_of_blanks_is_empty(tmp_path: Path) -> None:
    embedding = SentenceEmbedding(SentenceEncoder(written(tmp_path)))
    assert embedding.embed(" ") == {}
    assert sum(value**2 for value in embedding.embed("the order").values()) == pytest.approx(1.0)
