/**
 * `extract.py`: writes each regular file of an archive to a file with a name that Lathe chose, and reports its name in
 * the archive as one line of JSON. Names, links, devices and modes of the archive never reach the file system.
 */
export const extractScript = String.raw`import ctypes
import fnmatch
import json
import os

from libarchive import (EOF, FAILED, FATAL, RETRY, WARN, add_passphrase, append_filter, call, error_of, filetype,
                        format_of, hardlink, has_encrypted, is_encrypted, next_header, open_filename, pathname,
                        pathname_utf8, pointer, read_data, read_new, refuse)

FILTERS = {"gz": 1, "bz2": 2, "xz": 6, "zst": 14}
FORMATS = {"zip": ["zip"], "7z": ["7zip"], "rar": ["rar", "rar5"], "iso": ["iso9660"], "tar": ["tar"]}
TYPE_FILE, TYPE_FOLDER, TYPE_LINK = 0o100000, 0o040000, 0o120000
FORMAT_EMPTY, FORMAT_RAW = 0x60000, 0x90000
BLOCK = 1024 * 1024


def open_archive(ask, compressed):
    archive = read_new()
    kind = ask["format"].removeprefix("tar.")
    # One layer only: without its place in the chain, a filter would be tried again on what comes out of it.
    if kind in FILTERS:
        append_filter(archive, FILTERS[kind])
    for name in FORMATS.get(kind, compressed):
        call(f"archive_read_support_format_{name}", archive)
    if ask.get("password"):
        add_passphrase(archive, ask["password"].encode())
    if open_filename(archive, ask["file"].encode(), 64 * 1024) < WARN:
        fail(archive, False)
    return archive


def fail(archive, is_open=True):
    """Ends with the reason why nothing can be read. What no format was found for must not be asked about its entries."""
    said = error_of(archive)
    lower = said.lower()
    if "incorrect passphrase" in lower or "too many incorrect" in lower:
        refuse("password", said)
    if "encrypt" in lower or "passphrase" in lower or is_open and has_encrypted(archive) == 1:
        refuse("locked", said)
    if "unsupported" in lower or "not supported" in lower:
        refuse("method", said)
    refuse("damaged", said)


def decode(raw):
    for charset in ("utf-8", "cp437"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            pass
    return ""


class Extraction:
    def __init__(self, ask, compressed):
        self.ask, self.limits = ask, ask["limits"]
        self.packed = max(1, os.path.getsize(ask["file"]))
        self.archive = open_archive(ask, compressed)
        # Kept, because reading the first header clears it.
        self.said = error_of(self.archive)
        self.buffer = ctypes.create_string_buffer(BLOCK)
        self.seen = self.written = self.total = self.reported = self.length = 0
        self.left = {"links": 0, "special": 0, "damaged": 0, "method": 0, "others": 0}
        self.known = {}

    def run(self):
        entry = pointer()
        while True:
            end = next_header(self.archive, ctypes.byref(entry))
            if end == EOF:
                return
            if end == RETRY:
                continue
            if end == FATAL or end == FAILED:
                if self.seen == 0:
                    fail(self.archive)
                self.damage()
                if end == FATAL:
                    return
                continue
            self.seen += 1
            if self.seen > self.limits["entries"]:
                refuse("entries")
            if not self.take(entry):
                return

    def take(self, entry):
        """Takes one entry; False where nothing behind it can be read."""
        kind = filetype(entry)
        if kind == TYPE_FOLDER:
            return True
        raw = pathname_utf8(entry) or pathname(entry) or b""
        name = decode(raw)
        target = hardlink(entry)
        if target is not None:
            self.link(name, target)
            return True
        if kind == TYPE_LINK:
            self.left["links"] += 1
            return True
        # Archives without modes say nothing of the type.
        if kind not in (TYPE_FILE, 0):
            self.left["special"] += 1
            return True
        if not self.wants(name):
            self.left["others"] += 1
            return True
        if is_encrypted(entry) and not self.ask.get("password"):
            refuse("locked")
        return self.write(name, raw)

    def wants(self, name):
        patterns = self.ask["only"]
        plain = name.replace("\\", "/").removeprefix("./").lower()
        base = plain.rsplit("/", 1)[-1]
        return not patterns or any(fnmatch.fnmatchcase(plain if "/" in one else base, one) for one in patterns)

    def link(self, name, target):
        file, size = self.known.get(target, (None, 0))
        if file is None or not self.wants(name):
            self.left["links"] += 1
            return
        self.count(size)
        self.report(file, name)

    def write(self, name, raw):
        file = f"item-{self.written}.bin"
        size = 0
        with open(file, "xb") as out:
            while True:
                length = read_data(self.archive, self.buffer, BLOCK)
                if length <= 0:
                    break
                size += length
                self.count(length)
                out.write(memoryview(self.buffer)[:length])
        if length < 0 and length != WARN:
            os.remove(file)
            said = error_of(self.archive).lower()
            if "passphrase" in said or "encrypt" in said:
                fail(self.archive)
            self.damage("method" if "unsupported" in said or "not supported" in said else "damaged")
            return length != FATAL
        self.known[raw] = (file, size)
        self.report(file, name)
        self.written += 1
        return True

    def damage(self, word="damaged"):
        if self.ask["strict"]:
            refuse(word, error_of(self.archive))
        self.left[word] += 1

    def count(self, length):
        self.total += length
        if self.total > self.limits["bytes"]:
            refuse("bytes")
        if self.total > self.limits["ratioAfterBytes"] and self.total > self.packed * self.limits["ratio"]:
            refuse("bomb")

    def report(self, file, name):
        path = name.replace("\\", "/")
        kept = path if self.ask["folders"] else path.rsplit("/", 1)[-1]
        # The longest path that is kept; its end holds the name.
        line = json.dumps({"file": file, "name": kept[-1000:]})
        self.reported += 1
        self.length += len(line) + 1
        if self.reported > self.limits["files"]:
            refuse("files")
        if self.length > self.limits["namesBytes"]:
            refuse("names")
        print(line)


def main():
    with open("extract.json") as file:
        ask = json.load(file)
    extraction = Extraction(ask, ["tar", "raw", "empty"])
    extraction.run()
    # What begins with zeros passes for a tar of nothing, and may be the image of a disk.
    if extraction.seen == 0 and ask["format"] in FILTERS:
        extraction = Extraction(ask, ["raw", "empty"])
        extraction.run()
    if extraction.written == 0 and extraction.left["method"] > 0:
        refuse("method")
    kind = format_of(extraction.archive) & 0xff0000
    if kind == FORMAT_EMPTY:
        # For libarchive, what cannot be decompressed at all is as empty as what is.
        if extraction.said:
            refuse("damaged", extraction.said)
        open("item-0.bin", "xb").close()
        extraction.report("item-0.bin", "")
    print(json.dumps({"left": extraction.left, "raw": kind in (FORMAT_EMPTY, FORMAT_RAW)}))


if __name__ == "__main__":
    main()
`
