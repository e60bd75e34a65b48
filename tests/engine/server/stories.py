"""Processes with which the console is tried: something for people of every kind, on a server of its own."""

from __future__ import annotations

from typing import Final

import orjson

from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user

LETTER: Final = (
    "Dear Ms Gruber,\n\nyour claim about the burst pipe was accepted. We pay 1,850 euros within ten days. "
    "The deductible of 150 euros was taken off.\n\nKind regards\nThe claims team"
)
FINAL: Final = (
    "Dear Ms Gruber,\n\nyour claim about the burst water pipe was accepted. We pay 1,700 euros within ten days. "
    "The deductible of 300 euros was taken off.\n\nWith kind regards\nYour claims team"
)
_PREVIEW: Final = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/><gov:agent outputs="letter:string"/>')
_HUMAN: Final = policy('<gov:policy><gov:mergeKey name="payout" strategy="HUMAN"/></gov:policy>')
_TIGHT: Final = policy('<gov:policy workingThreshold="3000" compressStrategy="ARCHIVE"/>')
CLAIM: Final = model(
    policy('<gov:policy workingThreshold="60000"/>'),
    start(),
    script("read", f"letter = {LETTER!r}\nnotes = 'what the surveyor wrote down. ' * 150"),
    f'<task id="write" name="Write the letter">{_PREVIEW}</task>',
    gateway("split"),
    script("cover", "payout = 1850\ncovered = True"),
    script("damage", "payout = 1700"),
    f'<parallelGateway id="join" name="Put together">{_HUMAN}</parallelGateway>',
    f'<scriptTask id="weigh" name="Weigh" scriptFormat="python">{_TIGHT}<script>weighed = len(notes)</script>'
    "</scriptTask>",
    user(
        "sign",
        '<ioSpecification><dataInput id="i1" name="letter"/><dataOutput id="o1" name="signed_by"/><inputSet/>'
        "<outputSet/></ioSpecification>",
    ),
    end(),
    edges("s > read > write > split > cover > join > weigh > sign > e", "split > damage > join"),
)
"""A letter that somebody has to see, a conflict, a compression, a task."""

_TURN: Final = {"activity": "write", "answer": {"outputs": {"letter": FINAL}, "confidence": 0.9}}
RECORDED: Final = orjson.dumps({"turns": [_TURN]}).decode()
"""Its agent's turn, as YAML."""
