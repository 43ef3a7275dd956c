"""Follows a job or task until it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from .decode import decode
from .errors import ConnectionError, LatheError, RequestError, TimeoutError
from .generated.types import ApiEvent
from .sse import read_events
from .transport import Transport, to_connection_error

OnEvent = Callable[[ApiEvent], None]

_ended = {"completed", "failed", "canceled", "deleted"}
# A stream sends a sign of life every 15 seconds.
_silence = 45.0
_wait = 30
_idle = 1.0
_failures_in_a_row = 5
# Events that are sent again after a lost connection are a minute old at most.
_most_seen = 10_000


class Deadline:
    """When to stop waiting; never, if it has no time limit."""

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout

    def left(self, at_most: float) -> float:
        """Seconds left, or `at_most`. Raises `TimeoutError` when none are left."""
        if self._end is None:
            return at_most
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"Not finished within {self._timeout} seconds.")
        return min(at_most, left)


def events(transport: Transport, path: str, deadline: Deadline | None = None) -> Iterator[ApiEvent]:
    """Events from the first to the last, across lost connections: none is missed, and none is repeated."""
    deadline = deadline or Deadline(None)
    last: str | None = None
    seen: dict[str, None] = {}
    failures = 0
    while True:
        response = _open(transport, path, last, deadline)
        # The job has ended, and every event was sent.
        if response.status_code == 204:
            response.close()
            return
        is_idle = True
        try:
            for event_id, data in read_events(response.iter_bytes()):
                event = decode(ApiEvent, json.loads(data))
                failures = 0
                is_idle = False
                last = event_id or last
                if _is_new(event, seen):
                    yield event
        except httpx.TransportError as cause:
            deadline.left(1)
            failures += 1
            if failures > _failures_in_a_row:
                raise to_connection_error(cause, transport.base_url) from cause
            time.sleep(deadline.left(0.5 * failures))
            continue
        finally:
            response.close()
        # A server that ends every stream at once, because it is stopping, is not asked in a loop.
        if is_idle:
            time.sleep(deadline.left(_idle))


def _is_new(event: ApiEvent, seen: dict[str, None]) -> bool:
    if event.id in seen:
        return False
    # Progress is not stored, and so never sent again.
    if event.type != "task.progress":
        seen[event.id] = None
    if len(seen) > _most_seen:
        del seen[next(iter(seen))]
    return True


def _open(transport: Transport, path: str, last: str | None, deadline: Deadline) -> httpx.Response:
    headers = {"accept": "text/event-stream", **({"last-event-id": last} if last else {})}
    timeout = httpx.Timeout(60.0, read=deadline.left(_silence))
    return transport.send(f"{path}/events", headers=headers, timeout=timeout, stream=True)


def until_ended(transport: Transport, path: str, on_event: OnEvent | None, timeout: float | None) -> Any:
    """Waits until a job or task has ended: with its events, or by polling where streams do not get through."""
    deadline = Deadline(timeout)
    try:
        for event in events(transport, path, deadline):
            if on_event:
                on_event(event)
    except (RequestError, ConnectionError) as error:
        deadline.left(1)
        # Polling would get the same answer, except where there are too many streams.
        if isinstance(error, RequestError) and error.status < 500 and error.status != 429:
            raise
    while True:
        wait = int(deadline.left(_wait))
        now = transport.json(path, headers={"prefer": f"wait={wait}"} if wait else {}, timeout=60.0)
        if not isinstance(now, dict):
            raise LatheError("The service responded with something else than a job or task.")
        if now["status"] in _ended:
            return now
        time.sleep(deadline.left(1.0))
