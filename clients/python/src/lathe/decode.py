"""Turns JSON into the generated dataclasses."""

from __future__ import annotations

import dataclasses
import functools
import keyword
import re
import types
import typing
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, TypeVar

T = TypeVar("T")
_Read = Callable[[Any], Any]


def decode(kind: type[T], value: object) -> T:
    """The value as this type. Fields that this version does not know are ignored; missing ones are None."""
    read: _Read = _reader(typing.cast(Any, kind))
    return typing.cast(T, read(value))


def _as_is(value: Any) -> Any:
    return value


@functools.cache
def _reader(kind: Any) -> _Read:
    if dataclasses.is_dataclass(kind):
        return functools.partial(_read_object, kind)
    if kind is datetime or kind is date:
        return typing.cast(_Read, kind.fromisoformat)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return _read_each(_reader(arguments[0]))
    if origin is dict:
        return _read_values(_reader(arguments[1]))
    if origin in (types.UnionType, typing.Union):
        readers = [_reader(one) for one in arguments if one is not types.NoneType]
        return next((one for one in readers if one is not _as_is), _as_is)
    return _as_is


def _read_object(kind: Any, value: Any) -> Any:
    given = {_to_snake_case(name): one for name, one in value.items()}
    return kind(**{name: _or_none(read, given.get(name)) for name, read in _fields(kind).items()})


@functools.cache
def _fields(kind: Any) -> dict[str, _Read]:
    hints = typing.get_type_hints(kind)
    return {field.name: _reader(hints[field.name]) for field in dataclasses.fields(kind)}


def _or_none(read: _Read, value: Any) -> Any:
    return None if value is None else read(value)


def _read_each(read: _Read) -> _Read:
    return _as_is if read is _as_is else lambda values: [read(one) for one in values]


def _read_values(read: _Read) -> _Read:
    return _as_is if read is _as_is else lambda values: {name: read(one) for name, one in values.items()}


@functools.cache
def _to_snake_case(name: str) -> str:
    snake = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)
    return f"{snake}_" if keyword.iskeyword(snake) else snake
