"""XML namespaces, by URI: prefixes are the author's choice and mean nothing."""

from __future__ import annotations

from typing import Final

BPMN: Final = "http://www.omg.org/spec/BPMN/20100524/MODEL"
BPMNDI: Final = "http://www.omg.org/spec/BPMN/20100524/DI"
DC: Final = "http://www.omg.org/spec/DD/20100524/DC"
DI: Final = "http://www.omg.org/spec/DD/20100524/DI"
GOV: Final = "urn:bpmn-governor:governance:1.0"
CAMUNDA: Final = "http://camunda.org/schema/1.0/bpmn"
CAMUNDA_MODELER: Final = "http://camunda.org/schema/modeler/1.0"
ZEEBE: Final = "http://camunda.org/schema/zeebe/1.0"
FLOWABLE: Final = "http://flowable.org/bpmn"
ACTIVITI: Final = "http://activiti.org/bpmn"
OPERATON: Final = "http://operaton.org/schema/1.0/bpmn"
SPIFFWORKFLOW: Final = "http://spiffworkflow.org/bpmn/schema/1.0/core"


def qualified(namespace: str, name: str) -> str:
    """`name` in Clark notation, as lxml spells tags and attributes."""
    return f"{{{namespace}}}{name}"


def split(tag: str) -> tuple[str, str]:
    """Namespace and local name of a tag in Clark notation; the namespace is empty where there is none."""
    if tag[:1] != "{":
        return "", tag
    namespace, _, name = tag[1:].partition("}")
    return namespace, name
