"""Calls governance's tools for the command line."""

from __future__ import annotations

from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.wiring import governor_on
from engine.context_names import ContextNames
from governance.tools.toolbox import json_object


def use_tool(db: str | None, name: str, instance: str, args: str, branch: str | None, by: str | None) -> None:
    """Call a tool on a live instance; `branch` as people write it. Raises BadOption, ToolRefused, UnknownBranch."""
    by = somebody(by)
    arguments = json_object(name, args)
    with governor_on(db, must_exist=True) as governor:
        id = governor.store.find_instance(instance)
        named = None
        if branch is not None:
            named = ContextNames.of(governor, governor.graph(id), id).branch(branch)
        print_json(governor.tool(id, name, arguments, branch=named, by=by))
