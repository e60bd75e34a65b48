"""The page about REST, made of the OpenAPI document that the server gives out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from docs.make.markdown import code, page, table
from engine.server.openapi import api_document
from engine.server.problems import STATUS, UNFIT

_OPEN: Final = "anybody"


def write() -> str:
    document = api_document()
    found: dict[str, list[list[str]]] = defaultdict(list)
    for path, method, operation in _operations(document):
        row = [f"{code(method.upper())} {code(path)}", operation.get("x-role", _OPEN), operation["description"]]
        found[operation["tags"][0]].append([row[0], row[1], _first(row[2])])
    parts = [f"## {tag}\n\n" + table(["request", "role", "does"], rows) for tag, rows in found.items()]
    return page(
        "REST",
        "What `governor serve` offers programs, below `/v1`. The whole document, with every field, is OpenAPI 3.1 at "
        "`/v1/openapi.json`. How to begin: [Serve](../howto/serve.md).",
        "## What holds for all\n\n"
        "- **Who**: `Authorization: Bearer KEY`, an API key of somebody who has the role; an administrator has all.\n"
        "- **Errors** are `application/problem+json` (RFC 9457): `type` names the kind "
        "(`urn:bpmn-governor:problem:already-closed`), `detail` tells it, further fields are its facts.\n"
        "- **Idempotency-Key** on a `POST`: sent again, the request is not done again, and answered the same, for a "
        "day. The same key with another request is refused (422); while the first is being worked on, 409.\n"
        "- **If-Match** on a move of an instance: the `ETag` of `GET /v1/instances/{instance}`; where it has moved on, "
        "nothing is done (412).\n"
        "- **Server-sent events**: `GET /v1/instances/{instance}/stream`; `Last-Event-ID` takes it up again.\n"
        "- **Pages** of lists: `limit`, and the `next` of one page is the `before` or `after` of the next.",
        "## Statuses of errors\n\n" + table(["status", "errors"], _statuses()),
        *parts,
    )


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _statuses() -> Iterator[list[str]]:
    by_status: dict[int, list[str]] = defaultdict(list)
    for error, status in STATUS.items():
        by_status[status].append(code(error.__name__))
    by_status[UNFIT].append("every other error of ours: what was sent was understood, and cannot be done")
    for status in sorted(by_status):
        yield [str(status), ", ".join(by_status[status])]


def _first(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())
