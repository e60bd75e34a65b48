"""Passwords, keys and sessions as they are kept: as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from typing import Final

from engine.server.identity.errors import WeakPassword

SHORTEST: Final = 10
"""Characters of a password."""
_LONGEST: Final = 1_000
_BYTES: Final = 32


def new_secret() -> str:
    """256 bits that nobody can guess, as text for an address or a header."""
    return secrets.token_urlsafe(_BYTES)


def hash_of(secret: str) -> str:
    """A secret of ours as it is kept. It cannot be guessed, so no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Passwords:
    """Hashes by scrypt; `n`, `r` and `p` are its costs: 128 * n * r bytes of memory, p times over."""

    def __init__(self, n: int = 2**15, r: int = 8, p: int = 3) -> None:
        self._n, self._r, self._p = n, r, p
        self._nobody = self.hash(new_secret())

    def hash(self, password: str) -> str:
        """Raises WeakPassword."""
        if not SHORTEST <= len(password) <= _LONGEST:
            raise WeakPassword(SHORTEST, _LONGEST)
        salt = secrets.token_bytes(16)
        key = _scrypt(password, salt, self._n, self._r, self._p)
        return "$".join(("scrypt", str(self._n), str(self._r), str(self._p), _text(salt), _text(key)))

    def fits(self, password: str, kept: str | None) -> bool:
        """Whether it is the password; where there is none to fit, it takes as long to say no."""
        _, n, r, p, salt, key = (kept or self._nobody).split("$")
        found = _scrypt(password[:_LONGEST], b64decode(salt), int(n), int(r), int(p))
        return hmac.compare_digest(found, b64decode(key)) and kept is not None


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r + 2**20, dklen=32)


def _text(raw: bytes) -> str:
    return b64encode(raw).decode()
