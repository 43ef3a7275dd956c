"""Uploads."""

from __future__ import annotations

import base64
from collections.abc import Callable

import httpx

from .errors import ConnectionError, LatheError, RequestError, is_outage
from .generated.types import Task, UploadForm
from .source import OpenSource, Source, open_source
from .transport import Retries, Transport

OnProgress = Callable[[int, int], None]
"""Called with the number of bytes sent, and of all."""

# Smaller files are as fast to send again as to ask where to continue.
_large = 8 * 2**20
_part = 8 * 2**20
_tus = {"tus-resumable": "1.0.0"}
_attempts = 8
_timeout = 600.0


def send_to_form(
    transport: Transport, task: Task, source: Source, name: str | None = None, on_progress: OnProgress | None = None
) -> None:
    """Sends a file to the form of an upload task. Large files are sent in parts, to continue after a lost connection."""
    given = task.result.form
    if given is None:
        raise LatheError("The task has no upload form: it is not an import/upload task, or it has ended.")
    form: UploadForm = given
    opened = open_source(source, name)
    if opened.size > _large:
        _send_in_parts(transport, form, opened, on_progress)
        return
    file = (opened.name, opened.part(0, opened.size))
    retries = Retries(_attempts, transport.outage, may_upload_later)
    try:
        _persist(
            retries,
            lambda: transport.send(
                form.url, method="POST", form=form.parameters, file=file, with_key=False, timeout=_timeout, once=True
            ),
        )
    except RequestError as error:
        # The first attempt succeeded, and only its response was lost.
        if error.error_code != "form_used":
            raise
    if on_progress:
        on_progress(opened.size, opened.size)


def _send_in_parts(transport: Transport, form: UploadForm, source: OpenSource, on_progress: OnProgress | None) -> None:
    fields = {**form.parameters, "filename": source.name}
    metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in fields.items())
    about = {**_tus, "upload-length": str(source.size), "upload-metadata": metadata}
    retries = Retries(_attempts, transport.outage, may_upload_later)
    started = _persist(
        retries, lambda: transport.send(form.tus_url, method="POST", headers=about, with_key=False, once=True)
    )
    url = str(httpx.URL(form.tus_url).join(started.headers["location"]))
    offset = 0
    while offset < source.size:
        content = source.part(offset, min(source.size, offset + _part))
        headers = {**_tus, "upload-offset": str(offset), "content-type": "application/offset+octet-stream"}
        try:
            sent = transport.send(
                url, method="PATCH", headers=headers, content=content, with_key=False, timeout=_timeout, once=True
            )
            retries = Retries(_attempts, transport.outage, may_upload_later)
        except (RequestError, ConnectionError) as error:
            retries.pause(error)
            sent = _persist(
                retries, lambda: transport.send(url, method="HEAD", headers=_tus, with_key=False, once=True)
            )
        offset = int(sent.headers["upload-offset"])
        if on_progress:
            on_progress(offset, source.size)


def _persist(retries: Retries, attempt: Callable[[], httpx.Response]) -> httpx.Response:
    """Repeats an attempt as long as it may succeed."""
    while True:
        try:
            return attempt()
        except (RequestError, ConnectionError) as error:
            retries.pause(error)


def may_upload_later(error: BaseException) -> bool:
    """Whether the same upload may succeed later."""
    if is_outage(error):
        return True
    return isinstance(error, RequestError) and (error.status >= 500 or error.status in (408, 409, 423, 429))
