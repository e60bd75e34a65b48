"""The weights of a model, from a `.safetensors` file: a header in JSON, then plain numbers. Nothing in it runs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
_KINDS = {"F32": np.float32, "F16": np.float16}


def read_tensors(path: Path) -> dict[str, Array]:
    """The tensors of floating-point numbers by name, as 32-bit ones. Raises ValueError for a file that is none."""
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    if len(raw) < 8 or size > len(raw) - 8:
        raise ValueError(f"{path}: no safetensors file")
    header = json.loads(raw[8 : 8 + size])
    found: dict[str, Array] = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] not in _KINDS:
            continue
        start, end = entry["data_offsets"]
        numbers = np.frombuffer(raw, _KINDS[entry["dtype"]], offset=8 + size + start, count=_count(entry["shape"]))
        if numbers.nbytes != end - start:
            raise ValueError(f"{path}: {name} has {end - start} bytes, not {numbers.nbytes}")
        found[name] = numbers.reshape(entry["shape"]).astype(np.float32)
    return found


def _count(shape: list[int]) -> int:
    return int(np.prod(shape)) if shape else 1
