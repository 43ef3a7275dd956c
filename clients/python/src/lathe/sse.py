"""Server-sent events."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class StreamEvent(NamedTuple):
    id: str | None
    data: str


def read_events(chunks: Iterable[bytes]) -> Iterator[StreamEvent]:
    """Yields events as they arrive. A frame that is cut off at the end is no event."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest = ""
    for chunk in chunks:
        *frames, rest = (rest + decoder.decode(chunk)).split("\n\n")
        for frame in frames:
            fields = dict(line.split(": ", 1) for line in reversed(frame.split("\n")) if ": " in line)
            if "data" in fields:
                yield StreamEvent(fields.get("id"), fields["data"])
