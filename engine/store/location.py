"""Where the database is when nobody says so."""

from __future__ import annotations

from pathlib import Path

from engine.store.errors import NotWritable


def default_url() -> str:
    """URL of the user's own database, in a folder for data that is made if need be and is closed to other users.

    Raises NotWritable.
    """
    from platformdirs import user_data_dir

    path = Path(user_data_dir("governor", appauthor=False)) / "governor.db"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotWritable(str(path), f"cannot make its folder ({error.strerror})") from error
    return f"sqlite:///{path}"
