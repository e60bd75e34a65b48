"""What people may do with a server, by role."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """`viewer` looks, `operator` runs instances, `designer` deploys, `approver` answers, `admin` may do all of it.

    `privacy` may see what policies call personal.
    """

    VIEWER = "viewer"
    OPERATOR = "operator"
    DESIGNER = "designer"
    APPROVER = "approver"
    PRIVACY = "privacy"
    ADMIN = "admin"


_ROLES: Final = frozenset(Role)


def may(roles: Collection[str], needed: Role) -> bool:
    """Whether somebody with these roles may do what `needed` may: everybody with a role looks, an admin does all.

    Roles of an organisation, such as `claims-lead`, are of no concern here: approvals in processes ask for them.
    """
    held = _ROLES.intersection(roles)
    return Role.ADMIN in held or needed in held or (needed is Role.VIEWER and bool(held))
