"""Results."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx

from .decode import decode
from .errors import ConnectionError, LatheError
from .generated.types import Task, TaskFile, TaskFilePage
from .transport import Retries, Transport, segment, to_connection_error

_attempts = 5


class ResultFile:
    """A file that the service created. Nothing is downloaded until you ask for it."""

    def __init__(self, transport: Transport, file: TaskFile) -> None:
        # The name becomes a path on this machine: only its last part counts.
        self.name = _to_name(file.filename or "")
        if file.url is None:
            raise LatheError(f"The file {self.name} has expired.")
        self.size = file.size
        self.sha256 = file.sha256
        self.url = file.url
        self.expires_at = file.expires_at
        self._transport = transport

    def __repr__(self) -> str:
        return f"<ResultFile {self.name!r}, {self.size} bytes>"

    def stream(self) -> Iterator[bytes]:
        """Its bytes in chunks. A download whose connection is lost continues where it stopped."""
        at = 0
        retries = Retries(_attempts, self._transport.outage)
        while True:
            response = self._open(at)
            try:
                for chunk in response.iter_bytes():
                    at += len(chunk)
                    retries = Retries(_attempts, self._transport.outage)
                    yield chunk
                if at >= self.size:
                    return
                error = ConnectionError(f"The download ended after {at} of {self.size} bytes.")
            except httpx.TransportError as cause:
                error = to_connection_error(cause, self.url.split("?")[0])
            finally:
                response.close()
            retries.pause(error)

    def _open(self, start: int) -> httpx.Response:
        # Compressed content would make ranges meaningless.
        headers = {"accept": "*/*", "accept-encoding": "identity", **({"range": f"bytes={start}-"} if start else {})}
        response = self._transport.send(self.url, headers=headers, with_key=False, stream=True, patient=True)
        if start and response.status_code != 206:
            response.close()
            raise LatheError("The connection was lost, and this download cannot continue where it stopped.")
        return response

    def bytes(self) -> bytes:
        return b"".join(self.stream())

    def save(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes it to this path, into this directory, or under its own name into the current one. Returns the path.

        The file appears when it is complete; one of the same name is replaced.
        """
        target = Path(self.name if path is None else path)
        if target.is_dir():
            target = target / self.name
        unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.part")
        try:
            with unfinished.open("xb") as file:
                for chunk in self.stream():
                    file.write(chunk)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
        return target


def _to_name(filename: str) -> str:
    last = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "file" if last in ("", ".", "..") else last


_files_per_page = 1000


def files_of(transport: Transport, task: Task) -> list[ResultFile]:
    """All files of a task. Its answer shows only the first of many; the others are read in pages."""
    files = task.result.files or []
    if (task.result.files_total or 0) > len(files):
        files = []
        page: int | None = 1
        while page is not None:
            path = f"/v1/process/tasks/{segment(task.id)}/files?per_page={_files_per_page}&page={page}"
            found = decode(TaskFilePage, transport.json(path, patient=True))
            files.extend(found.docs)
            page = found.next_page
    return [ResultFile(transport, file) for file in files]
