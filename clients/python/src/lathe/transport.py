"""HTTP: retries what may succeed the next time, and turns error responses into exceptions."""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from ._version import version
from .errors import ConnectionError, DeadlineError, LatheError, RequestError, TimeoutError, is_outage, to_request_error

_retryable = {408, 423, 429, 500, 502, 503, 504}
_longest_wait = 30.0
_longest_pause = 10.0

Query = Mapping[str, str | int | bool | None]


def may_succeed(error: BaseException) -> bool:
    """Whether a request may succeed when it is repeated."""
    return is_outage(error) or (isinstance(error, RequestError) and error.status in _retryable)


def segment(id: str) -> str:
    """An id as one segment of a path: whatever it is, it cannot lead to another endpoint."""
    # URLs resolve these, even if they are encoded.
    if id in ("", ".", ".."):
        raise LatheError(f"{id!r} is not an id.")
    return quote(id, safe="")


class Retries:
    """Pauses before another attempt, or raises the failure if there must be none.

    There are `times` other attempts; failures of an outage do not count while it lasts less than `outage` seconds.
    """

    def __init__(
        self, times: int, outage: float, is_temporary: Callable[[BaseException], bool] = may_succeed
    ) -> None:
        self._times = times
        self._outage = outage
        self._is_temporary = is_temporary
        self._pauses = self._tried = 0
        self._away_since: float | None = None

    def pause(self, error: LatheError, deadline: Deadline | None = None) -> None:
        asked = error.retry_after if isinstance(error, RequestError) else None
        own = min(_longest_pause, 0.5 * 2**self._pauses) * (0.75 + random.random() / 2)
        wait = min(_longest_wait, own if asked is None else asked)
        now = time.monotonic()
        self._pauses += 1
        if self._away_since is None:
            self._away_since = now
        if not (is_outage(error) and now - self._away_since < self._outage):
            self._tried += 1
            if self._tried > self._times or not self._is_temporary(error):
                raise error
        time.sleep(wait if deadline is None else deadline.left(wait))


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
            raise DeadlineError(f"Not finished within {self._timeout} seconds.")
        return min(at_most, left)


class Transport:
    def __init__(
        self,
        *,
        base_url: str | None = None,
        key: str | None = None,
        retries: int = 2,
        timeout: float = 60.0,
        outage: float = 600.0,
        http: httpx.Client | None = None,
    ) -> None:
        self.base_url = (base_url or os.environ.get("LATHE_URL") or "").rstrip("/")
        if not self.base_url.startswith(("http://", "https://")):
            raise LatheError("Pass `base_url` or set LATHE_URL to the URL of your Lathe, such as https://lathe.example.com.")
        self._key = key or os.environ.get("LATHE_KEY")
        self._retries = retries
        self._timeout = timeout
        self.outage = outage
        self._has_answered = False
        self._http = http or httpx.Client(follow_redirects=True)

    def close(self) -> None:
        self._http.close()

    def json(self, path: str, **call: Any) -> Any:
        """The body of a 2xx response; None if there is none."""
        response = self.send(path, **call)
        return response.json() if response.content else None

    def send(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Query | None = None,
        json: object = None,
        content: bytes | None = None,
        form: Mapping[str, str] | None = None,
        file: tuple[str, bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | httpx.Timeout | None = None,
        idempotency_key: str | None = None,
        with_key: bool = True,
        once: bool = False,
        patient: bool = False,
        deadline: Deadline | None = None,
        stream: bool = False,
    ) -> httpx.Response:
        """A 2xx response. With `stream`, its body is not read yet and the caller closes it.

        Forms and links carry a secret of their own and need no key. `once` is for calls that the caller retries.
        `patient` waits for the end of an outage of a service that has answered before.
        """
        all_headers = self._headers(method, headers, idempotency_key, with_key)
        retries = Retries(0 if once else self._retries, self.outage if patient and self._has_answered else 0)
        while True:
            # Built anew each time: the body of a request can be read once.
            request = self._http.build_request(
                method,
                path if path.startswith(("http://", "https://")) else self.base_url + path,
                params={name: str(one) for name, one in (query or {}).items() if one is not None} or None,
                json=json,
                content=content,
                data=form,
                files={"file": file} if file else None,
                headers=all_headers,
                timeout=self._timeout if timeout is None else timeout,
            )
            answer = self._attempt(request, stream)
            if isinstance(answer, httpx.Response):
                self._has_answered = True
                return answer
            if not is_outage(answer):
                self._has_answered = True
            retries.pause(answer, deadline)

    def _attempt(self, request: httpx.Request, stream: bool) -> httpx.Response | RequestError | ConnectionError:
        try:
            response = self._http.send(request, stream=stream)
            if response.is_success:
                return response
            response.read()
            response.close()
            return to_request_error(response)
        except httpx.TransportError as cause:
            return to_connection_error(cause, f"{request.url.scheme}://{request.url.netloc.decode()}")

    def _headers(
        self, method: str, headers: Mapping[str, str] | None, idempotency_key: str | None, with_key: bool
    ) -> dict[str, str]:
        made = {"accept": "application/json", "user-agent": f"lathe-python/{version}", **(headers or {})}
        if with_key and self._key is not None:
            made["authorization"] = f"Bearer {self._key}"
        if with_key and method == "POST":
            made["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        return made


def to_connection_error(cause: httpx.TransportError, origin: str) -> ConnectionError:
    is_timeout = isinstance(cause, httpx.TimeoutException)
    error = TimeoutError(f"No response from {origin} in time.") if is_timeout else ConnectionError(f"Cannot reach {origin}: {cause}")
    error.__cause__ = cause
    return error
