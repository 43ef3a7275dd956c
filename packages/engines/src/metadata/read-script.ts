/**
 * `read.py`: writes the metadata of a file as one JSON document: tags from ExifTool, parts of documents, and streams.
 */
export const readScript = String.raw`import json
import re
import subprocess
import sys
from decimal import Decimal

from parts import read_parts

# About our copy of the file, or about ExifTool: nothing of it is in the file.
OURS = {"FileName", "Directory", "FileModifyDate", "FileAccessDate", "FileInodeChangeDate", "FilePermissions"}
# Words, even where they look like numbers.
WORDS = {"Title", "Artist", "Author", "Creator", "Description", "Subject", "Keywords", "Comment", "Copyright", "Album",
         "Caption-Abstract", "ObjectName", "By-line", "ImageDescription", "Rights", "Software", "Make", "Model",
         "SerialNumber", "LensSerialNumber", "InternalSerialNumber", "OwnerName", "Genre", "UserComment"}
BINARY = re.compile(r"^\(Binary data (\d+) bytes, use -b option to extract\)$")


class Number(str):
    """A number of the file, as it was written."""


def refuse(word, detail=""):
    sys.stderr.write(f"refused: {word}\n{detail[:500]}\n")
    sys.exit(3)


def exact(text):
    """The number, where JSON readers get the same value; else its digits."""
    if re.fullmatch(r"-?\d+", text):
        return int(text) if abs(int(text)) <= 2 ** 53 else str(text)
    number = float(text)
    return number if Decimal(repr(number)) == Decimal(text) else str(text)


def run_exiftool(ask):
    command = ["exiftool", "-config", "", "-j", "-a", "-g0", "-struct", "-l", "-api", "LargeFileSupport=1", ask["file"]]
    with open("read.out", "wb") as out, open("read.err", "wb") as err:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err).returncode
    with open("read.out", "rb") as out:
        text = out.read().decode("utf-8", "replace")
    if code < 0 or code > 1:
        raise SystemExit(f"exiftool: exit {code}")
    if not text.strip():
        return {"ExifTool": {"Error": {"val": "nothing"}}}
    return json.loads(text, parse_int=Number, parse_float=Number)[0]


class Shaper:
    def __init__(self, ask):
        self.raw = ask["values"] == "raw"
        self.characters, self.entries = ask["limits"]["characters"], ask["limits"]["entries"]
        self.cut = False

    def value(self, name, value):
        if isinstance(value, Number):
            return str(value) if name in WORDS else exact(value)
        if isinstance(value, str):
            binary = BINARY.match(value)
            if binary:
                return f"(binary data, {binary[1]} bytes)"
            if len(value) > self.characters:
                self.cut = True
                return value[:self.characters] + "…"
            return value
        if isinstance(value, list):
            if len(value) > self.entries:
                self.cut = True
            return [self.value(name, one) for one in value[:self.entries]]
        if isinstance(value, dict):
            if len(value) > self.entries:
                self.cut = True
            return {key: self.value(key, one) for key, one in list(value.items())[:self.entries]}
        return value

    def tag(self, name, tag):
        if isinstance(tag, dict) and "val" in tag:
            known = tag.get("num", tag["val"]) if self.raw or name == "FileSize" else tag["val"]
            return self.value(name, known)
        return self.value(name, tag)

    def group(self, tags):
        return {name: self.tag(name, tag) for name, tag in tags.items() if name not in OURS}


def find_place(found):
    """Where the file was made, in decimal degrees and meters."""
    composite = found.get("Composite", {})
    place = {}
    for ours, name in (("latitude", "GPSLatitude"), ("longitude", "GPSLongitude"), ("altitude", "GPSAltitude")):
        tag = composite.get(name, {})
        number = tag.get("num", tag.get("val")) if isinstance(tag, dict) else None
        if isinstance(number, Number):
            place[ours] = round(float(number), 7)
    return place


def main():
    with open("read.json") as file:
        ask = json.load(file)
    try:
        result, cut = read(ask)
        text = json.dumps(result, ensure_ascii=False, indent=2)
    except (RecursionError, MemoryError):
        refuse("large")
    # Lone surrogates are no text.
    data = text.encode("utf-8", "replace") + b"\n"
    if len(data) > ask["limits"]["bytes"]:
        refuse("large")
    with open(ask["out"], "wb") as out:
        out.write(data)
    print(json.dumps({"cut": cut}))


def read(ask):
    found = run_exiftool(ask)
    own = found.pop("ExifTool", {})
    found.pop("SourceFile", None)
    shaper = Shaper(ask)
    error = own.get("Error", {}).get("val", "") if isinstance(own.get("Error"), dict) else ""
    warning = own.get("Warning", {}).get("val", "") if isinstance(own.get("Warning"), dict) else ""
    if ask["format"] == "pdf" and re.search("password|encrypt", str(warning), re.I):
        refuse("locked", str(warning))
    parts = None
    if ask["parts"]:
        parts = read_parts(ask["file"], ask["format"])
        if parts is None:
            with open(ask["file"], "rb") as file:
                # Encrypted documents are packed into a container of another kind.
                refuse("sealed" if file.read(4) == b"\xd0\xcf\x11\xe0" else "damaged", "no document in it")
        # Of an archive ExifTool only sees the first file.
        found.pop("ZIP", None)
        for name in ("FileType", "FileTypeExtension", "MIMEType"):
            found.get("File", {}).pop(name, None)
    elif error and not ask.get("streams"):
        refuse("damaged", str(error))
    result = {group: shaper.group(tags) for group, tags in found.items() if isinstance(tags, dict)}
    if ask["media"]:
        result["File"] = {**result.get("File", {}), "MIMEType": ask["media"]}
    for group, tags in (parts or {}).items():
        result[group] = shaper.group(tags)
    place = find_place(found)
    if place:
        result["GPS"] = place
    for name in ("container", "streams", "pdf_a"):
        if ask.get(name):
            result[name] = shaper.value(name, ask[name])
    result = {group: tags for group, tags in result.items() if tags}
    return result, shaper.cut
`
