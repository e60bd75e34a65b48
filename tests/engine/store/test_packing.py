"""What was packed is unpacked, in this version and in every later one."""

from __future__ import annotations

from hashlib import sha256

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.store.packing import DICTIONARY, pack, unpack

COMMIT = (
    b'{"k":"activity","p":["16983d0610c3cdf420f2db92ac1044d8"],"w":{"561120a9cc819ba70c9adfff2c9d4cbc":{"WORKING/a":'
    b'"401deab2eabdc7c42e244d3a4aaa540c"}},"a":"Activity_0","t":"2026-01-01T00:00:40.000000Z","g":41}'
)
STORED = bytes.fromhex(
    "0175d4410e03310803c02f01f166c37388593e51f5efcd46aad44aed81abe5f181c74f96761f2da5abb0310b266539dd822a408e"
    "fdd8ef8ca3ab9a8493437dc629f4c8aa327a82734ff386dc6d219a574c5b973c09bb6ce5b540441c10ee45be58f20f844fd0b240"
    "9f2f"
)


@given(st.recursive(st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(), st.lists).map(orjson.dumps))
def test_json_comes_back(document: bytes) -> None:
    packed = pack(document)
    assert unpack(packed) == document
    assert len(packed) <= len(document)


@pytest.mark.parametrize(
    "document", [b"", b"0", b"x" * 5000, b"<?xml version='1.0'?>" * 30, "\ufeff<a/>".encode("utf-16")]
)
def test_other_documents_come_back(document: bytes) -> None:
    assert unpack(pack(document)) == document


def test_a_commit_takes_half_the_room() -> None:
    assert len(pack(COMMIT)) < 0.6 * len(COMMIT)


def test_what_was_stored_before_is_read() -> None:
    assert unpack(STORED) == COMMIT


def test_the_dictionary_never_changes() -> None:
    assert sha256(DICTIONARY).hexdigest()[:16] == "c8708e204c4cc4ec"
