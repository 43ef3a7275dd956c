"""Follows a job or task until it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx

from .decode import decode
from .errors import ConnectionError, LatheError, RequestError
from .generated.types import ApiEvent
from .sse import read_events
from .transport import Deadline, Retries, Transport, may_succeed, to_connection_error

OnEvent = Callable[[ApiEvent], None]

_ended = {"completed", "failed", "canceled", "deleted"}
# A stream sends a sign of life every 15 seconds.
_silence = 45.0
_wait = 30
_idle = 1.0
_failures_in_a_row = 5
# Events that are sent again after a lost connection are a minute old at most.
_most_seen = 10_000


class _Stream:
    """Events of a job, a task or the account, from the first to the last, over as many connections as it takes."""

    def __init__(self, transport: Transport, path: str, deadline: Deadline) -> None:
        self._transport = transport
        self._path = path
        self._deadline = deadline
        self._last: str | None = None
        self._seen: dict[str, None] = {}
        self.is_over = False

    def read(self) -> Iterator[ApiEvent]:
        """The new events of one connection. Raises `ConnectionError` if it is lost."""
        headers = {"accept": "text/event-stream", **({"last-event-id": self._last} if self._last else {})}
        timeout = httpx.Timeout(60.0, read=self._deadline.left(_silence))
        path = f"{self._path}/events"
        response = self._transport.send(path, headers=headers, timeout=timeout, stream=True, once=True)
        # The job has ended, and every event was sent.
        self.is_over = response.status_code == 204
        try:
            for event_id, data in read_events(response.iter_bytes()):
                self._last = event_id or self._last
                event = decode(ApiEvent, json.loads(data))
                if _is_new(event, self._seen):
                    yield event
        except httpx.TransportError as cause:
            self._deadline.left(1)
            raise to_connection_error(cause, self._transport.base_url) from cause
        finally:
            response.close()


def events(transport: Transport, path: str) -> Iterator[ApiEvent]:
    """Events from the first to the last, across lost connections: none is missed, and none is repeated."""
    stream = _Stream(transport, path, Deadline(None))
    retries = Retries(_failures_in_a_row, transport.outage)
    while not stream.is_over:
        is_idle = True
        try:
            for event in stream.read():
                if is_idle:
                    retries = Retries(_failures_in_a_row, transport.outage)
                is_idle = False
                yield event
        except (RequestError, ConnectionError) as error:
            retries.pause(error)
            continue
        # A server that ends every stream at once, because it is stopping, is not asked in a loop.
        if is_idle and not stream.is_over:
            time.sleep(_idle)


def _is_new(event: ApiEvent, seen: dict[str, None]) -> bool:
    if event.id in seen:
        return False
    # Progress is not stored, and so never sent again.
    if event.type != "task.progress":
        seen[event.id] = None
    if len(seen) > _most_seen:
        del seen[next(iter(seen))]
    return True


def until_ended(transport: Transport, path: str, on_event: OnEvent | None, timeout: float | None) -> Any:
    """Waits until a job or task has ended: with its events, or by polling where streams do not get through.

    An outage is waited for; afterwards the events go on where they stopped.
    """
    deadline = Deadline(timeout)
    stream = _Stream(transport, path, deadline)
    failures = 0
    while True:
        if failures <= _failures_in_a_row:
            failures = _read(stream, on_event, failures)
        # It ended without an error: there may be more events.
        if failures == 0 and not stream.is_over:
            continue
        # After an interruption, the events are to go on at once.
        wait = 0 if failures == 1 and not stream.is_over else int(deadline.left(_wait))
        headers = {"prefer": f"wait={wait}"} if wait else {}
        now = transport.json(path, headers=headers, timeout=deadline.left(60.0), patient=True, deadline=deadline)
        if not isinstance(now, dict):
            raise LatheError("The service responded with something else than a job or task.")
        if now["status"] in _ended:
            if not stream.is_over and failures <= _failures_in_a_row:
                # Events that came meanwhile.
                with suppress(LatheError):
                    _read(stream, on_event, failures)
            return now
        time.sleep(deadline.left(_idle))


def _read(stream: _Stream, on_event: OnEvent | None, failures: int) -> int:
    """Reads one connection. Returns how many in a row brought nothing."""
    failures += 1
    received = stream.read()
    while True:
        try:
            event = next(received, None)
        except (RequestError, ConnectionError) as error:
            # Polling would get the same answer.
            if not may_succeed(error):
                raise
            return max(1, failures)
        if event is None:
            return failures
        failures = 0
        if on_event:
            on_event(event)
