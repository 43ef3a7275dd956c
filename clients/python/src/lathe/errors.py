"""What this client raises."""

from __future__ import annotations

import builtins

import httpx

from .decode import decode
from .generated.types import ApiErrorError, Job, Task

FieldError = ApiErrorError


class LatheError(Exception):
    """Every error that this client raises itself."""


class ConnectionError(LatheError, builtins.ConnectionError):
    """The service cannot be reached, or the connection was lost."""


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """Something took longer than its time limit."""


class DeadlineError(TimeoutError):
    """The time limit that the caller set is over."""


class RequestError(LatheError):
    """The service rejected a request."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        error_code: str = "internal",
        errors: list[FieldError] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.error_code = error_code
        self.errors = errors or []
        """Every invalid field."""
        self.request_id = request_id
        """Quote it when you ask for help."""
        self.retry_after = retry_after
        """Seconds until another attempt makes sense, where the service tells."""


class InvalidRequestError(RequestError):
    """A field is invalid: `errors` names each, with the values it accepts."""


class UnauthorizedError(RequestError):
    """The key is missing, invalid, revoked or expired."""


class ForbiddenError(RequestError):
    """The key does not have the required scope."""


class NotFoundError(RequestError):
    """The resource does not exist, or has expired."""


class RateLimitError(RequestError):
    """Too many requests. The client has already waited and retried."""


class OutOfStorageError(RequestError):
    """The account has no storage left for the file."""


_class_by_code: dict[str, type[RequestError]] = {
    "invalid_request": InvalidRequestError,
    "invalid_json": InvalidRequestError,
    "unauthorized": UnauthorizedError,
    "forbidden": ForbiddenError,
    "access_denied": ForbiddenError,
    "out_of_storage": OutOfStorageError,
    "not_found": NotFoundError,
    "link_expired": NotFoundError,
    "form_expired": NotFoundError,
    "gone": NotFoundError,
    "rate_limited": RateLimitError,
    "slow_down": RateLimitError,
}

# For responses without a known code, such as those of a proxy.
_class_by_status: dict[int, type[RequestError]] = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    410: NotFoundError,
    429: RateLimitError,
}


def to_request_error(response: httpx.Response) -> RequestError:
    """The error of a response that is not 2xx. Its body must have been read."""
    try:
        body = response.json()
    except ValueError:
        body = None
    fields = body if isinstance(body, dict) else {}
    status = response.status_code
    code = str(fields.get("errorCode") or "")
    error_class = _class_by_code.get(code, _class_by_status.get(status, RequestError))
    return error_class(
        fields.get("msg") or f"The service responded with status {status}.",
        status=status,
        error_code=code or "internal",
        errors=decode(list[FieldError], fields.get("errors") or []),
        request_id=fields.get("requestId") or response.headers.get("x-request-id"),
        retry_after=_seconds(response.headers.get("retry-after")),
    )


def _seconds(value: str | None) -> float | None:
    try:
        return max(0.0, float(value)) if value is not None else None
    except ValueError:
        return None


def is_outage(error: BaseException) -> bool:
    """Whether the service, or the way to it, is down: what is asked now may succeed later, unchanged."""
    return isinstance(error, ConnectionError) or (isinstance(error, RequestError) and error.status >= 502)


class JobFailedError(LatheError):
    """A job failed although none of its tasks is known to have failed: one was deleted."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.result.msg or f"The job {job.id} failed.")
        self.job = job
        self.error_code = job.result.error_code


class TaskFailedError(LatheError):
    """A task failed: `reason` is the precise, stable cause."""

    def __init__(self, task: Task, job: Job | None = None) -> None:
        super().__init__(task.result.msg or f"The task {task.name} is {task.status}.")
        self.task = task
        self.job = job
        self.error_code = task.result.error_code
        self.reason = task.result.reason


class WebhookError(LatheError):
    """A delivery is not signed by the service, is too old, or was changed on its way."""
