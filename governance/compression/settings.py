"""The numbers of D1 (Design: D1 compress); the defaults are the design's."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

Ratio = Annotated[float, Field(gt=0.0, le=10.0)]
Count = Annotated[int, Field(ge=0)]


class CompressSettings(BaseModel):
    """Where the bands begin and how short the rungs are. Sizes are code points; pressure and usage are ratios.

    Raises pydantic's `ValidationError` if the boundaries do not ascend.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    light_pressure: Ratio = 0.6
    """The light band begins here, and ends its work below it."""
    medium_pressure: Ratio = 0.8
    """The medium band begins here; second passes and the forced band end their work here or below."""
    forced_pressure: Ratio = 1.0
    """The forced band begins above this."""
    medium_usage: Ratio = 0.70
    """The medium band begins here; the forced band ends its work below it."""
    forced_usage: Ratio = 0.85
    """The forced band begins here."""
    window_usage: Ratio = 1.0
    """Above this the prompt does not fit the window."""
    warning_pressure: Ratio = 0.8
    """A warning is due from here."""
    summary_share: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.3
    """A summary's line has at most this share of the full line."""
    summary_least_chars: Count = 20
    """With less room than this beside key and mark, an entry has no summary and falls to KEY_ONLY."""
    short_chars: Count = 200
    """A full line below this is short: it falls in the forced band only, and straight to ARCHIVED."""
    key_only_chars: Count = 80
    """What KEY_ONLY shows beside the key."""

    @model_validator(mode="after")
    def _ascending(self) -> CompressSettings:
        if not self.light_pressure < self.medium_pressure <= self.forced_pressure:
            raise ValueError("light_pressure < medium_pressure <= forced_pressure must hold")
        if not self.medium_usage < self.forced_usage <= self.window_usage:
            raise ValueError("medium_usage < forced_usage <= window_usage must hold")
        return self
