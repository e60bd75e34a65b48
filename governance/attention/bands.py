"""What an attention score means: a health word, an action, and a floor under D1's band (Design: attention)."""

from __future__ import annotations

from typing import Final

from governance.attention.dimensions import rounded
from governance.attention.report import Health
from governance.vocabulary import Band, SuggestedAction

# Each row holds from its score up to the score of the row above; the last one holds below all of them.
_ROWS: Final = (
    (0.8, Health.HEALTHY, SuggestedAction.CONTINUE),
    (0.6, Health.WATCH, SuggestedAction.LIGHT_COMPRESS),
    (0.4, Health.WARNING, SuggestedAction.MODERATE_COMPRESS),
    (0.2, Health.DANGER, SuggestedAction.FORCED_COMPRESS_AND_HUMAN),
    (float("-inf"), Health.EMERGENCY, SuggestedAction.PAUSE_AND_HUMAN),
)

_BANDS: Final = {
    SuggestedAction.CONTINUE: Band.NONE,
    SuggestedAction.LIGHT_COMPRESS: Band.LIGHT,
    SuggestedAction.MODERATE_COMPRESS: Band.MEDIUM,
    SuggestedAction.FORCED_COMPRESS_AND_HUMAN: Band.FORCED,
    SuggestedAction.PAUSE_AND_HUMAN: Band.FORCED,
}


def suggest_action(score: float) -> SuggestedAction:
    """The action that `score` asks for; 0.8, 0.6, 0.4 and 0.2 belong to the calmer side."""
    return assess(score)[1]


def health_of(score: float) -> Health:
    """The word for `score`, at the same boundaries as the action."""
    return assess(score)[0]


def assess(score: float) -> tuple[Health, SuggestedAction]:
    """Both the word and the action."""
    compared = rounded(score)
    for floor, health, action in _ROWS:
        if compared >= floor:
            return health, action
    raise ValueError(f"{score} is no score")


def band_floor(action: SuggestedAction) -> Band:
    """The least band of the next D1 after a measurement that asked for `action`; D1 heeds it where space is short."""
    return _BANDS[action]
