/** `msg.py`: reads Outlook messages (MS-OXMSG), including those attached to them. */
export const msgScript = String.raw`import datetime
import re
import struct

import olefile

from rtf import read_rtf
from text import decode, known

MAX_DEPTH = 10
CLASSES = {"IPM.Contact": "Contact", "IPM.Appointment": "Appointment", "IPM.Task": "Task", "IPM.StickyNote": "Note",
           "IPM.Post": "Post", "IPM.Activity": "Journal entry", "IPM.DistList": "Distribution list"}
DETAILS = ((0x3001, "Name"), (0x3A16, "Company"), (0x3A17, "Title"), (0x3A08, "Business phone"), (0x3A09, "Home phone"),
           (0x3A1C, "Mobile"), (0x3A24, "Fax"), (0x3A15, "Address"))


class Storage:
    """One message, recipient or attachment of the file: its properties by number."""

    def __init__(self, ole, path, header):
        self.ole, self.path = ole, path
        self.fixed = self.read_fixed(header)
        self.streams = {}
        for entry in ole.listdir(streams=True, storages=False):
            if entry[:-1] == path:
                found = re.match(r"^__substg1\.0_([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})$", entry[-1])
                if found:
                    self.streams.setdefault(int(found.group(1), 16), (int(found.group(2), 16), entry))
        pages = [self.fixed.get(one, (0, b""))[1] for one in (0x3FFD, 0x3FDE)]
        numbers = [struct.unpack("<I", one[:4])[0] for one in pages if len(one) >= 4]
        self.page = next((one for one in numbers if one), 0)

    def stream(self, entry):
        try:
            return self.ole.openstream(entry).read()
        except Exception:
            return b""

    def read_fixed(self, header):
        content = self.stream([*self.path, "__properties_version1.0"])
        properties = {}
        for at in range(header, len(content) - 15, 16):
            tag, _ = struct.unpack("<II", content[at:at + 8])
            properties[tag >> 16] = (tag & 0xFFFF, content[at + 8:at + 16])
        return properties

    def codec(self):
        name = "utf-8" if self.page == 65001 else "cp" + str(self.page) if self.page else ""
        return name if name and known(name) else None

    def text(self, number):
        kind, entry = self.streams.get(number, (0, None))
        if entry is None:
            return ""
        content = self.stream(entry)
        text = content.decode("utf-16-le", "replace") if kind == 0x1F else decode(content, self.codec())
        return text.replace("\0", "").strip() if number != 0x1000 else text.replace("\0", "")

    def binary(self, number):
        _, entry = self.streams.get(number, (0, None))
        return self.stream(entry) if entry else b""

    def integer(self, number):
        kind, value = self.fixed.get(number, (0, b""))
        return struct.unpack("<i", value[:4])[0] if kind in (2, 3, 11) and len(value) >= 4 else None

    def time(self, number):
        kind, value = self.fixed.get(number, (0, b""))
        if kind != 0x40:
            return ""
        ticks = struct.unpack("<Q", value)[0]
        try:
            moment = datetime.datetime(1601, 1, 1) + datetime.timedelta(microseconds=ticks // 10)
        except OverflowError:
            return ""
        return moment.strftime("%a, %d %b %Y %H:%M:%S +0000") if moment.year > 1601 and moment.year < 4500 else ""

    def below(self, prefix):
        names = {entry[len(self.path)] for entry in self.ole.listdir(streams=True, storages=True)
                 if len(entry) > len(self.path) and entry[:len(self.path)] == self.path}
        return sorted(name for name in names if name.startswith(prefix))


def person(name, address):
    if address and address.startswith("/"):
        address = ""
    if name and address and name.lower() != address.lower():
        return name + " <" + address + ">"
    return name or address


def header_line(headers, name):
    found = re.search(r"(?im)^" + name + r":[ \t]*(.*(?:\r?\n[ \t]+.*)*)", headers)
    return re.sub(r"\r?\n[ \t]+", " ", found.group(1)).strip() if found else ""


def headers_of(message):
    from mime import to_text
    raw = message.text(0x7D)
    sender = person(message.text(0x0C1A) or message.text(0x42),
                    message.text(0x5D01) or message.text(0x5D02) or message.text(0x0C1F) or message.text(0x65))
    people = {1: [], 2: [], 3: []}
    for name in message.below("__recip_version1.0_"):
        one = Storage(message.ole, [*message.path, name], 8)
        one.page = one.page or message.page
        kind = one.integer(0x0C15)
        found = person(one.text(0x3001), one.text(0x39FE) or one.text(0x3003))
        if found:
            people.setdefault(kind if kind in people else 1, []).append(found)
    kind = next((label for name, label in CLASSES.items() if message.text(0x1A).startswith(name)), "")
    date = message.time(0x39) or header_line(raw, "Date") or message.time(0x0E06) or message.time(0x3007)
    rows = [("From", sender or to_text(header_line(raw, "From"))),
            ("To", ", ".join(people[1]) or message.text(0x0E04) or to_text(header_line(raw, "To"))),
            ("Cc", ", ".join(people[2]) or message.text(0x0E03)), ("Bcc", ", ".join(people[3]) or message.text(0x0E02)),
            ("Date", date), ("Start", message.time(0x60)), ("End", message.time(0x61)),
            ("Subject", message.text(0x37) or message.text(0x70) or to_text(header_line(raw, "Subject"))), ("Type", kind)]
    if kind == "Contact":
        rows += [(label, message.text(number)) for number, label in DETAILS]
    return [(name, value) for name, value in rows if value]


def html_text(message):
    kind, entry = message.streams.get(0x1013, (0, None))
    if entry is None:
        return ""
    content = message.stream(entry)
    if kind == 0x1F:
        return content.decode("utf-16-le", "replace").replace("\0", "")
    # What the page says of itself first, then what the message says.
    declared = re.search(rb"charset\s*=\s*[\"']?([\w-]{1,40})", content[:4096], re.IGNORECASE)
    name = declared.group(1).decode("ascii") if declared and known(declared.group(1).decode("ascii")) else message.codec()
    return decode(content, name).replace("\0", "")


def blocks_of(message):
    plain = message.text(0x1000)
    rest = [("plain", plain)] if plain.strip() else []
    page = html_text(message)
    if page.strip():
        return [("html", page), *rest]
    packed = message.binary(0x1009)
    kind, text = read_rtf(packed) if packed else ("text", "")
    if kind == "html" and text.strip():
        return [("html", text), *rest]
    if plain.strip():
        return [("text", plain)]
    return [("text", text)] if text.strip() else []


def attachment(message, name, depth):
    one = Storage(message.ole, [*message.path, name], 8)
    one.page = one.page or message.page
    given = one.text(0x3707) or one.text(0x3704) or one.text(0x3001)
    inner = "__substg1.0_3701000D"
    made = {"name": given, "content": one.binary(0x3701), "cid": one.text(0x3712).strip("<> "), "location": one.text(0x3713),
            "type": one.text(0x370E)}
    if inner in one.below(inner) and one.integer(0x3705) in (5, None) and depth < MAX_DEPTH:
        made["message"] = read_message(message.ole, [*one.path, inner], 24, depth + 1, message.page)
        made["content"] = b""
    return made


def read_message(ole, path, header, depth, page=0):
    message = Storage(ole, path, header)
    message.page = message.page or page
    names = message.below("__attach_version1.0_")
    return {"headers": headers_of(message), "blocks": blocks_of(message),
            "attachments": [attachment(message, name, depth) for name in names]}


def read_msg(path):
    ole = olefile.OleFileIO(path, raise_defects=olefile.DEFECT_FATAL)
    return read_message(ole, [], 32, 0)
`
