"""Errors of the tools. They are answers to the model: it may call again."""

from __future__ import annotations

from collections.abc import Sequence

from governance.errors import GovernanceError


class ToolRefused(GovernanceError):
    """A call that a tool does not do, and why."""

    def __init__(self, tool: str, reason: str) -> None:
        self.tool, self.reason = tool, reason
        super().__init__(f"{tool}: {reason}")


class BadArguments(ToolRefused):
    """Arguments that are not what the tool takes; every problem is named."""

    def __init__(self, tool: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(tool, "; ".join(problems))


class UnknownTool(ToolRefused):
    """A tool that there is not."""

    def __init__(self, tool: str, known: Sequence[str]) -> None:
        self.known = tuple(known)
        super().__init__(tool, f"there is no such tool; there are {', '.join(known) or 'none'}")


class OtherBranch(ToolRefused):
    """A call that reaches for another branch."""

    def __init__(self, tool: str, found: str, own: str) -> None:
        self.found, self.own = found, own
        super().__init__(tool, f"acts on its own branch alone: {own or 'the main one'}, not {found}")
