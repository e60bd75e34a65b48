"""Errors of workers."""

from __future__ import annotations

from engine.errors import EngineError


class WorkerError(EngineError):
    """Base of what keeps a worker from working."""


class NeedsPostgresql(WorkerError):
    """Workers share a database server; a file is for the programs of one machine."""

    def __init__(self, database: str) -> None:
        self.database = database
        super().__init__(
            f"{database}: workers need PostgreSQL: --db postgresql://USER@HOST/NAME; on a file, every command does the"
            " work of the instances that it moves"
        )


class NeedsDbos(WorkerError):
    """The library of the workers' queue is not installed."""

    def __init__(self) -> None:
        super().__init__("workers need DBOS Transact: pip install 'bpmn-governor[distributed]'")


class TakenForDead(WorkerError):
    """Others have what this worker had."""

    def __init__(self, worker: str, silent: float) -> None:
        self.worker, self.silent = worker, silent
        super().__init__(
            f"worker {worker} was silent for {silent:.0f} s and taken for dead: others have its instances, and nothing"
            " that it did since was written; start it again"
        )
