"""The page about the human loop's 20 cells, made of the matrix and of what tests reach them by."""

from __future__ import annotations

from docs.make.human_loop_cells import CELLS, LONG, CellStory
from docs.make.markdown import code, page, table
from engine.json_text import compact
from governance.human_loop.detector import HumanLoopTriggerDetector
from governance.human_loop.matrix import CONFIRM_MODES, MATRIX
from governance.vocabulary import InteractionLevel, Trigger

_EFFECTS = {
    InteractionLevel.AUTO_ALLOW: "nobody is called",
    InteractionLevel.MICRO_SUGGESTION: "people are told, nothing waits",
    InteractionLevel.DIFF_PREVIEW: "a person sees it first; the token waits",
    InteractionLevel.EXPLICIT_APPROVAL: "a person approves it first; the token waits",
    InteractionLevel.AUTO_DENY: "nobody is called; it is refused, and on record",
}
_WHEN = {
    Trigger.DESIGN_TIME: "when a file is checked, alone or against the one that it replaces (`governor check`)",
    Trigger.RUNTIME: "after D1, before an activity and before each model call in it; and at an attempt to write SYSTEM",
    Trigger.QUALITY: "when an activity has outputs",
    Trigger.CONFLICT: "when branches come together (D3)",
}


def write() -> str:
    levels = [[code(level), code(CONFIRM_MODES[level] or "-"), _EFFECTS[level]] for level in InteractionLevel]
    triggers = [[code(trigger), _WHEN[trigger]] for trigger in Trigger]
    return page(
        "The human loop: 20 cells",
        f"{code(HumanLoopTriggerDetector.__name__)} puts a case in one of four times five cells: what triggers it, and "
        "how far people are involved. It stands in the highest cell of its row that one of its signs leads to; an "
        "activity's `interactionLevel` is a floor under that. What an intervention is: "
        "[interventions](../concepts/interventions.md).",
        table(["level", "`human_confirm`", "effect"], levels),
        table(["trigger", "judged"], triggers),
        "Each cell below is reached by the process and the input under it; tests run them all by the command, "
        "the library and REST.",
        *(_cell(story) for story in CELLS),
    )


def _cell(story: CellStory) -> str:
    cell = MATRIX[story.trigger][story.level]
    signs = "; ".join(sign.says for sign in cell.signs) or "no sign of any other cell"
    parts = [f"## {story.trigger.value} x {story.level.value}", f"{cell.meaning.capitalize()}. Signs: {signs}."]
    if story.told:
        parts.append(f"People read: {code(story.told)}")
    parts.append(_block("xml", story.process))
    if story.old:
        parts += ["Checked against:", _block("xml", story.old)]
    if story.variables:
        parts.append(f"Variables: {code(compact(story.variables).replace(LONG, LONG[:45] + '... (1,860 characters)'))}")
    if story.turns:
        parts += ["Recorded answers of the model:", _block("yaml", story.turns)]
    if story.handlers:
        parts += ["Handlers:", _block("python", story.handlers)]
    return "\n\n".join(parts)


def _block(language: str, text: str) -> str:
    return f"<!-- not run: the tests of the human loop run it -->\n```{language}\n{text.strip()}\n```"
