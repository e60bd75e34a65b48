"""From a model's specification, as people write it, to the model."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.models.base import ChatModel, Recorded
from engine.models.errors import UnknownModel
from engine.models.rates import Pace

OFFLINE: Final = "offline"
_REPLAY: Final = "replay"
ALLOWED: Final = (OFFLINE, f"{_REPLAY}:FILE", "PROVIDER:NAME, such as openai:NAME")


def model_from(spec: str, folder: Path | None = None) -> ChatModel:
    """The model that `spec` names: `offline`, `replay:FILE` with FILE relative to `folder`, or a provider's.

    Raises UnknownModel, BadRecording for FILE, and for a provider's model NoModelLibrary and ModelNotReady.
    """
    kind, _, rest = spec.partition(":")
    if kind == OFFLINE and not rest:
        from engine.models.offline.model import OfflineModel

        return OfflineModel()
    if kind == _REPLAY and rest:
        from engine.models.replay import ReplayModel

        return ReplayModel.load((folder or Path()) / rest)
    if rest and kind not in (OFFLINE, _REPLAY):
        # The library behind it takes a second to import: only who talks to a provider pays for it.
        from engine.models.provider.choose import provider_model

        return provider_model(spec)
    raise UnknownModel(spec, ALLOWED)


class Models:
    """The models of a run, each made once: the run's `default`, and those that activities name.

    `pace` holds those back that may be called only so often.
    """

    def __init__(self, default: str = OFFLINE, folder: Path | None = None, pace: Pace | None = None) -> None:
        self._default, self._folder, self._pace = default, folder, pace
        self._made: dict[str, ChatModel] = {}

    def for_chains(self) -> ChatModel | None:
        """The model for the chains of governance: the run's, if it can think; None: the rules do it alone.

        The offline model cannot. A recording can where it has turns for chains.
        """
        kind = self._default.partition(":")[0]
        if kind == OFFLINE:
            return None
        model = self(None)
        return model if not isinstance(model, Recorded) or model.has_chains() else None

    def __call__(self, spec: str | None) -> ChatModel:
        """The model of an activity that names `spec`, None: the default. Raises as `model_from` does."""
        named = spec or self._default
        if named not in self._made:
            model = model_from(named, self._folder)
            self._made[named] = model if self._pace is None else self._pace.of(named, model)
        return self._made[named]
