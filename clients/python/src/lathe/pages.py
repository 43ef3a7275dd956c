"""Lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from .decode import decode
from .transport import Query, Transport

T = TypeVar("T")


def list_all(transport: Transport, path: str, kind: type[T], filters: Query) -> Iterator[T]:
    """Everything in a list, newest first. Pages are requested as they are needed."""
    after: str | None = None
    while True:
        page = transport.json(path, query={"per_page": 200, **filters, "after": after})
        for one in page["docs"]:
            yield decode(kind, one)
        after = page["nextCursor"]
        if after is None:
            return
