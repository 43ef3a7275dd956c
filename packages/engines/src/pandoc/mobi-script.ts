/** `mobi.py`: the records, headers and decompressed text of a Kindle book, as the MobileRead wiki describes them. */
export const mobiScript = String.raw`import struct
import zlib

from inert import refuse

NONE = 0xFFFFFFFF
PALMDOC, HUFFMAN = 2, 17480
ENCODINGS = {1252: "cp1252", 65001: "utf-8"}


def number(content, at, size=4):
    """A number at a place; one beyond the end means a damaged file."""
    if at < 0 or at + size > len(content):
        raise ValueError("a number beyond the end")
    return int.from_bytes(content[at:at + size], "big")


class Records:
    """The records of a Palm database."""

    def __init__(self, path, limits):
        with open(path, "rb") as file:
            self.content = file.read(limits["bytes"] + 1)
        if len(self.content) > limits["bytes"]:
            refuse("unpacked")
        count = number(self.content, 76, 2)
        places = [number(self.content, 78 + 8 * n) for n in range(count)]
        self.places = places + [len(self.content)]
        self.kind = self.content[60:68]

    def name(self):
        """What the file calls itself, in at most 31 bytes."""
        return " ".join(self.content[:32].split(b"\0")[0].decode("cp1252", "replace").replace("_", " ").split())

    def __len__(self):
        return len(self.places) - 1

    def __getitem__(self, n):
        if not 0 <= n < len(self):
            return b""
        return self.content[self.places[n]:max(self.places[n], self.places[n + 1])]


class Header:
    """The first record of a book, or of the newer book behind the older one in the same file."""

    def __init__(self, records, start):
        self.start = start
        content = records[start]
        self.content = content
        self.compression, self.text_records = number(content, 0, 2), number(content, 8, 2)
        if number(content, 12, 2) != 0:
            refuse("locked")
        self.is_mobi = content[16:20] == b"MOBI"
        self.size = number(content, 20) if self.is_mobi else 0
        self.encoding = ENCODINGS.get(self.field(28), "cp1252") if self.is_mobi else "cp1252"
        self.version = self.field(36) if self.is_mobi else 0
        self.first_image = self.field(108)
        self.extra = self.field(240) & 0xFFFF if self.field(240) != NONE else 0
        self.about = self.read_about() if self.is_mobi and self.field(128) & 0x40 else {}

    def field(self, at):
        """A number of the header; one that this version of it does not have is none."""
        return number(self.content, at) if self.is_mobi and at + 4 <= min(16 + self.size, len(self.content)) else NONE

    def read_about(self):
        at = 16 + self.size
        if self.content[at:at + 4] != b"EXTH":
            return {}
        found = {}
        count, at = number(self.content, at + 8), at + 12
        for _ in range(min(count, 10_000)):
            if at + 8 > len(self.content):
                break
            kind, size = number(self.content, at), number(self.content, at + 4)
            if size < 8:
                break
            found.setdefault(kind, []).append(self.content[at + 8:at + size])
            at += size
        return found

    def words(self, kind):
        return [" ".join(one.decode(self.encoding, "replace").split()) for one in self.about.get(kind, [])]

    def value(self, kind):
        found = self.about.get(kind, [b""])[0]
        return int.from_bytes(found, "big") if len(found) == 4 else NONE

    def title(self):
        at, size = self.field(84), self.field(88)
        full = self.content[at:at + size] if NONE not in (at, size) else b""
        named = self.words(503)
        return named[0] if named and named[0] else " ".join(full.decode(self.encoding, "replace").split())


def without_trailing(content, flags):
    """A text record without what indexes have added at its end, each with its size behind it."""
    end = len(content)
    for bit in range(1, 16):
        if not flags >> bit & 1:
            continue
        size, shift = 0, 0
        for at in range(end - 1, max(end - 5, -1), -1):
            size |= (content[at] & 0x7F) << shift
            shift += 7
            if content[at] & 0x80:
                break
        end -= min(size, end)
    if flags & 1 and end > 0:
        # The bytes of a character that the next record goes on with.
        end -= min((content[end - 1] & 3) + 1, end)
    return content[:end]


def unpack_palmdoc(content):
    result = bytearray()
    at, end = 0, len(content)
    while at < end:
        byte = content[at]
        at += 1
        if 1 <= byte <= 8:
            result += content[at:at + byte]
            at += byte
        elif byte < 0x80:
            result.append(byte)
        elif byte >= 0xC0:
            result += bytes((32, byte ^ 0x80))
        elif at < end:
            pair = byte << 8 | content[at]
            at += 1
            distance, length = pair >> 3 & 0x7FF, (pair & 7) + 3
            if not 0 < distance <= len(result):
                raise ValueError("a copy from before the text")
            for _ in range(length):
                result.append(result[-distance])
    return bytes(result)


class Huffman:
    """Phrases of a dictionary under codes of 1 to 32 bits; a phrase may be packed in the same way."""

    def __init__(self, records, header, limit):
        first, count = header.start + header.field(112), header.field(116)
        table = records[first]
        if table[:4] != b"HUFF" or not 1 < count < 4096:
            raise ValueError("no tables")
        short, long = number(table, 8), number(table, 12)
        self.short = struct.unpack_from(">256I", table, short)
        pairs = struct.unpack_from(">64I", table, long)
        self.least = [0] + [pairs[2 * n] << (31 - n) for n in range(32)]
        self.most = [0] + [((pairs[2 * n + 1] + 1) << (31 - n)) - 1 for n in range(32)]
        self.phrases = []
        for n in range(1, count):
            self.add_phrases(records[first + n])
        self.limit, self.done = limit, 0

    def add_phrases(self, record):
        if record[:4] != b"CDIC":
            raise ValueError("no dictionary")
        total, bits = number(record, 8), number(record, 12)
        count = min(1 << min(bits, 16), max(total - len(self.phrases), 0))
        for n in range(count):
            at = 16 + number(record, 16 + 2 * n, 2)
            size = number(record, at, 2)
            self.phrases.append([record[at + 2:at + 2 + (size & 0x7FFF)], bool(size & 0x8000)])

    def unpack(self, content, depth=0):
        if depth > 30:
            raise ValueError("phrases within phrases")
        result = bytearray()
        left = len(content) * 8
        window = int.from_bytes(content + bytes(8), "big")
        at = left + 64
        while True:
            code = window >> (at - 32) & 0xFFFFFFFF
            entry = self.short[code >> 24]
            length = entry & 0x1F
            if entry & 0x80:
                most = (((entry >> 8) + 1) << (32 - length)) - 1
            else:
                while length < 32 and code < self.least[length]:
                    length += 1
                most = self.most[length]
            if length == 0:
                raise ValueError("a code of no bits")
            left -= length
            if left < 0:
                return bytes(result)
            at -= length
            place = (most - code) >> (32 - length)
            if not 0 <= place < len(self.phrases):
                raise ValueError("a phrase that is not there")
            phrase = self.phrases[place]
            if not phrase[1]:
                # Marked first: a phrase that holds itself is none.
                packed, phrase[0], phrase[1] = phrase[0], b"", True
                phrase[0] = self.unpack(packed, depth + 1)
            result += phrase[0]
            if self.done + len(result) > self.limit:
                refuse("text")


def read_text(records, header, limits, warnings):
    """The text of all records."""
    limit = limits["text"]
    huffman = Huffman(records, header, limit) if header.compression == HUFFMAN else None
    pieces, size = [], 0
    for n in range(1, header.text_records + 1):
        record = records[header.start + n]
        packed = without_trailing(record, header.extra if header.is_mobi else 0)
        try:
            if huffman:
                huffman.done = size
                piece = huffman.unpack(packed)
            else:
                piece = unpack_palmdoc(packed) if header.compression == PALMDOC else packed
        except ValueError:
            warnings.add("parts")
            continue
        if not record:
            warnings.add("parts")
        size += len(piece)
        if size > limit:
            refuse("text")
        pieces.append(piece)
    return b"".join(pieces)


def font_of(record, limit):
    """A font, which is packed and made hard to take out; no key but its own is needed for that."""
    size, flags, at, key_size, key_at = (number(record, place) for place in (4, 8, 12, 16, 20))
    content = bytearray(record[at:])
    key = record[key_at:key_at + key_size]
    if flags & 2 and key:
        for n in range(min(1040, len(content))):
            content[n] ^= key[n % len(key)]
    if flags & 1:
        return zlib.decompressobj().decompress(bytes(content), max(1, min(size, limit)))
    return bytes(content)
`
