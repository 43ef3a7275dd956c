"""What can be uploaded."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, runtime_checkable

from .errors import LatheError


@dataclass(frozen=True)
class SizedStream:
    """Bytes that can be read once, and how many they are."""

    stream: IO[bytes] | Iterable[bytes]
    size: int


Source = str | os.PathLike[str] | bytes | IO[bytes] | SizedStream
"""A path, bytes, an open file, or a stream with its size."""


class OpenSource(Protocol):
    """A source that is read in parts."""

    name: str
    size: int

    def part(self, start: int, end: int) -> bytes:
        """The bytes from `start` to `end`. A stream can give each part once and in order, or the last one again."""


def open_source(source: Source, name: str | None = None) -> OpenSource:
    """Opens a source. A name that is passed takes precedence over the name of the file."""
    if isinstance(source, SizedStream):
        return _StreamSource(source, name or _name_of(source.stream))
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _FileSource(io.BytesIO(source), len(source), name or "file")
    if isinstance(source, (str, os.PathLike)):
        return _PathSource(Path(source), name)
    if not source.seekable():
        raise LatheError("The size of this stream is not known. Pass SizedStream(stream, size).")
    return _FileSource(source, source.seek(0, os.SEEK_END), name or _name_of(source))


def _name_of(stream: object) -> str:
    name = getattr(stream, "name", None)
    return os.path.basename(name) if isinstance(name, str) and name else "file"


class _PathSource:
    def __init__(self, path: Path, name: str | None) -> None:
        self.name = name or path.name
        self.size = path.stat().st_size
        self._path = path

    def part(self, start: int, end: int) -> bytes:
        with self._path.open("rb") as file:
            return _read_at(file, start, end)


class _FileSource:
    def __init__(self, file: IO[bytes], size: int, name: str) -> None:
        self.name = name
        self.size = size
        self._file = file

    def part(self, start: int, end: int) -> bytes:
        return _read_at(self._file, start, end)


def _read_at(file: IO[bytes], start: int, end: int) -> bytes:
    file.seek(start)
    found = file.read(end - start)
    if len(found) != end - start:
        raise LatheError("The file became shorter while it was uploaded.")
    return found


class _StreamSource:
    def __init__(self, source: SizedStream, name: str) -> None:
        self.name = name
        self.size = source.size
        self._chunks = _chunks_of(source.stream)
        self._rest = b""
        self._at = 0
        self._last = (0, b"")

    def part(self, start: int, end: int) -> bytes:
        last_start, last = self._last
        if last_start <= start < last_start + len(last):
            return last[start - last_start : end - last_start]
        if start != self._at:
            raise LatheError("A stream cannot be read again. Upload a file or bytes to be able to resume.")
        found = bytearray(self._rest)
        while len(found) < end - start:
            chunk = next(self._chunks, b"")
            if not chunk:
                raise LatheError(f"The stream ended after {start + len(found)} of {self.size} bytes.")
            found += chunk
        self._rest = bytes(found[end - start :])
        self._at = end
        self._last = (start, bytes(found[: end - start]))
        return self._last[1]


def _chunks_of(stream: IO[bytes] | Iterable[bytes]) -> Iterator[bytes]:
    # Iterating over a file would yield lines.
    chunks = _chunks_of_file(stream) if isinstance(stream, _Readable) else iter(stream)
    return filter(None, chunks)


@runtime_checkable
class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _chunks_of_file(file: _Readable) -> Iterator[bytes]:
    while chunk := file.read(65_536):
        yield chunk
