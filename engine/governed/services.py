"""The governance components of one instance, put together once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.knowledge.index import KnowledgeIndex
from governance.attention.detector import ContextAttentionDetector
from governance.compression.compressor import ContextCompressor
from governance.flywheel.ports import Retriever
from governance.human_loop.detector import HumanLoopTriggerDetector
from governance.layers.history import HistoryGrading
from governance.merging.merge import Merger
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
    knowledge: KnowledgeIndex | None = None
    """What is known across instances; None: nothing is looked up or kept."""
    retriever: Retriever | None = None
    """Finds knowledge in place of the index."""


def services_for(
    graph: SnapshotGraph,
    summariser: Summariser,
    knowledge: KnowledgeIndex | None = None,
    retriever: Retriever | None = None,
) -> Services:
    return Services(
        compressor=ContextCompressor(graph, summariser),
        grading=HistoryGrading(graph.values, summariser),
        merger=Merger(graph),
        attention=ContextAttentionDetector(),
        human_loop=HumanLoopTriggerDetector(),
        summariser=summariser,
        knowledge=knowledge,
        retriever=retriever,
    )
