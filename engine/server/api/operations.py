"""What operators do with an instance: another try, a stop, an end, a change of what stands. All on record, by whom.

Where the policy of the element that is concerned, or of the process, says DIFF_PREVIEW or EXPLICIT_APPROVAL, somebody
is asked first: then nothing is done yet, and the result's `waiting` has the intervention.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import Field

from engine.governor import Governor
from engine.server.api.documents import Given, Json, ResultDocument, Said, Values, Word
from engine.server.api.moving import Moving
from engine.server.api.parts import Instance, Operator, router
from engine.server.services import services_of

routes = router("operations")

Names = Annotated[list[Word], Field(max_length=200)]
Branch = Annotated[str | None, Field(max_length=2_000, description="Whose, its whole name; none: the only one.")]


class Retry(Said):
    """Gives what failed another try."""

    element: Word | None = Field(default=None, description="Only this one; none: all.")
    variables: Values = Field(default_factory=dict, description="With these set first, which may be asked about.")


class Skip(Said):
    """Passes over what failed."""

    element: Word
    outputs: Values = Field(default_factory=dict, description="In the place of its own.")
    branch: Branch = None


class Edit(Said):
    """Changes variables."""

    variables: Values = Field(default_factory=dict, description="To set.")
    delete: Names = Field(default_factory=list, description="To take away.")
    branch: Branch = None


class Untaint(Given):
    """Takes variables for clean that came from outside, or derive from what did."""

    variables: Names = Field(min_length=1)
    reason: str = Field(min_length=1, max_length=20_000, pattern=r"^[^\x00]*$")
    branch: Branch = None


class Move(Said):
    """Takes the token at an element to another one of the same scope."""

    element: Word
    to: Word
    branch: Branch = None


class Target(Given):
    """A definition to go on with."""

    definition: Word = Field(description="The hash of one that was deployed.")
    mapping: dict[Word, Word] = Field(default_factory=dict, description="Old ids to new ones, where they differ.")


class Migrate(Target, Said):
    """Lets an instance go on with another definition."""


class SystemEntry(Given):
    """An entry of SYSTEM, which holds in every context of the instance."""

    name: Word
    value: str = Field(max_length=20_000, pattern=r"^[^\x00]*$")


@routes.post("/instances/{instance}/retry")
async def retry(moving: Moving, asked: Retry) -> ResultDocument:
    """Give what failed another try, with other variables if any are given."""
    return await moving.made(
        Governor.retry, asked.element, variables=asked.variables, by=moving.by, reason=asked.reason
    )


@routes.post("/instances/{instance}/skip")
async def skip(moving: Moving, asked: Skip) -> ResultDocument:
    """Pass over a single activity or event that failed, with outputs in the place of its own."""
    return await moving.made(
        Governor.skip, asked.element, outputs=asked.outputs, branch=asked.branch, by=moving.by, reason=asked.reason
    )


@routes.post("/instances/{instance}/edit")
async def edit(moving: Moving, asked: Edit) -> ResultDocument:
    """Set variables, and take some away; what people are being asked about them is asked anew."""
    return await moving.made(
        Governor.edit, asked.variables, delete=asked.delete, branch=asked.branch, by=moving.by, reason=asked.reason
    )


@routes.post("/instances/{instance}/untaint")
async def untaint(moving: Moving, asked: Untaint) -> ResultDocument:
    """Take variables for clean. What was derived from them before stays tainted."""
    return await moving.made(Governor.untaint, asked.variables, branch=asked.branch, by=moving.by, reason=asked.reason)


@routes.post("/instances/{instance}/move")
async def move_token(moving: Moving, asked: Move) -> ResultDocument:
    """Take a token elsewhere; what was going on where it stood is given up, and told in the log."""
    return await moving.made(
        Governor.move, asked.element, asked.to, branch=asked.branch, by=moving.by, reason=asked.reason
    )


@routes.post("/instances/{instance}/migrate/plan")
def plan_migration(request: Request, person: Operator, instance: Instance, asked: Target) -> Json:
    """What of it maps to another definition, and what does not (`problems`). Nothing changes."""
    governor = services_of(request).governor
    return governor.plan_migration(instance, asked.definition, mapping=asked.mapping).to_json()


@routes.post("/instances/{instance}/migrate")
async def migrate(moving: Moving, asked: Migrate) -> ResultDocument:
    """Let it go on with another definition; its tokens stay where they are. What does not map is refused (409)."""
    return await moving.made(
        Governor.migrate, asked.definition, mapping=asked.mapping, by=moving.by, reason=asked.reason
    )


@routes.post("/instances/{instance}/system")
async def write_system(moving: Moving, asked: SystemEntry) -> ResultDocument:
    """Ask to change an entry of SYSTEM: it takes an EXPLICIT_APPROVAL, always."""
    return await moving.made(Governor.write_system, asked.name, asked.value, by=moving.by)


@routes.post("/instances/{instance}/cancel")
async def cancel(moving: Moving, asked: Said) -> ResultDocument:
    """End it before its end. What was done outside is not undone."""
    return await moving.made(Governor.cancel, by=moving.by, reason=asked.reason)


@routes.post("/instances/{instance}/suspend")
async def suspend(moving: Moving, asked: Said) -> ResultDocument:
    """Stop it: until that is lifted nothing in it moves, and nobody's answer is taken."""
    return await moving.made(Governor.suspend, by=moving.by, reason=asked.reason)


@routes.post("/instances/{instance}/unsuspend")
async def unsuspend(moving: Moving, asked: Said) -> ResultDocument:
    """Let it go on."""
    return await moving.made(Governor.unsuspend, by=moving.by, reason=asked.reason)
