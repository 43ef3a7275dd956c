/** `archive.py`: packs files of the job folder into one archive. The names in the archive are passed as data. */
export const archiveScript = `import json
import os
import time

from libarchive import (WARN, call, entry_free, entry_new, error_of, set_filetype, set_mtime, set_options,
                        set_passphrase, set_pathname, set_perm, set_size, write_close, write_data,
                        write_header, write_new, write_open)

FORMATS = {"zip": "zip", "7z": "7zip"}
FILTERS = {"tar": "none", "gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
BLOCK = 1024 * 1024


class Packing:
    def __init__(self, ask):
        self.ask = ask
        self.total = max(1, sum(os.path.getsize(one["file"]) for one in ask["files"]))
        self.done = self.reported = 0
        self.archive = write_new()

    def check(self, end):
        if end < WARN:
            raise RuntimeError(error_of(self.archive))

    def open(self):
        kind, level = self.ask["format"], self.ask["level"]
        if kind in FORMATS:
            call(f"archive_write_set_format_{FORMATS[kind]}", self.archive)
            module = FORMATS[kind]
        else:
            module = FILTERS[kind.removeprefix("tar.")]
            call("archive_write_set_format_pax_restricted", self.archive)
            call(f"archive_write_add_filter_{module}", self.archive)
        options = [] if module == "none" else [f"{module}:compression-level={level}"]
        if kind == "zip":
            options.append("zip:hdrcharset=UTF-8")
        if self.ask.get("password"):
            options.append("zip:encryption=aes256")
        if options:
            self.check(set_options(self.archive, ",".join(options).encode()))
        if self.ask.get("password"):
            self.check(set_passphrase(self.archive, self.ask["password"].encode()))
        self.check(write_open(self.archive, self.ask["output"].encode()))

    def add(self, file, path, now):
        entry = entry_new()
        set_pathname(entry, path.encode())
        set_size(entry, os.path.getsize(file))
        set_filetype(entry, 0o100000)
        set_perm(entry, 0o644)
        set_mtime(entry, now, 0)
        self.check(write_header(self.archive, entry))
        with open(file, "rb") as source:
            while block := source.read(BLOCK):
                if write_data(self.archive, block, len(block)) < 0:
                    raise RuntimeError(error_of(self.archive))
                self.tell(len(block))
        entry_free(entry)

    def tell(self, length):
        self.done += length
        share = self.done * 100 // self.total
        if share > self.reported:
            self.reported = share
            print(f"progress {share}", flush=True)


def main():
    with open("archive.json") as file:
        ask = json.load(file)
    packing = Packing(ask)
    packing.open()
    now = int(time.time())
    for one in ask["files"]:
        packing.add(one["file"], one["path"], now)
    packing.check(write_close(packing.archive))


if __name__ == "__main__":
    main()
`
