"""Ed25519 keys in files, and what they sign. A private key is read where it is used, and never told or stored."""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engine.evidence.errors import BadKey, KeyExists, NoCryptography

ALGORITHM: Final = "Ed25519"
_MOST: Final = 65_536
"""Bytes of a key file."""


class Signer:
    """Signs with a private key. Raises NoCryptography, BadKey, OSError."""

    def __init__(self, file: str) -> None:
        _, private, _ = _library()
        self._key = _load(file, private, "a private Ed25519 key (governor audit key)")

    def sign(self, document: bytes) -> dict[str, str]:
        """A signature, as JSON: the algorithm, which key it was, and the signature in base 64."""
        signature: bytes = self._key.sign(document)
        return {
            "algorithm": ALGORITHM,
            "key": fingerprint(self._key.public_key()),
            "signature": b64encode(signature).decode(),
        }


class Verifier:
    """Checks with a public key. Raises NoCryptography, BadKey, OSError."""

    def __init__(self, file: str) -> None:
        _, _, public = _library()
        self._key = _load(file, public, "a public Ed25519 key (FILE.pub of governor audit key)")

    @property
    def fingerprint(self) -> str:
        return fingerprint(self._key)

    def holds(self, document: bytes, signature: Any) -> bool:
        """Whether the signature (as `Signer.sign` gives it) is this key's on the document."""
        from cryptography.exceptions import InvalidSignature

        if not isinstance(signature, dict) or signature.get("algorithm") != ALGORITHM:
            return False
        try:
            self._key.verify(b64decode(str(signature.get("signature")), validate=True), document)
        except (InvalidSignature, ValueError):
            return False
        return True


def make_key(file: str) -> tuple[str, str]:
    """A new key in `file`, which only its owner can read, and its public half in `file`.pub: that file's name, and the
    key's fingerprint.

    Raises NoCryptography, KeyExists, OSError.
    """
    serialization, private, _ = _library()
    key = private.generate()
    hidden = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    shown = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    public = f"{file}.pub"
    for each in (file, public):
        if os.path.lexists(each):
            raise KeyExists(each)
    _write(file, hidden, 0o600)
    _write(public, shown, 0o644)
    return public, fingerprint(key.public_key())


def fingerprint(public_key: Any) -> str:
    """The first 128 bits of the SHA-256 of a public key's raw bytes, hexadecimal."""
    return sha256(public_key.public_bytes_raw()).hexdigest()[:32]


def _write(file: str, content: bytes, mode: int) -> None:
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError as error:
        raise KeyExists(file) from error
    with os.fdopen(opened, "wb") as stream:
        stream.write(content)


def _load(file: str, kind: Any, wanted: str) -> Any:
    serialization, private, _ = _library()
    with Path(file).open("rb") as stream:
        content = stream.read(_MOST)
    try:
        if kind is private:
            key: Any = serialization.load_pem_private_key(content, None)
        else:
            key = serialization.load_pem_public_key(content)
    except Exception:
        # Whatever the library says may quote the file; of a key nothing is told.
        raise BadKey(file, "holds no such key", wanted) from None
    if not isinstance(key, kind):
        raise BadKey(file, "holds a key of another kind", wanted)
    return key


def _library() -> tuple[Any, Any, Any]:
    """The library's serialisation, and its private and public Ed25519 keys; 40 ms that few runs need."""
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    except ImportError as error:
        raise NoCryptography from error
    return serialization, Ed25519PrivateKey, Ed25519PublicKey
