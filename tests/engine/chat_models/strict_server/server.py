"""A provider on this machine: real HTTP, the protocol's rules, and a script instead of a model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.engine.chat_models.strict_server.rules import Refused, check, tokens
from tests.engine.chat_models.strict_server.script import Brain, Break, Drip, Fail, Say, Stall, Turn

KEY = "sk-strict-0123456789abcdef"
_CHUNK = 12


class StrictServer:
    """Takes chat completions at `url`; keeps every request that passed the rules, and every refusal."""

    def __init__(self, brain: Brain, window: int) -> None:
        self.brain, self.window = brain, window
        self.asked: list[dict[str, Any]] = []
        self.refusals: list[str] = []
        self.closing = threading.Event()
        self._number = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def turn(self, body: dict[str, Any]) -> tuple[int, Turn]:
        """The next turn, with its number from 1. Raises Refused."""
        with self._number:
            try:
                check(body, self.window)
            except Refused as refused:
                self.refusals.append(refused.message)
                raise
            self.asked.append(body)
            return len(self.asked), self.brain(body)

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving(brain: Brain, window: int = 100_000) -> Iterator[StrictServer]:
    """A server for a `with` statement."""
    server = StrictServer(brain, window)
    try:
        yield server
    finally:
        server.close()


def _handler(server: StrictServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: object) -> None: ...

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                if self.path != "/v1/chat/completions":
                    raise Refused(f"Unknown request URL: {self.path}", status=404)
                if self.headers.get("Authorization") != f"Bearer {KEY}":
                    given = self.headers.get("Authorization", "").removeprefix("Bearer ")
                    raise Refused(f"Incorrect API key provided: {given}.", "invalid_api_key", 401)
                number, turn = server.turn(body)
            except Refused as refused:
                self._fail(refused.status, refused.message, refused.code)
                return
            if isinstance(turn, Stall):
                server.closing.wait()
                self.close_connection = True
            elif isinstance(turn, Fail):
                headers = {} if turn.retry_after is None else {"Retry-After": f"{turn.retry_after:g}"}
                self._fail(turn.status, turn.message, "server_error", headers)
            elif isinstance(turn, Break):
                self._break(body, number, turn)
            elif isinstance(turn, Drip):
                self._drip(body, number, turn)
            elif body.get("stream"):
                self._stream(body, number, turn)
            else:
                self._answer(body, number, turn)

        def _answer(self, body: Mapping[str, Any], number: int, turn: Say) -> None:
            calls = turn.tool_calls(number)
            message = {"role": "assistant", "content": turn.text or None, **({"tool_calls": calls} if calls else {})}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
            frame = _frame(body, number, "chat.completion")
            self._send(200, {**frame, "choices": [choice], "usage": _usage(body, turn)})

        def _begin_stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            # What is chunked and not ended is known to be cut off.
            self.send_header("Transfer-Encoding", "chunked")
            self.send_header("Connection", "close")
            self.end_headers()

        def _break(self, body: Mapping[str, Any], number: int, turn: Break) -> None:
            frame = _frame(body, number, "chat.completion.chunk")
            self._begin_stream()
            self._event({**frame, "choices": [{"index": 0, "delta": {"content": turn.text}, "finish_reason": None}]})
            self.close_connection = True

        def _drip(self, body: Mapping[str, Any], number: int, turn: Drip) -> None:
            frame = _frame(body, number, "chat.completion.chunk")
            self._begin_stream()
            with suppress(OSError):  # whoever waited has gone
                while not server.closing.wait(turn.every):
                    self._event({**frame, "choices": [{"index": 0, "delta": {"content": "."}, "finish_reason": None}]})
            self.close_connection = True

        def _stream(self, body: Mapping[str, Any], number: int, turn: Say) -> None:
            frame = _frame(body, number, "chat.completion.chunk")
            self._begin_stream()
            for delta, reason in _deltas(turn, number):
                choice = {"index": 0, "delta": delta, "finish_reason": reason}
                self._event({**frame, "choices": [choice]})
            self._event({**frame, "choices": [], "usage": _usage(body, turn)})
            self._chunk(b"data: [DONE]\n\n")
            self._chunk(b"")
            self.close_connection = True

        def _event(self, data: Mapping[str, Any]) -> None:
            self._chunk(f"data: {json.dumps(data)}\n\n".encode())

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

        def _fail(self, status: int, message: str, code: str, headers: Mapping[str, str] | None = None) -> None:
            self._send(status, {"error": {"message": message, "type": code, "code": code}}, headers)

        def _send(self, status: int, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
            text = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

    return Handler


def _frame(body: Mapping[str, Any], number: int, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 1_772_000_000, "model": body["model"]}


def _usage(body: Mapping[str, Any], turn: Say) -> dict[str, int]:
    told, said = tokens(body), len(turn.text + str(turn.calls or "")) // 4
    return {"prompt_tokens": told, "completion_tokens": said, "total_tokens": told + said}


def _deltas(turn: Say, number: int) -> Iterator[tuple[dict[str, Any], str | None]]:
    yield {"role": "assistant", "content": ""}, None
    for start in range(0, len(turn.text), _CHUNK):
        yield {"content": turn.text[start : start + _CHUNK]}, None
    for place, call in enumerate(turn.tool_calls(number)):
        yield {"tool_calls": [{"index": place, **call}]}, None
    yield {}, "tool_calls" if turn.calls else "stop"
