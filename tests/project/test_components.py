"""The components that the designs name exist under their names, with their verbs."""

from __future__ import annotations

import importlib

import pytest

COMPONENTS = {
    "governance.layers.manager:ContextLayerManager": "read write split merge restore move_to_history clear char_count",
    "governance.compression.compressor:ContextCompressor": "compress decompress evaluate",
    "governance.attention.detector:ContextAttentionDetector": "detect suggest_action",
    "governance.human_loop.detector:HumanLoopTriggerDetector": "evaluate determine_level",
    "governance.flywheel.flywheel:KnowledgeFlywheel": "produce store consume feedback",
    "engine.chat.bridge:ChatProcessBridge": "on_activity_complete on_gateway_reached on_chat_turn",
    "governance.cda.dead_ends.registry:DeadEndRegistry": "register list match retire",
    "governance.policy:ActivityExtensionConfig": "",
}


@pytest.mark.parametrize("place", COMPONENTS, ids=lambda place: place.partition(":")[2])
def test_a_component_is_there_with_its_verbs(place: str) -> None:
    module, _, name = place.partition(":")
    component = getattr(importlib.import_module(module), name)
    assert [verb for verb in COMPONENTS[place].split() if not callable(getattr(component, verb, None))] == []
