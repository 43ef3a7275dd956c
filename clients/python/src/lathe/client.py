"""The client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any

import httpx

from .decode import decode
from .errors import DeadlineError, LatheError
from .files import ResultFile
from .follow import OnEvent, events
from .generated.options import CompressOptions, ConvertOptions, CropOptions, MergeOptions, Operation, TrimOptions
from .generated.types import Account, ApiEvent, FormatList, OptionSet, Preset, Usage
from .jobs import Jobs
from .pages import list_all
from .source import Source
from .tasks import Tasks
from .transport import Transport, segment
from .upload import OnProgress, may_upload_later

# The caller waits for this after an error.
_cancel_timeout = 5.0


class Lathe:
    """A Lathe service. `Lathe()` reads `LATHE_URL` and `LATHE_KEY`.

    `retries` is how often a request is repeated that may succeed the next time, and `timeout` how many seconds the service may
    be silent during one. `outage` is how many seconds an outage of the service may last while a job is created, uploaded to,
    followed or downloaded from; a service that has never answered is not waited for. `http` replaces the client of httpx, to set proxies or certificates.
    """

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        retries: int = 2,
        timeout: float = 60.0,
        outage: float = 600.0,
        http: httpx.Client | None = None,
    ) -> None:
        self._transport = Transport(
            base_url=base_url, key=key, retries=retries, timeout=timeout, outage=outage, http=http
        )
        self.jobs = Jobs(self._transport)
        self.tasks = Tasks(self._transport)

    def __enter__(self) -> Lathe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes open connections."""
        self._transport.close()

    def convert(
        self,
        source: Source,
        to: str,
        options: ConvertOptions | None = None,
        *,
        name: str | None = None,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        input_format: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> ResultFile:
        """Converts a file: `lathe.convert("letter.docx", "pdf")`.

        `name` is the name of the source, where it has none; `filename` the name of the result. `timeout` limits the wait after
        the upload, in seconds. What is interrupted is canceled.
        """
        task = {"operation": "convert", "output_format": to, "options": options}
        task |= {"filename": filename, "preset": preset, "input_format": input_format}
        return _single(self._process([source], task, name, tag, on_progress, on_event, timeout))

    def convert_all(
        self,
        source: Source,
        to: str,
        options: ConvertOptions | None = None,
        *,
        name: str | None = None,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        input_format: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> list[ResultFile]:
        """The same where a file may become several, such as the pages of a document."""
        task = {"operation": "convert", "output_format": to, "options": options}
        task |= {"filename": filename, "preset": preset, "input_format": input_format}
        return self._process([source], task, name, tag, on_progress, on_event, timeout)

    def compress(
        self,
        source: Source,
        options: CompressOptions | None = None,
        *,
        name: str | None = None,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        input_format: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> ResultFile:
        """Makes a file smaller without changing its format."""
        task = {"operation": "compress", "options": options}
        task |= {"filename": filename, "preset": preset, "input_format": input_format}
        return _single(self._process([source], task, name, tag, on_progress, on_event, timeout))

    def crop(
        self,
        source: Source,
        options: CropOptions,
        *,
        name: str | None = None,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        input_format: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> ResultFile:
        """Cuts an area out of an image, a video, an animation or the pages of a PDF."""
        task: dict[str, Any] = {"operation": "crop", "options": options}
        task |= {"filename": filename, "preset": preset, "input_format": input_format}
        return _single(self._process([source], task, name, tag, on_progress, on_event, timeout))

    def trim(
        self,
        source: Source,
        options: TrimOptions,
        *,
        name: str | None = None,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        input_format: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> ResultFile:
        """Keeps a part of a recording, an animation or a PDF."""
        task: dict[str, Any] = {"operation": "trim", "options": options}
        task |= {"filename": filename, "preset": preset, "input_format": input_format}
        return _single(self._process([source], task, name, tag, on_progress, on_event, timeout))

    def merge(
        self,
        sources: Sequence[Source],
        to: str,
        options: MergeOptions | None = None,
        *,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> ResultFile:
        """Merges files into one, in this order."""
        task = {"operation": "merge", "output_format": to, "options": options, "filename": filename, "preset": preset}
        return _single(self._process(sources, task, None, tag, on_progress, on_event, timeout))

    def run(
        self,
        operation: Operation,
        source: Source | list[Source],
        options: Mapping[str, object] | None = None,
        *,
        to: str | None = None,
        files: Mapping[str, Source] | None = None,
        name: str | None = None,
        filename: str | None = None,
        tag: str | None = None,
        preset: str | None = None,
        input_format: str | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> list[ResultFile]:
        """Runs any operation: `lathe.run("split", "book.pdf", {"pages_per_file": 10})`. Several files are given as a list.

        Files with a role are passed by its name: `lathe.run("watermark", "photo.jpg", files={"overlay": "logo.png"})`.
        """
        task = {"operation": operation, "output_format": to, "options": options}
        task |= {"filename": filename, "preset": preset, "input_format": input_format}
        sources = source if isinstance(source, list) else [source]
        return self._process(sources, task, name, tag, on_progress, on_event, timeout, files or {})

    def capture(
        self,
        url: str,
        fields: Mapping[str, object] | None = None,
        *,
        to: str | None = None,
        on_event: OnEvent | None = None,
        timeout: float | None = None,
    ) -> ResultFile:
        """Captures a live web page, as a PDF by default: `lathe.capture(url, {"full_page": False}, to="png")`."""
        format = {"output_format": to} if to else {}
        task = self.tasks.create("capture", {**(fields or {}), **format, "url": url})
        with _or_cancel(task.cancel):
            done = task.done(on_event=on_event, timeout=timeout)
        return _single(done.files())

    def formats(
        self, operation: Operation | None = None, *, input_format: str | None = None, output_format: str | None = None
    ) -> FormatList:
        """All formats, or those of an operation: what a format can become, or be made from."""
        path = f"/v1/query/formats/{segment(operation)}" if operation else "/v1/query/formats"
        query = {"input_format": input_format, "output_format": output_format}
        return decode(FormatList, self._transport.json(path, query=query))

    def options(self, operation: Operation, *, input_format: str, output_format: str | None = None) -> OptionSet:
        """The options of an operation on two formats, with their defaults and conditions."""
        query = {"input_format": input_format, "output_format": output_format}
        return decode(OptionSet, self._transport.json(f"/v1/query/options/{segment(operation)}", query=query))

    def account(self) -> Account:
        """The plan, its usage, and limits."""
        return decode(Account, self._transport.json("/v1/account"))

    def usage(self) -> Usage:
        """Usage by day, operation, formats and engine."""
        return decode(Usage, self._transport.json("/v1/account/usage"))

    def presets(self) -> Iterator[Preset]:
        """Presets: options that were given a name."""
        return list_all(self._transport, "/v1/presets", Preset, {})

    def events(self) -> Iterator[ApiEvent]:
        """Everything that happens to jobs and tasks of the account. It has no end."""
        return events(self._transport, "/v1/process")

    def _process(
        self,
        sources: Sequence[Source],
        task: dict[str, Any],
        name: str | None,
        tag: str | None,
        on_progress: OnProgress | None,
        on_event: OnEvent | None,
        timeout: float | None,
        files: Mapping[str, Source] | None = None,
    ) -> list[ResultFile]:
        """Uploads files, runs one task on them, and returns its files."""
        names = [f"file-{n + 1}" for n in range(len(sources))]
        roles = dict(files or {})
        given = {field: value for field, value in task.items() if value}
        tasks: dict[str, Any] = {one: {"operation": "import/upload"} for one in [*names, *roles]}
        tasks["result"] = {**given, **{role: role for role in roles}, "input": names}
        job = self.jobs.create({"tasks": tasks, "tag": tag})

        def cancel() -> None:
            job.cancel(timeout=_cancel_timeout)

        # Without its files the job would wait until it expires.
        with _or_cancel(cancel, lambda error: not may_upload_later(error)):
            for one, source in zip(names, sources):
                job.upload(one, source, filename=name, on_progress=on_progress)
            for role, source in roles.items():
                job.upload(role, source)
        with _or_cancel(cancel):
            job.done(on_event=on_event, timeout=timeout)
        return job.files("result")


def _is_own(error: BaseException) -> bool:
    """Whether the caller ends the wait: by a time limit, an interrupt or an error of its own functions."""
    return isinstance(error, DeadlineError) or not isinstance(error, LatheError)


@contextmanager
def _or_cancel(cancel: Callable[[], None], is_final: Callable[[BaseException], bool] = _is_own) -> Iterator[None]:
    """Cancels the work if the caller ends it, or if it cannot go on.

    An error of the connection or the service is not a reason: the work goes on there.
    """
    try:
        yield
    except BaseException as error:
        if is_final(error):
            # The first error is the one to report.
            with suppress(LatheError):
                cancel()
        raise


def _single(files: list[ResultFile]) -> ResultFile:
    if len(files) != 1:
        raise LatheError(f"The result has {len(files)} files, not one. Use convert_all().")
    return files[0]
