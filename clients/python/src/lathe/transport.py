"""HTTP: retries what may succeed the next time, and turns error responses into exceptions."""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Mapping
from typing import Any

import httpx

from ._version import version
from .errors import ConnectionError, LatheError, RequestError, TimeoutError, to_request_error

_retryable = {408, 423, 429, 500, 502, 503, 504}
_longest_pause = 30.0

Query = Mapping[str, str | int | bool | None]


class Transport:
    def __init__(
        self,
        *,
        base_url: str | None = None,
        key: str | None = None,
        retries: int = 2,
        timeout: float = 60.0,
        http: httpx.Client | None = None,
    ) -> None:
        self.base_url = (base_url or os.environ.get("LATHE_URL") or "").rstrip("/")
        if not self.base_url.startswith(("http://", "https://")):
            raise LatheError("Pass `base_url` or set LATHE_URL to the URL of your Lathe, such as https://lathe.example.com.")
        self._key = key or os.environ.get("LATHE_KEY")
        self._retries = retries
        self._timeout = timeout
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
        stream: bool = False,
    ) -> httpx.Response:
        """A 2xx response. With `stream`, its body is not read yet and the caller closes it.

        Forms and links carry a secret of their own and need no key. `once` is for calls that the caller retries.
        """
        all_headers = self._headers(method, headers, idempotency_key, with_key)
        for attempt in range(1 if once else self._retries + 1):
            is_last = once or attempt == self._retries
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
                return answer
            if is_last or not _may_succeed(answer):
                raise answer
            time.sleep(_pause_before_retry(answer, attempt))
        raise AssertionError("unreachable")

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


def _may_succeed(error: RequestError | ConnectionError) -> bool:
    return not isinstance(error, RequestError) or error.status in _retryable


def _pause_before_retry(error: RequestError | ConnectionError, attempt: int) -> float:
    asked = error.retry_after if isinstance(error, RequestError) else None
    own: float = 0.5 * 2**attempt * (0.75 + random.random() / 2)
    return min(_longest_pause, own if asked is None else asked)
