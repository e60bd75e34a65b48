"""Processes that wait for what two may say at once."""

from __future__ import annotations

from tests.bpmn.files import policy
from tests.engine.models import catch, edges, end, gateway, message, model, script, start, user

TASK = model(start(), user("u"), script("after", "n = n + 1"), end(), edges("s > u > after > e"))
ASKED = model(start(), user("u", policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')),
              script("after", "n = n + 1"), end(), edges("s > u > after > e"))  # fmt: skip
RECEIVES = model(start(), catch("c", message()), script("after", "n = n + by"), end(), edges("s > c > after > e"),
                 beside='<message id="m" name="m"/>')  # fmt: skip
BRANCHES = model(start(), gateway("g"), user("a"), user("b"), gateway("j"), script("after", "n = n + 1"), end(),
                 edges("s > g > a > j > after > e", "g > b > j"))  # fmt: skip
