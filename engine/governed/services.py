"""The governance components of one instance, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.knowledge.index import KnowledgeIndex
from governance.attention.detector import ContextAttentionDetector
from governance.compression.compressor import ContextCompressor
from governance.flywheel.ports import Retriever
from governance.human_loop.detector import HumanLoopTriggerDetector
from governance.layers.history import HistoryGrading
from governance.layers.zoning import ContextZones, Rows, grades_by_zone
from governance.merging.merge import Merger
from governance.policy import Policy
from governance.ports import Summariser
from governance.snapshots.graph import SnapshotGraph


@dataclass(frozen=True, slots=True)
class Services:
    """What a token's steps call."""

    compressor: ContextCompressor
    grading: HistoryGrading
    merger: Merger
    attention: ContextAttentionDetector
    human_loop: HumanLoopTriggerDetector
    summariser: Summariser
    zones: ContextZones
    knowledge: KnowledgeIndex | None = None
    """What is known across instances; None: nothing is looked up or kept."""
    retriever: Retriever | None = None
    """Finds knowledge in place of the index."""

    def grading_for(self, policy: Policy, rows: Rows) -> HistoryGrading | None:
        """What grades the records of a path by their distance; None: zones grade them, before the next model call."""
        return None if grades_by_zone(policy, rows) else self.grading


def services_for(
    graph: SnapshotGraph,
    summariser: Summariser,
    knowledge: KnowledgeIndex | None = None,
    retriever: Retriever | None = None,
) -> Services:
    grading = HistoryGrading(graph.values, summariser)
    return Services(
        compressor=ContextCompressor(graph, summariser),
        grading=grading,
        zones=ContextZones(graph, summariser, grading),
        merger=Merger(graph),
        attention=ContextAttentionDetector(),
        human_loop=HumanLoopTriggerDetector(),
        summariser=summariser,
        knowledge=knowledge,
        retriever=retriever,
    )
