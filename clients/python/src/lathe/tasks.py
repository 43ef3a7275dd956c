"""Tasks outside jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .decode import decode
from .errors import TaskFailedError
from .files import ResultFile, files_of
from .follow import OnEvent, events, until_ended
from .generated.types import ApiEvent, Task
from .pages import list_all
from .source import Source
from .transport import Transport, segment
from .upload import OnProgress, send_to_form


class TaskHandle:
    """A task outside a job."""

    def __init__(self, transport: Transport, task: Task) -> None:
        self.id = task.id
        self._transport = transport
        self._task = task

    @property
    def now(self) -> Task:
        """The task as it was last seen."""
        return self._task

    def upload(self, source: Source, *, filename: str | None = None, on_progress: OnProgress | None = None) -> None:
        """Sends the file of an import/upload task."""
        send_to_form(self._transport, self._task, source, filename, on_progress)

    def events(self) -> Iterator[ApiEvent]:
        """Everything that happens, from the beginning to the end: each event once, in order, across lost connections."""
        return events(self._transport, self._path)

    def done(
        self, *, even_if_failed: bool = False, on_event: OnEvent | None = None, timeout: float | None = None
    ) -> TaskHandle:
        """Waits for the end. Raises `TaskFailedError` if the task failed, and `TimeoutError` after `timeout` seconds."""
        self._task = decode(Task, until_ended(self._transport, self._path, on_event, timeout))
        if self._task.status != "completed" and not even_if_failed:
            raise TaskFailedError(self._task)
        return self

    def files(self) -> list[ResultFile]:
        return files_of(self._transport, self._task)

    def cancel(self) -> None:
        self._transport.send(f"{self._path}/cancel", method="POST")

    def delete(self) -> None:
        self._transport.send(self._path, method="DELETE")

    @property
    def _path(self) -> str:
        return f"/v1/process/tasks/{segment(self.id)}"


class Tasks:
    """`lathe.tasks`"""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, operation: str, body: Mapping[str, Any] | None = None, *, idempotency_key: str | None = None
    ) -> TaskHandle:
        """Creates a task outside a job: `lathe.tasks.create("import/url", {"url": url})`."""
        # Such as `convert` or `import/url`.
        path = "/v1/process/" + "/".join(segment(part) for part in operation.split("/", 1))
        created = self._transport.json(
            path, method="POST", json=body or {}, idempotency_key=idempotency_key, patient=True
        )
        return TaskHandle(self._transport, decode(Task, created))

    def get(self, id: str) -> TaskHandle:
        return TaskHandle(self._transport, decode(Task, self._transport.json(f"/v1/process/tasks/{segment(id)}")))

    def list(self, *, status: str | None = None, operation: str | None = None) -> Iterator[Task]:
        """All tasks, newest first."""
        return list_all(self._transport, "/v1/process/tasks", Task, {"status": status, "operation": operation})
