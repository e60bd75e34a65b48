"""The systems around the process, played by files and a few lines: local, and the same in every run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from engine.activities.job import Job, handler
from engine.activities.work import BpmnErrorRaised, Outcome
from governance.vocabulary import Producer

DATA: Final = Path(__file__).parent / "data"
DOCUMENTS: Final = {
    "claim_form": "claim-form.txt",
    "contract": "contract.txt",
    "plumber_report": "plumber-report.txt",
    "piano_estimate": "piano-estimate.txt",
    "flooring_quote": "flooring-quote.txt",
    "call_notes": "call-notes.txt",
}
UNREAD: Final = "\N{REPLACEMENT CHARACTER}"
"""What the scanner puts where it could not tell a character."""

MOST_UNREAD: Final = 0.02
"""Share of such characters above which a document cannot be read."""


@handler("scan-documents")
def scan_documents(job: Job) -> Outcome:
    """Reads the documents, the one that was sent again in place of the first. Raises the BPMN error UNREADABLE."""
    resent = job.variables.get("resent", {})
    files = {**DOCUMENTS, **({resent["document"]: resent["file"]} if resent else {})}
    texts = {name: (DATA / file).read_text(encoding="utf-8") for name, file in files.items()}
    for name, text in texts.items():
        unread = text.count(UNREAD) / len(text)
        if unread > MOST_UNREAD:
            found = {"document": name, "file": files[name], "unread_percent": round(100 * unread)}
            raise BpmnErrorRaised("UNREADABLE", f"{files[name]} cannot be read", {"unreadable": found})
    return _outcome(dict(texts), f"All {len(texts)} documents can be read.")


@handler("open-investigation")
def open_investigation(job: Job) -> Outcome:
    number = f"{job.variables['claim']['number']}-F"
    investigation = {"number": number, "opened_at": "2026-01-21T10:00:00Z", "signs": job.variables["fraud_signs"]}
    return _outcome({"investigation": investigation}, f"Investigation {number} is open.")


@handler("pay-and-send")
def pay_and_send(job: Job) -> Outcome:
    """Sends the letter, with the payment where there is one."""
    amount = job.variables["payout"] if job.variables["decision"] == "pay" else 0
    account = job.variables["claim"]["account"]
    payment = {"amount": amount, "to": account, "sent_at": "2026-01-21T11:00:00Z"}
    return _outcome({"payment": payment}, f"EUR {amount:,.2f} to {account}, the letter is sent.")


def _outcome(outputs: dict[str, Any], decision: str) -> Outcome:
    return Outcome(outputs=outputs, decision=decision, producer=Producer.SERVICE)
