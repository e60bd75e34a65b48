"""Static files: our own, and those of the report, whose drawings pages show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "public, no-cache"


class Assets:
    """Files by name in some folders, the first that has one."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = [folder for folder in folders if folder.is_dir()]

    @lru_cache(maxsize=256)  # noqa: B019 - lives as long as the program
    def address(self, name: str) -> str:
        """Where a page finds a file: its address changes with its content, so that it may be kept for good."""
        found = next((folder / name for folder in self.folders if (folder / name).is_file()), None)
        if found is None:
            raise FileNotFoundError(name)
        return f"/static/{name}?v={sha256(found.read_bytes()).hexdigest()[:12]}"

    def app(self) -> StaticFiles:
        """What serves them."""
        return _Files(self.folders)


class _Files(StaticFiles):
    def __init__(self, folders: Sequence[Path]) -> None:
        super().__init__(directory=folders[0])
        self.all_directories = list(folders)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response: Any = await super().get_response(path, scope)
        kept = response.status_code in (200, 304) and b"v=" in scope.get("query_string", b"")
        response.headers["cache-control"] = _FOREVER if kept else _ASK_AGAIN
        return response  # type: ignore[no-any-return]
