/** `fb2.py`: converts a FictionBook to HTML. */
export const fb2Script = `import base64
import copy
import io
import re
import zipfile

from lxml import etree

from inert import LINK, image_type, local, refuse
from text import parse_xml

BLOCKS = {"section": "section", "p": "p", "subtitle": "h6", "text-author": "p", "v": "p", "poem": "div", "stanza": "div",
          "epigraph": "blockquote", "cite": "blockquote", "annotation": "div", "date": "p", "table": "table", "tr": "tr",
          "th": "th", "td": "td", "body": "section", "code": "code"}
INLINES = {"emphasis": "em", "strong": "strong", "strikethrough": "del", "sub": "sub", "sup": "sup", "style": "span"}
CELL = ("colspan", "rowspan", "align", "valign")


def read_file(path, limits):
    with open(path, "rb") as file:
        content = file.read(limits["bytes"] + 1)
    if content[:2] == b"PK":
        content = unpack(content, limits)
    if len(content) > limits["bytes"]:
        refuse("unpacked")
    return content


def unpack(content, limits):
    """Books of this kind often come in a ZIP archive of their own."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        entry = next(one for one in archive.infolist() if one.filename.lower().endswith(".fb2"))
        if entry.file_size > limits["bytes"]:
            refuse("unpacked")
        return archive.read(entry)
    except (zipfile.BadZipFile, StopIteration, RuntimeError, OSError, NotImplementedError, EOFError):
        refuse("damaged")


class Fb2:
    def __init__(self, root):
        self.root = root
        self.binaries = {one.get("id"): one for one in root.iter() if local(one.tag) == "binary"}
        self.addresses = {}
        self.warnings = set()

    def text(self, parent, name):
        found = next((one for one in parent.iter() if local(one.tag) == name), None)
        return " ".join("".join(found.itertext()).split()) if found is not None else ""

    def describe(self):
        info = next((one for one in self.root.iter() if local(one.tag) == "title-info"), None)
        if info is None:
            return {"title": "", "author": "", "date": "", "language": ""}
        people = [one for one in info if local(one.tag) == "author"]
        names = [" ".join(self.text(one, part) for part in ("first-name", "middle-name", "last-name")) for one in people]
        names = [" ".join((name if name.strip() else self.text(one, "nickname")).split()) for name, one in zip(names, people)]
        return {"title": self.text(info, "book-title"), "author": ", ".join(name for name in names if name),
                "date": self.text(info, "date"), "language": self.text(info, "lang")}

    def image(self, element):
        reference = next((value for name, value in element.attrib.items() if local(name) == "href"), "").strip()
        if reference.startswith("#"):
            reference = reference[1:]
        elif re.match(r"^https?:", reference):
            self.warnings.add("remote")
        if reference not in self.addresses:
            binary = self.binaries.get(reference)
            content = from_base64(binary.text or "") if binary is not None else b""
            kind = image_type(content)
            data = base64.b64encode(content).decode("ascii")
            self.addresses[reference] = "data:" + kind + ";base64," + data if kind else None
        address = self.addresses[reference]
        if address is None:
            if reference in self.binaries:
                self.warnings.add("parts")
            return None
        return etree.Element("img", {"src": address, "alt": element.get("alt") or element.get("title") or ""})

    def convert(self, element, depth):
        """One element with all below it. Sections may lie as deep as they like, so there is no recursion."""
        result = self.start(element, depth)
        if result is None:
            return None
        todo = [(element, result, depth)]
        while todo:
            source, target, level = todo.pop()
            append_text(target, source.text)
            for child in source:
                if not isinstance(child.tag, str):
                    append_text(target, child.tail)
                    continue
                below = level + 1 if local(child.tag) == "section" else level
                made = self.start(child, below)
                if made is not None:
                    target.append(made)
                    if local(child.tag) not in ("title", "image", "empty-line"):
                        todo.append((child, made, below))
                append_text(target, child.tail)
        return result

    def start(self, element, depth):
        name = local(element.tag)
        if name == "title":
            return self.heading(element, depth)
        if name == "image":
            return self.image(element)
        if name == "empty-line":
            return etree.Element("br")
        if name == "a":
            return self.link(element)
        if name in INLINES:
            return etree.Element(INLINES[name])
        made = etree.Element(BLOCKS.get(name, "span"))
        if element.get("id"):
            made.set("id", "n-" + element.get("id"))
        if name in ("poem", "stanza", "v", "text-author", "epigraph", "annotation", "date"):
            made.set("class", "lathe-" + name)
        if name in ("td", "th"):
            for attribute in CELL:
                if element.get(attribute):
                    made.set(attribute, element.get(attribute))
        return made

    def heading(self, element, depth):
        made = etree.Element("h" + str(min(max(depth, 1), 6)))
        for n, line in enumerate(one for one in element if isinstance(one.tag, str)):
            inner = self.convert(line, depth)
            if inner is None:
                continue
            if n > 0:
                made.append(etree.Element("br"))
            inner.tag = inner.tag if inner.tag in ("img", "br") else "span"
            made.append(inner)
        append_text(made, element.text)
        return made

    def link(self, element):
        href = next((value for name, value in element.attrib.items() if local(name) == "href"), "").strip()
        made = etree.Element("a")
        if href.startswith("#"):
            made.set("href", "#n-" + href[1:])
        elif LINK.match(href):
            made.set("href", href)
        if element.get("type") == "note":
            made.set("class", "lathe-note")
        return made


def from_base64(text):
    letters = re.sub(r"[^A-Za-z0-9+/]", "", text)
    return base64.b64decode(letters[:len(letters) // 4 * 4] + (letters[len(letters) // 4 * 4:] + "===")[:4] if len(letters) % 4 > 1
                            else letters[:len(letters) // 4 * 4])


def append_text(target, text):
    if not text or target is None:
        return
    if len(target):
        target[-1].tail = (target[-1].tail or "") + text
    else:
        target.text = (target.text or "") + text


def read_fb2(path, limits):
    try:
        root = parse_xml(read_file(path, limits))
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        refuse("damaged")
    book = Fb2(root)
    about = book.describe()
    header = etree.Element("header", {"class": "lathe-chapter lathe-cover"})
    covers = [image for page in root.iter() if local(page.tag) == "coverpage" for image in page if isinstance(image.tag, str)]
    for cover in covers[:1]:
        made = book.image(cover)
        if made is not None:
            header.append(made)
    parts = [header] if len(header) else []
    title = etree.Element("header")
    for kind, name in (("h1", "title"), ("p", "author"), ("p", "date")):
        if about[name]:
            line = etree.SubElement(title, kind, {"class": "lathe-" + name})
            line.text = about[name]
    info = next((one for one in root.iter() if local(one.tag) == "title-info"), None)
    note = next((one for one in info if local(one.tag) == "annotation"), None) if info is not None else None
    if note is not None:
        parts.append(book.convert(note, 1))
    bodies = [one for one in root if isinstance(one.tag, str) and local(one.tag) == "body"]
    for body in bodies:
        parts.append(book.convert(body, 1))
    if not bodies:
        refuse("damaged")
    return {**about, "parts": parts, "css": "", "header": title if len(title) else None,
            "cover": copy.deepcopy(header) if len(header) else None, "warnings": book.warnings}
`
