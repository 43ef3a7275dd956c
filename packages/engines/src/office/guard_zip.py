"""Judges a zip before an office program opens it: entries, sizes and ratio, counted while inflating.

Only what a bomb needs is refused. Whether an archive is sound enough to be read is LibreOffice's to say: it skips parts
that it does not need, so an entry that is cut, packed by another method or missing stops nothing here.
"""
import os
import struct
import tempfile
import zlib

from refusal import Refusal, beyond, damaged

LOCAL, CENTRAL, END, END64, LOCATOR64 = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
STORED, DEFLATED = 0, 8
CHUNK = 256 * 1024


class Count:
    """What was inflated so far, of an archive and of all those in it, at any depth."""

    def __init__(self, limits, length):
        self.limits = limits
        self.entries = 0
        # The bytes that were sent: entries that share their data do not make it more.
        self.packed = length
        self.bytes = 0

    def add_entries(self, number):
        self.entries += number
        if self.entries > self.limits["entries"]:
            raise beyond("files in the archive", self.limits["entries"])

    def add(self, size):
        self.bytes += size
        if self.bytes > self.limits["bytes"]:
            raise beyond("unpacked bytes", self.limits["bytes"])
        if self.bytes > self.limits["ratioAfterBytes"] and self.bytes > self.limits["ratio"] * self.packed:
            raise beyond("unpacked bytes for each packed one", self.limits["ratio"])


def guard_zip(path, kind, limits):
    """Refuses a bomb, and what has no directory of its entries."""
    with open(path, "rb") as file:
        _guard(file, kind, Count(limits, os.fstat(file.fileno()).st_size), 0)


def _guard(file, kind, count, depth):
    for entry in list(_entries(file, kind, count)):
        start = _start_of(file, entry)
        if start is not None:
            _inflate(file, entry, start, count, depth)


def _entries(file, kind, count):
    at, shift, number = _directory(file, kind)
    count.add_entries(number)
    file.seek(at)
    for _ in range(number):
        head = file.read(46)
        if len(head) < 46 or head[:4] != CENTRAL:
            raise damaged(kind, "the directory is cut")
        flags, method = struct.unpack_from("<HH", head, 8)
        packed, size, name, extra, comment = struct.unpack_from("<IIHHH", head, 20)
        (offset,) = struct.unpack_from("<I", head, 42)
        file.seek(name, 1)
        large = _zip64(file.read(extra), size, packed, offset)
        file.seek(comment, 1)
        if flags & 1:
            raise Refusal("unsupported", "Parts of this archive are encrypted. Remove that, then import it again.")
        if method in (STORED, DEFLATED):
            yield {"method": method, "packed": large[1], "at": large[2] + shift}


def _directory(file, kind):
    """Where the directory is, how far all offsets are off because something was put before the archive, and its length."""
    file.seek(0, 2)
    length = file.tell()
    tail_at = max(0, length - 65_557)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(END)
    if at == -1 or len(tail) - at < 22:
        raise damaged(kind, "no end of the directory")
    number, size, offset = struct.unpack_from("<HII", tail, at + 10)
    end = tail_at + at
    if number == 0xFFFF or offset == 0xFFFFFFFF:
        large = _large_directory(file, end, kind)
        if large is not None:
            return large
    start = end - size
    file.seek(max(0, start))
    if start < offset or (number and file.read(4) != CENTRAL):
        start = offset
    return start, start - offset, number


def _large_directory(file, end, kind):
    file.seek(max(0, end - 20))
    locator = file.read(20)
    if locator[:4] != LOCATOR64:
        return None
    file.seek(struct.unpack_from("<Q", locator, 8)[0])
    record = file.read(56)
    if len(record) < 56 or record[:4] != END64:
        raise damaged(kind, "no end of the large directory")
    number, _, offset = struct.unpack_from("<QQQ", record, 32)
    return offset, 0, number


def _zip64(extra, *values):
    """Sizes and offset, from the large fields where the small ones say so."""
    values, at = list(values), 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            field = extra[at + 4 : at + 4 + length]
            for n, value in enumerate(values):
                if value == 0xFFFFFFFF and len(field) >= 8:
                    (values[n],), field = struct.unpack_from("<Q", field), field[8:]
        at += 4 + length
    return values


def _start_of(file, entry):
    file.seek(entry["at"])
    head = file.read(30)
    if len(head) < 30 or head[:4] != LOCAL:
        return None
    name, extra = struct.unpack_from("<HH", head, 26)
    return entry["at"] + 30 + name + extra


def _inflate(file, entry, start, count, depth):
    inner = None
    first = True
    for data in _unpacked(file, entry, start):
        count.add(len(data))
        if first and data[:4] == LOCAL:
            inner = _open_inner(depth, count)
        first = False
        if inner:
            inner.write(data)
    if inner:
        with inner:
            _guard_inner(inner, count, depth + 1)


def _guard_inner(inner, count, depth):
    try:
        _guard(inner, "zip", count, depth)
    except Refusal as refusal:
        # What only looks like an archive harms nobody.
        if refusal.code == "limit_exceeded":
            raise


def _unpacked(file, entry, start):
    """The content of an entry as far as it can be unpacked."""
    file.seek(start)
    unpacker = zlib.decompressobj(-15) if entry["method"] == DEFLATED else None
    left = entry["packed"]
    while left > 0 and (raw := file.read(min(CHUNK, left))):
        left -= len(raw)
        if unpacker is None:
            yield raw
            continue
        while raw and not unpacker.eof:
            try:
                data = unpacker.decompress(raw, CHUNK)
            except zlib.error:
                return
            yield data
            raw = unpacker.unconsumed_tail


def _open_inner(depth, count):
    # Only an archive that holds itself goes on for ever.
    if depth >= count.limits["depth"]:
        raise beyond("archives within archives", count.limits["depth"])
    return tempfile.TemporaryFile(dir="/tmp")
