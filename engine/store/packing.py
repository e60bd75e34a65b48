"""Documents as they are stored: deflated, with a dictionary of what ours are made of.

A commit, the metadata of a value or an event is a few hundred bytes that are mostly the same words each time: alone it
hardly deflates, with the dictionary to less than half. What is short or has nothing to save is stored as it is.
"""

from __future__ import annotations

import zlib
from typing import Final

_PACKED: Final = b"\x01"
"""First byte of what was deflated with `DICTIONARY`; no JSON text and no XML file begins with it."""
_SHORT: Final = 48
_MEMORY: Final = 6
"""Two levels less than usual: such small memory the C library hands out twice as fast, and short texts lose nothing."""

DICTIONARY: Final = (
    b'","options":["approve","deny"],"winner":null,"conflicts":[{"carried":{"agreed":"bases":["heads":["branches":[""t'
    b'aken":["trigger":"RUNTIME","level":"MICRO_SUGGESTION","message":"attention after D1 below 0.8: 0.{"decision":"ap'
    b'proved","documentation":"description":"summary":"status":"result":"name":"id":"value":"type":"{"band":"none","re'
    b'ason":"pressure 0. ( of 12,000 characters) is in the light band: 1 entry to SUMMARY, entries to KEY_ONLY, 1 too '
    b'short for a summary","before":{"pressure":0.,"usage":0.,"chars":,"tokens":},"after":{"pressure":0."snapshot_befo'
    b're":"","snapshot_after":"","changes":[{"key":"WORKING/","from":"FULL","to":"SUMMARY","chars_before":,"chars_afte'
    b'r":},{"key":"HISTORY/@:"KNOWLEDGE/"from":"SUMMARY","to":"KEY_ONLY"}],"passes":1,"held":{"short":1},"compressed":'
    b'true,"compressed":false,"warning":false,"overflow":null,"decided_by":"rules"}{"attention":[0.,[0.,1.0,1.0,1.0],"'
    b'LIGHT_COMPRESS"],"CONTINUE"],"head":"","outputs":{"":"","d1":[0.],"by":"engine"}"[Compressed] {"activity":"","br'
    b'anch":"","confidence":0.9,"created_at":"2026-01-01T00:00:00.000000Z","producer":"engine","step":"producer":"agen'
    b't","producer":"human","producer":"service","decision":"","inputs":{"":"","name":"","outputs":{"tools":["{"k":"D1'
    b'","k":"gateway","k":"D3","k":"activity","p":[""],"c":{"":{"w":{"":{"PROCESS/path/":"WORKING/":"HISTORY/@:":""}},'
    b'"s":{"HISTORY/@":[2,""],"WORKING/":[1,""],"HISTORY/@":[3]},"a":"Activity_","b":"","t":"2026-01-01T00:00:00.00000'
    b'0Z","n":{"g":1}'
)
"""What documents are likely to have in them, the likeliest last. Never change it: stored bytes are read with it."""


def pack(document: bytes) -> bytes:
    """The shorter of `document` and its deflated form."""
    if len(document) < _SHORT:
        return document
    deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, _MEMORY, zdict=DICTIONARY)
    packed = _PACKED + deflate.compress(document) + deflate.flush()
    return packed if len(packed) < len(document) else document


def unpack_at_most(stored: bytes, most: int) -> bytes:
    """The same for what may come from anybody. Raises ValueError for what is larger, zlib.error."""
    if stored[:1] != _PACKED:
        document = stored
    else:
        document = zlib.decompressobj(-zlib.MAX_WBITS, zdict=DICTIONARY).decompress(stored[1:], most + 1)
    if len(document) > most:
        raise ValueError(f"a document of more than {most:,} bytes")
    return document


def unpack(stored: bytes) -> bytes:
    """What `pack` was given. Raises zlib.error for what it never gave."""
    if stored[:1] != _PACKED:
        return stored
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=DICTIONARY)
    return inflate.decompress(stored[1:]) + inflate.flush()
