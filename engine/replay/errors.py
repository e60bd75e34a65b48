"""Why an instance cannot be replayed or rewound."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import EngineError
from engine.replay.effects import Done


class NotReplayable(EngineError):
    """What an advance was made by is not there, or not any more."""

    def __init__(self, instance: str, advance: int, why: str) -> None:
        self.instance, self.advance, self.why = instance, advance, why
        super().__init__(f"instance {instance} cannot be replayed past advance {advance - 1}: {why}")


class Differs(EngineError):
    """A replay came to something else than the log has."""

    def __init__(self, instance: str, message: str) -> None:
        self.instance, self.found = instance, message
        super().__init__(f"instance {instance} cannot be rewound: a replay of it came to something else: {message}")


class NotRewindable(EngineError):
    """A snapshot that no state of the tokens belongs to."""

    def __init__(self, instance: str, snapshot: str, why: str) -> None:
        self.instance, self.snapshot, self.why = instance, snapshot, why
        super().__init__(f"instance {instance} cannot be rewound to {snapshot}: {why}")


class RewindRefused(EngineError):
    """The policy, or what was done outside since, asks for somebody's consent that was not given.

    `level` is what is asked for, `done` what was done outside since the snapshot.
    """

    def __init__(self, instance: str, level: str, why: str, done: Sequence[Done]) -> None:
        self.instance, self.level, self.why, self.done = instance, level, why, list(done)
        listed = "".join(f"\n  {each.told}" for each in done)
        since = f"; done outside since, and not undone:{listed}" if done else ""
        super().__init__(f"instance {instance}: to rewind it asks for {level}: {why}{since}")
