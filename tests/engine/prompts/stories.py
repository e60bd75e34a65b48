"""Contexts whose prompts are kept as golden files."""

from __future__ import annotations

from engine.models.base import Message
from engine.prompts.assembler import PromptAssembler
from governance.vocabulary import Fidelity, Layer
from tests.engine.activities.works import Run, Story, a_run, an_element

TRIAGE_OUTPUTS = {
    "severity": {"enum": ["low", "medium", "high"]},
    "owner": {"type": "string", "description": "team that owns the incident"},
}


def first_activity() -> Run:
    """The first activity of a process: nothing was done yet, and no outputs are declared."""
    story = Story().put(alert="Error rate of login above 40 %.")
    return a_run(story, an_element("summarise", name="Summarise the alert", documentation="In two sentences."))


def in_the_middle() -> Run:
    """Everything a prompt may have: knowledge, a history, compressed and archived entries, a path, a person's wish."""
    story = Story(branch="/fork@6:2.triage")
    report = "Users cannot log in.\nSince 09:40."
    story.put(alert={"service": "login", "error_rate": 0.41}, report=report, logs="x" * 300)
    story.put(Layer.KNOWLEDGE, 0.9, runbook={"text": "Roll back first.", "source": "runbook.md"})
    story.put(Layer.KNOWLEDGE, 0.6, march={"text": "Severe login incident.", "source": "inc-12"})
    story.put(Layer.KNOWLEDGE, 0.6, may={"text": "Billing exports are slow.", "source": "inc-15"})
    story.done("collect", "Collect logs", "Three files.", files=3)
    story.done("severity_check", "Check severity", "The incident is severe.", score=0.8)
    story.done("notify", "Notify on-call", paged=True)
    story.taken("is_known", "not_known").taken("is_severe", "severe", "page")
    story.shown("WORKING/logs", Fidelity.ARCHIVED)
    story.shown("WORKING/report", Fidelity.SUMMARY, "[Compressed] Users cannot log in.\nSince…")
    element = an_element(outputs=TRIAGE_OUTPUTS, inputs=["report", "alert", "ticket"])
    return a_run(story, element, feedback="Look at the region, too.", variables={"claim": {"id": 3}})


def after_wrong_outputs() -> tuple[Message, ...]:
    """What follows an answer that does not fit."""
    run = a_run(element=an_element(outputs=TRIAGE_OUTPUTS))
    return PromptAssembler().correction(
        run.work, '{"severity": "huge"}', ['mistyped: severity (found "huge", expected one of "low", "medium", "high")']
    )


def as_text(messages: tuple[Message, ...]) -> str:
    return "\n".join(f"======== {message.role}\n{message.content}" for message in messages) + "\n"
