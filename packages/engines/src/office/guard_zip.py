"""Judges a zip before an office program opens it: entries, sizes and ratio, counted while inflating."""
import struct
import tempfile
import zlib

from refusal import Refusal, beyond, damaged

LOCAL, CENTRAL, END, END64, LOCATOR64 = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
STORED, DEFLATED = 0, 8
CHUNK = 256 * 1024


class Count:
    """What was inflated so far, of an archive and those in it."""

    def __init__(self, limits):
        self.limits = limits
        self.entries = 0
        self.packed = 0
        self.bytes = 0

    def add_entry(self):
        self.entries += 1
        if self.entries > self.limits["entries"]:
            raise beyond("files in the archive", self.limits["entries"])

    def add(self, packed, size):
        self.packed += packed
        self.bytes += size
        if self.bytes > self.limits["bytes"]:
            raise beyond("unpacked bytes", self.limits["bytes"])
        if self.bytes > self.limits["ratioAfterBytes"] and self.bytes > self.limits["ratio"] * self.packed:
            raise beyond("unpacked bytes for each packed one", self.limits["ratio"])


def guard_zip(path, kind, limits):
    """Refuses a bomb or a lie."""
    with open(path, "rb") as file:
        _guard(file, kind, Count(limits), 0)


def _guard(file, kind, count, depth):
    entries = list(_entries(file, kind, count))
    end = 0
    for entry in sorted(entries, key=lambda entry: entry["at"]):
        if entry["at"] < end:
            raise Refusal("input_damaged", "The parts of this archive lie over one another, as only a bomb's do.")
        start, end = _data_of(file, entry, kind)
        _inflate(file, entry, start, kind, count, depth)


def _entries(file, kind, count):
    at, number = _directory(file, kind)
    if count.entries + number > count.limits["entries"]:
        raise beyond("files in the archive", count.limits["entries"])
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
        count.add_entry()
        if flags & 1:
            raise Refusal("unsupported", "Parts of this archive are encrypted. Remove that, then import it again.")
        if method not in (STORED, DEFLATED):
            raise damaged(kind, f"packing method {method}")
        yield {"method": method, "packed": large[1], "at": large[2]}


def _directory(file, kind):
    file.seek(0, 2)
    length = file.tell()
    tail_at = max(0, length - 65_557)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(END)
    if at == -1 or len(tail) - at < 22:
        raise damaged(kind, "no end of the directory")
    number, _, offset = struct.unpack_from("<HII", tail, at + 10)
    if number != 0xFFFF and offset != 0xFFFFFFFF:
        return offset, number
    file.seek(max(0, tail_at + at - 20))
    locator = file.read(20)
    if locator[:4] != LOCATOR64:
        return offset, number
    file.seek(struct.unpack_from("<Q", locator, 8)[0])
    end = file.read(56)
    if len(end) < 56 or end[:4] != END64:
        raise damaged(kind, "no end of the large directory")
    number, _, offset = struct.unpack_from("<QQQ", end, 32)
    return offset, number


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


def _data_of(file, entry, kind):
    file.seek(entry["at"])
    head = file.read(30)
    if len(head) < 30 or head[:4] != LOCAL:
        raise damaged(kind, "an entry is not where the directory says")
    name, extra = struct.unpack_from("<HH", head, 26)
    start = entry["at"] + 30 + name + extra
    return start, start + entry["packed"]


def _inflate(file, entry, start, kind, count, depth):
    file.seek(start)
    unpacker = zlib.decompressobj(-15) if entry["method"] == DEFLATED else None
    inner = None
    left = entry["packed"]
    first = True
    while left > 0:
        raw = file.read(min(CHUNK, left))
        if not raw:
            raise damaged(kind, "an entry is cut")
        left -= len(raw)
        count.add(len(raw), 0)
        for data in _unpacked(unpacker, raw, kind):
            count.add(0, len(data))
            if first and data[:4] == LOCAL:
                inner = _open_inner(depth, count)
            first = False
            if inner:
                inner.write(data)
    if unpacker and not unpacker.eof:
        raise damaged(kind, "an entry does not end")
    if inner:
        with inner:
            _guard(inner, kind, count, depth + 1)


def _unpacked(unpacker, raw, kind):
    if unpacker is None:
        yield raw
        return
    try:
        while raw and not unpacker.eof:
            yield unpacker.decompress(raw, CHUNK)
            raw = unpacker.unconsumed_tail
    except zlib.error as error:
        raise damaged(kind, str(error)) from error
    if unpacker.unused_data:
        raise damaged(kind, "an entry goes on after its end")


def _open_inner(depth, count):
    if depth >= count.limits["depth"]:
        raise beyond("archives within archives", count.limits["depth"])
    return tempfile.TemporaryFile(dir="/tmp")
