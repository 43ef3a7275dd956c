"""A server that does what real services do rarely, and never on demand."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Mapping
from email.message import Message
from typing import Any, NamedTuple


class Seen(NamedTuple):
    """A request that came."""

    command: str
    path: str
    headers: Message
    body: bytes


class Exchange(http.server.BaseHTTPRequestHandler):
    """One request. Its answer is written by the test."""

    protocol_version = "HTTP/1.1"
    body: bytes

    def reply(self, status: int, body: object = None, headers: Mapping[str, str] | None = None) -> None:
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def drop(self) -> None:
        """Closes the connection, whatever was announced."""
        self.close_connection = True
        self.wfile.flush()

    def _answer(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("content-length") or 0))
        server = self.server
        assert isinstance(server, Server)
        with server.lock:
            server.seen.append(Seen(self.command, self.path, self.headers, self.body))
            count = len(server.seen)
        server.answer(self, count)

    do_GET = do_POST = do_PATCH = do_HEAD = do_DELETE = _answer

    def log_message(self, *_: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """`answer` is called with each request and its number, from 1."""

    daemon_threads = True

    def __init__(self, answer: Callable[[Exchange, int], None]) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.answer = answer
        self.lock = threading.Lock()
        self.seen: list[Seen] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    @property
    def paths(self) -> list[str]:
        return [f"{one.command} {one.path}" for one in self.seen]
