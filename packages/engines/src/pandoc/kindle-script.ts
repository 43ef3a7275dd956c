/** `kindle.py`: converts a Kindle book to clean HTML: the older format, the newer one (KF8), and plain texts. */
export const kindleScript = String.raw`import base64
import bisect
import copy
import html
import re
import zlib

from lxml import etree

from epub import parse_page, sheet, title_page
from inert import DATA_IMAGE, LINK, body_of, clean_css, clean_tree, image_type, local, parse_html, refuse, styles_of
from mobi import NONE, Header, Records, font_of, number, read_text
from text import decode

BOOK, TEXT = b"BOOKMOBI", b"TEXtREAd"
FILEPOS = re.compile(rb"<a\b[^>]{0,400}?\sfilepos\s*=\s*[\"']?0*(\d{1,10})", re.IGNORECASE)
POSITION = re.compile(rb"kindle:pos:fid:([0-9A-V]{1,6}):off:([0-9A-V]{1,12})")
RESOURCE = re.compile(r"^kindle:(embed|flow):([0-9A-V]{1,6})", re.IGNORECASE)
FONTS = ((b"OTTO", "font/otf"), (b"\0\1\0\0", "font/ttf"), (b"true", "font/ttf"), (b"wOFF", "font/woff"))
HTML = re.compile(rb"<(html|body|p)\b", re.IGNORECASE)
OWN = re.compile(r"^lathe-p\d+$")
MARKS = 100_000


class Book:
    def __init__(self, path, limits):
        self.limits, self.warnings = limits, set()
        self.records = Records(path, limits)
        if self.records.kind not in (BOOK, TEXT):
            refuse("damaged")
        first = Header(self.records, 0)
        self.header, self.first_image = first, first.first_image
        newer = first.value(121)
        if first.version < 8 and newer != NONE and self.records[newer][16:20] == b"MOBI":
            # The same book a second time, as newer readers show it. Images are stored with the older one.
            self.header = Header(self.records, newer)
        self.title, self.author = first.title() or self.records.name(), ", ".join(one for one in first.words(100) if one)
        self.date, self.language = "".join(first.words(106)[:1]), "".join(first.words(524)[:1])
        self.addresses, self.flows = {}, []

    def record(self, place):
        """A record by its place in the part of the file that the header is about."""
        return self.records[self.header.start + place] if place != NONE else b""

    def address(self, n):
        """An image or font by its number, as an address that holds all of it."""
        if n not in self.addresses:
            content = self.records[self.first_image + n - 1] if n > 0 and self.first_image != NONE else b""
            kind = image_type(content)
            if content[:4] == b"FONT":
                try:
                    content = font_of(content, self.limits["page"])
                except (ValueError, zlib.error):
                    content = b""
                kind = next((name for start, name in FONTS if content.startswith(start)), None)
            if not kind:
                self.warnings.add("parts")
            data = base64.b64encode(content).decode("ascii")
            self.addresses[n] = "data:" + kind + ";base64," + data if kind else None
        return self.addresses[n]

    def source(self, url):
        if DATA_IMAGE.match(url):
            return url
        found = RESOURCE.match(url)
        if found and found.group(1).lower() == "embed":
            return self.address(int(found.group(2), 32))
        if found:
            flow = self.flow(int(found.group(2), 32))
            return "data:image/svg+xml;base64," + base64.b64encode(flow).decode("ascii") if b"<svg" in flow[:2000] else None
        if re.match(r"^recindex:\d{1,6}$", url):
            return self.address(int(url[9:]))
        if re.match(r"^(https?:)?//", url, re.IGNORECASE):
            self.warnings.add("remote")
        return None

    def flow(self, n):
        return self.flows[n] if 0 < n < len(self.flows) else b""

    def cover(self):
        place = self.header.value(201)
        place = place if place != NONE else Header(self.records, 0).value(201)
        address = self.address(place + 1) if place < 65536 else None
        if not address or not address.startswith("data:image"):
            return None
        chapter = etree.Element("section", {"class": "lathe-chapter lathe-cover"})
        chapter.append(etree.Element("img", {"src": address, "alt": "Cover"}))
        return chapter


def link(url):
    return url if LINK.match(url) or url.startswith("#lathe-p") else None


def with_marks(content, marks):
    """The text with an anchor before each of these places, or before the tag that a place is in."""
    body = re.search(rb"<body\b[^>]*>", content, re.IGNORECASE)
    least = body.end() if body else 0
    pieces, done = [], 0
    for place, name in sorted(marks)[:MARKS]:
        if not least <= place <= len(content):
            continue
        open_at, close_at = content.rfind(b"<", done, place), content.rfind(b">", done, place)
        at = open_at if open_at > close_at else place
        # Not within a character.
        while at < len(content) and content[at] & 0xC0 == 0x80:
            at += 1
        pieces += [content[done:at], b'<a id="lathe-p' + str(name).encode() + b'"></a>']
        done = at
    return b"".join([*pieces, content[done:]])


def old_parts(book, raw):
    """Books of the older kind are one page of HTML with tags of their own."""
    places = {int(found) for found in FILEPOS.findall(raw)}
    raw = with_marks(raw, [(place, place) for place in places])
    raw = re.sub(rb"(\s)filepos\s*=\s*[\"']?0*(\d{1,10})[\"']?", rb'\1href="#lathe-p\2"', raw, flags=re.IGNORECASE)
    raw = re.sub(rb"(\s)(?:hi|lo)?recindex\s*=\s*[\"']?0*(\d{1,6})[\"']?", rb'\1src="recindex:\2"', raw, flags=re.IGNORECASE)
    raw = re.sub(rb"<\s*mbp:pagebreak\b[^>]*>(?:\s*</\s*mbp:pagebreak\s*>)?", rb'<div style="page-break-before: always"></div>',
                 raw, flags=re.IGNORECASE)
    root = parse_html(raw.decode(book.header.encoding, "replace"))
    css = clean_css(styles_of(root), lambda url: None)
    inner = body_of(root)
    clean_tree(inner, book.source, link)
    return [inner], css


def plain_parts(raw):
    """A text without marks; lines are paragraphs."""
    text = decode(raw.replace(b"\0", b""))
    inner = parse_html("".join("<p>" + html.escape(line) + "</p>" for line in text.splitlines() if line.strip()))
    return [body_of(inner)], ""


def read_index(book, place):
    """The entries of an index: a name, and numbers by their tag."""
    main = book.record(place)
    if main[:4] != b"INDX":
        raise ValueError("no index")
    tags_at = number(main, 4)
    if main[tags_at:tags_at + 4] != b"TAGX":
        raise ValueError("no tags")
    controls = number(main, tags_at + 8)
    tags = [tuple(main[at:at + 4]) for at in range(tags_at + 12, tags_at + min(number(main, tags_at + 4), len(main)), 4)]
    entries = []
    for n in range(1, min(number(main, 24), 4096) + 1):
        record = book.record(place + n)
        starts_at, count = number(record, 20), number(record, 24)
        for entry in range(min(count, 65536)):
            at = number(record, starts_at + 4 + 2 * entry, 2)
            size = number(record, at, 1)
            name = record[at + 1:at + 1 + size].decode("utf-8", "replace")
            entries.append((name, read_tags(record, at + 1 + size, controls, tags)))
    return entries


def variable(record, at):
    """A number of seven bits a byte; the last has its high bit set."""
    value = 0
    for n in range(4):
        byte = number(record, at + n, 1)
        value = value << 7 | byte & 0x7F
        if byte & 0x80:
            return value, at + n + 1
    return value, at + 4


def read_tags(record, start, controls, tags):
    at, control, wanted = start + controls, start, []
    for tag in tags:
        if len(tag) < 4 or tag[3] == 1:
            control += 1
            continue
        kind, each, mask, _ = tag
        bits = number(record, control, 1) & mask
        if bits == mask and mask & (mask - 1):
            # More than fit into the bits: the bytes they take come first.
            size, at = variable(record, at)
            wanted.append((kind, None, size))
        elif bits:
            wanted.append((kind, (bits // (mask & -mask)) * each, None))
    found = {}
    for kind, count, size in wanted:
        values, end = [], at + (size or 0)
        while (len(values) < count) if count is not None else (at < end):
            value, at = variable(record, at)
            values.append(value)
        found[kind] = values
    return found


def read_flows(book, raw):
    """The text, and behind it style sheets and drawings, each by its number."""
    record = book.record(book.header.field(192))
    if record[:4] != b"FDST":
        return [raw]
    count = min(number(record, 8), 65536)
    pairs = [(number(record, 12 + 8 * n), number(record, 16 + 8 * n)) for n in range(count)]
    return [raw[start:end] for start, end in pairs] or [raw]


def assemble(book):
    """The files of a newer book. Each is a skeleton whose parts follow it in the text: where each begins, and its content."""
    raw = book.flows[0]
    skeletons, fragments = read_index(book, book.header.field(252)), read_index(book, book.header.field(248))
    inserts = [int(name) if name.strip().isdecimal() else 0 for name, _ in fragments]
    files, place = [], 0
    for _, tags in skeletons:
        count, (start, size) = tags[1][0], tags[6][:2]
        content, at = raw[start:start + size], start + size
        for n in range(place, min(place + count, len(fragments))):
            length = fragments[n][1][6][1]
            to = max(0, inserts[n] - start)
            content = content[:to] + raw[at:at + length] + content[to:]
            at += length
        place += count
        files.append((start, content))
    return files, inserts


def new_parts(book, raw):
    book.flows = read_flows(book, raw)
    files, inserts = assemble(book)
    starts = [start for start, _ in files]
    marks = {}
    for _, content in files:
        for fragment, offset in POSITION.findall(content):
            n = int(fragment, 32)
            if n < len(inserts) and len(marks) < MARKS:
                marks[(fragment, offset)] = inserts[n] + int(offset, 32)
    by_file = {}
    for place in set(marks.values()):
        by_file.setdefault(bisect.bisect_right(starts, place) - 1, []).append((place, place))

    def find_link(url):
        found = POSITION.search(url.encode("utf-8", "replace"))
        place = marks.get(found.groups()) if found else None
        return "#lathe-p" + str(place) if place is not None else link(url)

    sheets, chapters = {}, []
    for n, (start, content) in enumerate(files):
        own = [(place - start, name) for place, name in by_file.get(n, [])]
        root = parse_page(with_marks(content, own))
        for name, text in sheets_of(book, root):
            sheets.setdefault(name, text)
        inner, prefix = body_of(root), "c" + str(n) + "-"
        clean_tree(inner, book.source, find_link, anchor=lambda given: given if OWN.match(given) else prefix + given)
        chapter = etree.Element("section", {"class": "lathe-chapter", "id": "c" + str(n)})
        chapter.append(inner)
        chapters.append(chapter)
    return chapters, "\n".join(sheets.values())


def sheets_of(book, root):
    for one in root.iter():
        if local(one.tag).lower() == "link" and "stylesheet" in (one.get("rel") or "").lower():
            found = RESOURCE.match(one.get("href") or "")
            if found and found.group(1).lower() == "flow":
                n = int(found.group(2), 32)
                yield n, sheet(decode(book.flow(n)), book.source)
    own = styles_of(root)
    if own.strip():
        yield own, sheet(own, book.source)


def read_kindle(path, limits):
    try:
        book = Book(path, limits)
        raw = read_text(book.records, book.header, book.limits, book.warnings)
        if book.header.is_mobi and book.header.version >= 8:
            parts, css = new_parts(book, raw)
        else:
            parts, css = old_parts(book, raw) if book.header.is_mobi or HTML.search(raw[:4096]) else plain_parts(raw)
        if not any("".join(part.itertext()).strip() or part.find(".//img") is not None for part in parts):
            refuse("damaged")
        cover = book.cover()
    except (ValueError, KeyError, IndexError, TypeError):
        refuse("damaged")
    if cover is not None and not any(one.tag in ("img", "image") for one in list(parts[0].iter())[:200]):
        parts.insert(0, cover)
    return {"title": book.title, "author": book.author, "date": book.date, "language": book.language, "parts": parts, "css": css,
            "header": title_page(book), "cover": copy.deepcopy(cover), "warnings": book.warnings}
`
