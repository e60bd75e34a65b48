"""The systems around the process, played by files and a few lines: local, and the same in every run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from engine.activities.job import Job, handler
from engine.activities.work import Outcome
from governance.vocabulary import Producer

DATA: Final = Path(__file__).parent / "data"
LEAST: Final = 88_400
"""Below this no supplier goes, in EUR."""


@handler("load-catalogue")
def load_catalogue(job: Job) -> dict[str, Any]:
    return {"catalogue": _text("catalogue.txt"), "price_history": json.loads(_text("price-history.json"))}


@handler("look-up-register")
def look_up_register(job: Job) -> Outcome:
    supplier = job.variables["candidate"]
    entry = json.loads(_text("register.json"))[supplier["id"]]
    return _outcome({"register": entry}, f"{supplier['name']}: {entry['certificate']} until {entry['valid_until']}.")


@handler("ask-supplier")
def ask_supplier(job: Job) -> Outcome:
    """The supplier meets a counter-offer halfway, down to what it can bear."""
    asked, price = job.variables["counter_offer"]["price"], job.variables["price"]
    offered = min(price, max(LEAST, round((asked + price) / 2)))
    number = job.variables["rounds"] + 1
    reply = f"Round {number}: EUR {offered:,}, on your terms."
    return _outcome({"price": offered, "supplier_reply": reply, "rounds": number}, reply)


@handler("place-order")
def place_order(job: Job) -> Outcome:
    number = job.variables["order"]["number"].replace("PR", "PO")
    placed = {"number": number, "supplier": job.variables["preferred"], "price": job.variables["price"]}
    return _outcome({"placed": placed}, f"{number} is with {placed['supplier']}, EUR {placed['price']:,}.")


def _outcome(outputs: dict[str, Any], decision: str) -> Outcome:
    return Outcome(outputs=outputs, decision=decision, producer=Producer.SERVICE)


def _text(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")
