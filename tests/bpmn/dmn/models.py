"""Decision models for tests, in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from bpmn.dmn.decisions import Decided, Decisions

DMN = "https://www.omg.org/spec/DMN/20191111/MODEL/"
FILE = "rules.dmn"


def definitions(*content: str, namespace: str = "urn:rules", version: str = DMN, more: str = "") -> bytes:
    body = "".join(content)
    head = f'<definitions xmlns="{version}" id="d" name="Rules" namespace="{namespace}"{more}>'
    return f"{head}{body}</definitions>".encode()


def literal(text: str) -> str:
    return f"<literalExpression><text>{escape(text)}</text></literalExpression>"


def data(name: str, type: str = "") -> str:
    identifier = name.replace(" ", "_").replace("'", "")
    return f'<inputData id="{identifier}" name={quoteattr(name)}>{variable(name, type)}</inputData>'


def variable(name: str, type: str = "") -> str:
    return f"<variable name={quoteattr(name)}{attribute('typeRef', type)}/>"


def attribute(name: str, value: str) -> str:
    return f" {name}={quoteattr(value)}" if value else ""


def decision(name: str, logic: str = "", needs: Iterable[str] = (), knows: Iterable[str] = (), type: str = "") -> str:
    """`needs` are ids of input data and (with `!` before them) of decisions; `knows` are functions'."""
    required = "".join(
        f'<informationRequirement><required{"Decision" if need.startswith("!") else "Input"} href="{href(need)}"/>'
        "</informationRequirement>"
        for need in needs
    )
    identifier = name.replace(" ", "_")
    return (
        f'<decision id="{identifier}" name={quoteattr(name)}>{variable(name, type)}{required}{known(knows)}{logic}'
        "</decision>"
    )


def href(need: str) -> str:
    need = need.removeprefix("!")
    return need if "#" in need else f"#{need}"


def known(names: Iterable[str]) -> str:
    return "".join(
        f'<knowledgeRequirement><requiredKnowledge href="{href(name)}"/></knowledgeRequirement>' for name in names
    )


def knowledge(name: str, parameters: Mapping[str, str], body: str, knows: Iterable[str] = (), type: str = "") -> str:
    formal = "".join(f'<formalParameter name="{key}"{attribute("typeRef", kind)}/>' for key, kind in parameters.items())
    logic = f"<encapsulatedLogic>{formal}{body}</encapsulatedLogic>"
    inside = f"{variable(name, type)}{logic}{known(knows)}"
    return f'<businessKnowledgeModel id="{name}" name="{name}">{inside}</businessKnowledgeModel>'


def table(
    inputs: Sequence[str],
    outputs: Sequence[str],
    rules: Sequence[str],
    *,
    policy: str = "",
    aggregation: str = "",
    values: str = "",
    default: str = "",
) -> str:
    """Rules such as `>= 18 | "x" => "yes" | 1`; outputs are names, `values` the first output's in order."""
    made = "".join(f"<input><inputExpression><text>{escape(text)}</text></inputExpression></input>" for text in inputs)
    for index, name in enumerate(outputs):
        inside = f"<outputValues><text>{escape(values)}</text></outputValues>" if values and not index else ""
        inside += f"<defaultOutputEntry><text>{escape(default)}</text></defaultOutputEntry>" if default else ""
        made += f"<output{attribute('name', name)}>{inside}</output>"
    for rule in rules:
        left, _, right = rule.partition("=>")
        made += f"<rule>{entries('inputEntry', left)}{entries('outputEntry', right)}</rule>"
    marks = attribute("hitPolicy", policy) + attribute("aggregation", aggregation)
    return f"<decisionTable{marks}>{made}</decisionTable>"


def entries(tag: str, cells: str) -> str:
    return "".join(f"<{tag}><text>{escape(cell.strip())}</text></{tag}>" for cell in cells.split("|"))


def item(
    name: str, type: str = "", *, many: bool = False, allowed: str = "", parts: Mapping[str, str] | None = None
) -> str:
    inside = f"<typeRef>{type}</typeRef>" if type else ""
    inside += f"<allowedValues><text>{escape(allowed)}</text></allowedValues>" if allowed else ""
    inside += "".join(
        f'<itemComponent name="{key}"><typeRef>{kind}</typeRef></itemComponent>' for key, kind in (parts or {}).items()
    )
    return f'<itemDefinition name="{name}" isCollection="{str(many).lower()}">{inside}</itemDefinition>'


def decided(source: bytes | Mapping[str, bytes], name: str, /, **variables: Any) -> Decided:
    decisions = loaded(source)
    return decisions.decide(decisions.find(name, file="test"), variables)


def decide(source: bytes | Mapping[str, bytes], name: str, /, **variables: Any) -> Any:
    return decided(source, name, **variables).json


def loaded(source: bytes | Mapping[str, bytes]) -> Decisions:
    return Decisions.load({FILE: source} if isinstance(source, bytes) else source)
