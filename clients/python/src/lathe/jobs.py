"""Jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from .decode import decode
from .errors import JobFailedError, RequestError, TaskFailedError
from .files import ResultFile, files_of
from .follow import OnEvent, events, until_ended
from .generated.requests import CreateJobRequest, RunJobAgainRequest
from .generated.types import ApiEvent, Job, Task
from .pages import list_all
from .source import Source
from .transport import Transport, segment
from .upload import OnProgress, send_to_form

JobStatus = Literal["created", "processing", "completed", "failed"]


class JobHandle:
    """A job that was created."""

    def __init__(self, transport: Transport, job: Job) -> None:
        self.id = job.id
        self._transport = transport
        self._job = job

    @property
    def now(self) -> Job:
        """The job as it was last seen."""
        return self._job

    def task(self, name: str) -> Task:
        """A task of the job, as it was last seen."""
        for task in self._job.tasks or []:
            if task.name == name:
                return task
        raise KeyError(f"The job has no task {name}.")

    def upload(
        self, name: str, source: Source, *, filename: str | None = None, on_progress: OnProgress | None = None
    ) -> None:
        """Sends the file of an import/upload task."""
        send_to_form(self._transport, self.task(name), source, filename, on_progress)

    def events(self) -> Iterator[ApiEvent]:
        """Everything that happens, from the beginning to the end: each event once, in order, across lost connections."""
        return events(self._transport, self._path)

    def done(
        self, *, even_if_failed: bool = False, on_event: OnEvent | None = None, timeout: float | None = None
    ) -> JobHandle:
        """Waits for the end. Raises `TaskFailedError` if a task failed, `JobFailedError` if one was deleted, and `TimeoutError` after
        `timeout` seconds.
        """
        self._job = decode(Job, until_ended(self._transport, self._path, on_event, timeout))
        for task in self._job.tasks or []:
            if task.status in ("failed", "canceled") and not even_if_failed:
                raise TaskFailedError(task, self._job)
        if self._job.status == "failed" and not even_if_failed:
            raise JobFailedError(self._job)
        return self

    def files(self, name: str | None = None) -> list[ResultFile]:
        """The files of a task, or of all tasks that no other task takes its input from."""
        tasks = self._job.tasks or []
        used = {id for task in tasks for id in task.depends_on}
        wanted = [task for task in tasks if task.id not in used] if name is None else [self.task(name)]
        return [file for task in wanted for file in files_of(self._transport, task)]

    def cancel(self, *, timeout: float | None = None) -> None:
        """Cancels every task that has not ended."""
        job = decode(Job, self._transport.json(self._path, timeout=timeout))
        for task in job.tasks or []:
            if task.status not in ("created", "processing"):
                continue
            try:
                self._transport.send(f"/v1/process/tasks/{segment(task.id)}/cancel", method="POST", timeout=timeout)
            except RequestError as error:
                # It has ended meanwhile, or was canceled together with another one.
                if error.status >= 500 or error.status == 429:
                    raise

    def delete(self) -> None:
        self._transport.send(self._path, method="DELETE")

    @property
    def _path(self) -> str:
        return f"/v1/process/jobs/{segment(self.id)}"


class Jobs:
    """`lathe.jobs`"""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, job: CreateJobRequest, *, idempotency_key: str | None = None) -> JobHandle:
        created = self._transport.json(
            "/v1/process/jobs", method="POST", json=job, idempotency_key=idempotency_key, patient=True
        )
        return JobHandle(self._transport, decode(Job, created))

    def get(self, id: str) -> JobHandle:
        return JobHandle(self._transport, decode(Job, self._transport.json(f"/v1/process/jobs/{segment(id)}")))

    def list(self, *, status: JobStatus | None = None, tag: str | None = None) -> Iterator[Job]:
        """All jobs, newest first."""
        return list_all(self._transport, "/v1/process/jobs", Job, {"status": status, "tag": tag})

    def cancel(self, id: str) -> None:
        """Cancels every task of a job that has not ended."""
        self.get(id).cancel()

    def run_again(
        self, id: str, changes: RunJobAgainRequest | None = None, *, idempotency_key: str | None = None
    ) -> JobHandle:
        path = f"/v1/process/jobs/{segment(id)}/run-again"
        created = self._transport.json(
            path, method="POST", json=changes or {}, idempotency_key=idempotency_key, patient=True
        )
        return JobHandle(self._transport, decode(Job, created))
