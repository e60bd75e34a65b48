"""The numbers of CDA (Design: section 11); the defaults are the design's, and what is measured is said beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from governance.vocabulary import QtsPreset

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]


class QtsWeights(BaseModel):
    """How much each part of QTS counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intent: Share
    phase: Share
    tool: Share
    causal: Share

    @model_validator(mode="after")
    def _sums_to_one(self) -> QtsWeights:
        total = self.intent + self.phase + self.tool + self.causal
        if abs(total - 1.0) > 1e-9:
            raise ValueError(f"the weights of QTS add up to {total:g}, not to 1")
        return self


WEIGHTS: Final[Mapping[QtsPreset, QtsWeights]] = {
    QtsPreset.DEFAULT: QtsWeights(intent=0.4, phase=0.2, tool=0.2, causal=0.2),
    QtsPreset.CODE: QtsWeights(intent=0.4, phase=0.1, tool=0.4, causal=0.1),
    QtsPreset.DIAGNOSIS: QtsWeights(intent=0.5, phase=0.2, tool=0.1, causal=0.2),
    QtsPreset.RESEARCH: QtsWeights(intent=0.3, phase=0.1, tool=0.2, causal=0.4),
}


class CdaSettings(BaseModel):
    """Settings of one memory. Sizes are tokens of the memory's counter, unless they say otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: QtsPreset = QtsPreset.DEFAULT
    zones: Literal["auto", "on", "off"] = "auto"
    """auto: on from `zones_usage` of the window or after `zones_turns` turns; everything is shown whole before."""
    window_tokens: int = Field(default=128_000, gt=0)
    zones_usage: Share = 0.20
    zones_turns: Count = 50
    yellow: Share = 0.70
    """`compact("auto")` has something to do from this usage on."""
    red: Share = 0.85
    """A turn that ends above this usage is followed by a compaction."""
    keep_from: Share = 0.75
    drop_below: Share = 0.25
    margin: Share = 0.10
    """A zone changes only when its boundary is passed by this much."""
    drops_before_shown: Count = 3
    """Assemblies in a row in which an entry may be dropped before it is shown once."""
    path_kept: Count = 3
    """The last entries of the path are shown as a summary at least ..."""
    path_share: Share = 0.1
    """... in this share of the room at most. In a process, one of them that is no longer than ..."""
    path_whole_chars: Count = 600
    """... so many code points is shown in full: its summary would say next to nothing, and what was done last is what
    most is asked about."""
    intent_half: float = Field(default=4.0, gt=0.0)
    """BM25 of the best hit at which it counts a half."""
    meaning_share: Share = 0.7
    """What likeness of meaning counts beside words in intent, with an embedding that knows it. Measured for documents:
    0.5."""
    related_share: Share = 0.35
    """What a word that is used for one of a short query counts beside it. Measured for documents, which name things:
    0."""
    around_share: Share = 0.6
    """What a word of the turn before counts beside one of an entry's own, so that an answer is found by its question.
    Measured for documents: 0."""
    kind_share: Share = 0.15
    """What holding the kind of answer that a question asks for counts beside QTS ..."""
    asking_keeps: Share = 0.5
    """... and what is left of the score of an entry that only asks, too; of one that tells and asks more is."""
    addressed_share: Share = 0.4
    """What an entry has to do with somebody whom it speaks to ("your flat"), beside one of that person's own ..."""
    of_others_keeps: Share = 0.8
    """... of which one that does not speak of its speaker ("my flat") keeps so much. Measured for documents: 1."""
    candidates: int = Field(default=192, gt=0)
    """Hits of the index that are scored, with their neighbours."""
    hops: int = Field(default=2, ge=1, le=6)
    """Length of the paths in the graph that are followed; measured: a third hop changes nothing. Measured for
    conversations: 1."""
    shift: Share = 0.05
    """A turn is a shift of direction when it turns by more than this."""
    drift_alert: Share = 0.20
    """An alert is due when the drift stays this much above its usual value ..."""
    drift_turns: int = Field(default=3, ge=1)
    """... for this many turns. Usual is the median of the first `drift_first` turns."""
    drift_first: int = Field(default=10, ge=1)
    density: Share = 0.0
    """How much shorter entries go first: the power of its length that an entry's score is divided by. Measured for
    documents of different length: 0.25."""
    fill: bool = True
    """Whether room that is left is used for what zones drop, too; False: what is dropped shows its key at most."""
    sheet_share: Share = 0.9
    """The most of the room that the fact sheet takes, where tools gave values; no more than it has rows for."""
    keys_share: Share = 0.03
    """The most of the room that keys of neighbours take."""
