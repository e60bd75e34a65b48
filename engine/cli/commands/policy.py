"""`governor policy`."""

from __future__ import annotations

from engine.cli.options import File, Json, Process


def policy(file: File, process: Process = None, json: Json = False) -> None:
    """Show the policies of a file, resolved.

    What holds for each activity, and where each part of it is written.
    """
    from engine.cli.policies import show_policies

    show_policies(file, process, as_json=json)
