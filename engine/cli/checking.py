"""Findings about a file, as text, as JSON, and as annotations for GitHub Actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from bpmn.check.catalogue import RULES
from bpmn.errors import BpmnError
from bpmn.findings import Finding, in_file_order, shortened, unreadable
from bpmn.load import load
from bpmn.rewrite.scope_pass import Note
from engine.activities.choose import activity_handlers
from engine.activities.errors import MissingDecision, Undone
from engine.cli.errors import BadOption
from engine.cli.exits import Exit
from engine.cli.output import print_json
from engine.cli.sarif import sarif
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.telling.gauge import several
from engine.people.design_review import Review, review
from governance.vocabulary import InteractionLevel

DMN: Final = ".dmn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What checking a file came to. An unreadable file has one finding, and no process.

    `review` says how far people have to look at a process; `against` names the file that it was compared to.
    """

    file: str
    process: str | None
    findings: tuple[Finding, ...]
    review: Review | None = None
    against: str | None = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(
        cls,
        file: str,
        process: str | None,
        handlers: Sequence[str],
        decisions: Sequence[str] = (),
        against: str | None = None,
        rules: Sequence[str] = (),
    ) -> Checked:
        """Read and check a process, or decisions; a process against the file that it is to replace.

        Raises BadHandlers, BadOption, and BpmnError for that other file.
        """
        _known(rules)
        if against is not None and file.lower().endswith(DMN):
            raise BadOption("--against", against, "only processes are compared")
        base = None if against is None else load(against).definition
        try:
            if file.lower().endswith(DMN):
                return cls(file=file, process=None, findings=_of_decisions(file, decisions))
            loaded = load(file, process=process, decisions=decisions, rules=rules)
        except BpmnError as error:
            return cls(file=file, process=process, findings=(unreadable(error),), against=against)
        findings = list(loaded.findings)
        doers = activity_handlers(modules=handlers)
        # What names no job type at all is a finding of its own.
        undone = doers.missing(loaded.definition)
        findings += [_missing(file, each) for each in undone if each.job_type is not None]
        findings += [_undecided(missing) for missing in doers.undecided(loaded.definition)]
        process = loaded.definition.main
        return cls(
            file=file,
            process=process,
            findings=in_file_order(findings),
            review=review(loaded.definition, loaded.findings, base),
            against=against,
            notes=loaded.notes,
        )

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def exit(self) -> Exit:
        if self.errors:
            return Exit.BAD_INPUT
        looked_at = self.against is not None and self.review is not None and self.review.verdict.level.blocks
        return Exit.WAITING if looked_at else Exit.DONE

    def to_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "process": self.process,
            "errors": self.errors,
            "warnings": len(self.findings) - self.errors,
            "findings": [finding.to_json() for finding in self.findings],
            "rewritten": [asdict(note) for note in self.notes],
            "against": self.against,
            "review": self.review and self.review.to_json(),
        }


def write(checked: Checked, format: str) -> None:
    """Print it as "text", "json", "github" or "sarif"."""
    if format == "json":
        print_json(checked.to_json())
        return
    if format == "sarif":
        print_json(sarif(checked.findings))
        return
    screen = output()
    if format == "github":
        for line in workflow_commands(checked.findings):
            screen.line(line)
        return
    _text(screen, checked)
    if checked.against is not None and checked.review is not None:
        _review(screen, checked.against, checked.review)


def workflow_commands(findings: Sequence[Finding]) -> Iterator[str]:
    """Workflow commands, a line each."""
    for finding in findings:
        place = f"file={_escaped(finding.file, ',:')}" + (f",line={finding.line}" if finding.line else "")
        told = str(finding).partition(f"{finding.severity} ")[2].partition(": ")[2]
        message = f"{finding.element}: {told}" if finding.element else told
        yield f"::{finding.severity} {place},title={_escaped(finding.rule, ',:')}::{_escaped(message)}"


def _review(screen: Screen, against: str, review: Review) -> None:
    """What has to be looked at before it replaces the other file."""
    level, facts = review.verdict.level, review.facts
    look = Style.GOOD if level is InteractionLevel.AUTO_ALLOW else Style.WARN
    why = f"; {review.verdict.reason}"
    screen.line((f"against {against}: ", Style.STRONG), (level.value, look), why)
    for change in (*facts.key_rules, *facts.changed):
        screen.line("  ", change, (" (key rule)" if change in facts.key_rules else "", Style.BAD))


def _text(screen: Screen, checked: Checked) -> None:
    for finding in checked.findings:
        where, severity, rest = str(finding).partition(f" {finding.severity} ")
        look = Style.BAD if finding.severity == "error" else Style.WARN
        screen.line((where, Style.DIM), (severity, look), rest)
    for note in checked.notes:
        screen.line((f"{checked.file}: ", Style.DIM), f"rewritten {note.rewrite} {note.element}: {note.message}")
    warnings = len(checked.findings) - checked.errors
    if not checked.findings:
        screen.line((checked.file, Style.STRONG), ": ", ("it can be run; nothing found", Style.GOOD))
        return
    verdict = ("it cannot be run", Style.BAD) if checked.errors else ("it can be run", Style.GOOD)
    counts = f": {several(checked.errors, 'error')}, {several(warnings, 'warning')}"
    screen.line((checked.file, Style.STRONG), ": ", verdict, counts)


def _known(rules: Sequence[str]) -> None:
    offered = [rule.code for rule in RULES if rule.on_request]
    for code in rules:
        if code not in offered:
            raise BadOption("--rule", code, f"is no rule that is off by default; those are {', '.join(offered)}")


def _of_decisions(file: str, imported: Sequence[str]) -> tuple[Finding, ...]:
    from bpmn.dmn.decisions import Decisions

    findings = Decisions.load({each: each for each in (file, *imported)}).findings()
    return tuple(finding for finding in findings if finding.file == file)


def _undecided(missing: MissingDecision) -> Finding:
    return Finding(
        rule="missing-decision",
        severity="warning",
        file=missing.file,
        message=f"{missing.reason}; give its file with --decisions, or put it beside the process",
        element=missing.element,
        line=missing.line,
        found=missing.decision,
        allowed=shortened(missing.known),
    )


def _missing(file: str, undone: Undone) -> Finding:
    near = f"; did you mean {undone.near}?" if undone.near else ""
    return Finding(
        rule="missing-handler",
        severity="warning",
        file=file,
        message=f"no handler for the job type; give one with --handlers{near}",
        element=undone.element,
        line=undone.line,
        found=undone.job_type,
    )


def _escaped(text: str, also: str = "") -> str:
    """As GitHub's workflow commands want it: percent, line breaks, and in properties `:` and `,` too."""
    for char in ("%", "\r", "\n", *also):
        text = text.replace(char, f"%{ord(char):02X}")
    return text
