/** `epub.py`: joins the chapters of an EPUB into one page, in order, with their images, fonts and style sheets. */
export const epubScript = String.raw`import base64
import posixpath
import re
import zipfile
import zlib
from urllib.parse import unquote, urlsplit

from lxml import etree

from inert import (DATA_IMAGE, LINK, body_of, clean_css, clean_tree, image_type, local, parse_html, refuse, styles_of,
                   to_html)
from text import decode, parse_xml

PAGES = re.compile(r"\.(x?html?|xml)$", re.IGNORECASE)
FONTS = re.compile(r"\.(otf|ttf|woff2?)$", re.IGNORECASE)


class Epub:
    def __init__(self, path, limits):
        self.limits = limits
        self.warnings = set()
        try:
            self.zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            refuse("damaged")
        entries = self.zip.infolist()
        total = sum(entry.file_size for entry in entries)
        packed = sum(entry.compress_size for entry in entries)
        if len(entries) > limits["entries"]:
            refuse("files")
        if total > limits["bytes"]:
            refuse("unpacked")
        if total > limits["freeBytes"] and total > packed * limits["ratio"]:
            refuse("bomb")
        if any(entry.flag_bits & 1 for entry in entries):
            refuse("locked")
        self.names = {entry.filename: entry for entry in entries}
        self.lower = {name.lower(): name for name in self.names}
        self.locked = self.find_locked()
        self.addresses = {}

    def read(self, name):
        """An entry's bytes; what a broken archive still gives of them."""
        name = name if name in self.names else self.lower.get(name.lower(), name)
        if name not in self.names or name in self.locked:
            return None
        try:
            return self.zip.read(self.names[name])
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
            self.warnings.add("parts")
            return None

    def xml(self, name):
        content = self.read(name)
        try:
            return parse_xml(content) if content else None
        except etree.XMLSyntaxError:
            return None

    def find_locked(self):
        """Entries only a shop's reader can open."""
        self.locked = set()
        found = self.xml("META-INF/encryption.xml")
        names = [one.get("URI") for one in found.iter() if local(one.tag) == "CipherReference"] if found is not None else []
        return {unquote(name) for name in names if name}

    def open_package(self):
        container = self.xml("META-INF/container.xml")
        named = [one.get("full-path") for one in container.iter() if local(one.tag) == "rootfile"] if container is not None else []
        for name in [*named, *(name for name in self.names if name.lower().endswith(".opf"))]:
            package = self.xml(name) if name else None
            if package is not None:
                return name, package
        return "", None

    def open(self):
        """Finds the chapters and what the book says of itself."""
        self.package, package = self.open_package()
        self.items, self.chapters, self.title, self.author, self.language, self.cover = {}, [], "", "", "", None
        self.date = ""
        if package is not None:
            self.read_package(package)
        if not self.chapters:
            self.chapters = sorted(name for name in self.names if PAGES.search(name) and "META-INF" not in name)
        if self.chapters and all(name in self.locked for name in self.chapters):
            refuse("locked")
        self.places = {name: n for n, name in enumerate(self.chapters)}

    def read_package(self, package):
        spine, cover, authors = [], None, []
        for one in package.iter():
            name = local(one.tag)
            if name == "item" and one.get("href"):
                self.items[one.get("id")] = self.path(self.package, one.get("href"))
                if "cover-image" in (one.get("properties") or "").split():
                    cover = one.get("id")
            elif name == "itemref":
                spine.append(one.get("idref"))
            elif name == "meta" and one.get("name") == "cover":
                cover = cover or one.get("content")
            elif name == "title" and not self.title:
                self.title = " ".join((one.text or "").split())
            elif name == "creator":
                authors.append(" ".join((one.text or "").split()))
            elif name == "date" and not self.date:
                self.date = (one.text or "").strip()
            elif name == "language" and not self.language:
                self.language = (one.text or "").strip()
        found = [self.items[one] for one in spine if one in self.items]
        real = [self.lower.get(name.lower(), name) for name in found]
        self.chapters = list(dict.fromkeys(name for name in real if name in self.names))
        self.author = ", ".join(one for one in authors if one)
        self.cover = self.items.get(cover)

    def path(self, base, href):
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(urlsplit(href).path)))
        return re.sub(r"^/*(\.\./)*", "", joined)

    def address(self, name):
        """An image or font as an address that holds all of it."""
        if name not in self.addresses:
            content = self.read(name)
            kind = None
            if content:
                kind = "font/" + FONTS.search(name).group(1).lower() if FONTS.search(name) else image_type(content)
            data = "data:" + kind + ";base64," + base64.b64encode(content).decode("ascii") if kind else None
            self.addresses[name] = data
        return self.addresses[name]

    def source(self, base):
        def find(url):
            if DATA_IMAGE.match(url):
                return url
            if re.match(r"^(https?:)?//", url, re.IGNORECASE):
                self.warnings.add("remote")
                return None
            try:
                return self.address(self.path(base, url)) if url and not url.startswith("#") else None
            except ValueError:
                return None
        return find

    def link(self, base, n):
        def find(url):
            if LINK.match(url):
                return url
            if re.match(r"^[a-z][a-z0-9+.-]*:", url, re.IGNORECASE):
                return None
            try:
                path, fragment = urlsplit(url).path, urlsplit(url).fragment
            except ValueError:
                return None
            place = n if path == "" else self.places.get(self.path(base, path))
            if place is None:
                return None
            return "#c" + str(place) + ("-" + fragment if fragment else "")
        return find

    def parts(self):
        """Every chapter as a clean element, and the style sheets of all."""
        sheets, chapters = {}, []
        for n, name in enumerate(self.chapters):
            content = self.read(name)
            if content is None:
                self.warnings.add("parts")
                continue
            if image_type(content) and not PAGES.search(name):
                chapters.append(self.image_page(name))
                continue
            root = parse_page(content)
            for sheet, text in self.sheets(root, name):
                sheets.setdefault(sheet, text)
            inner = body_of(root)
            prefix = "c" + str(n) + "-"
            clean_tree(inner, self.source(name), self.link(name, n), anchor=lambda given: prefix + given)
            chapter = etree.Element("section", {"class": "lathe-chapter", "id": "c" + str(n)})
            chapter.append(inner)
            chapters.append(chapter)
        cover = self.cover_page()
        if cover is not None and chapters and not any(one.tag in ("img", "image") for one in chapters[0].iter()):
            chapters.insert(0, cover)
        return [one for one in chapters if one is not None], "\n".join(sheets.values())

    def cover_page(self):
        return self.image_page(self.cover) if self.cover else None

    def image_page(self, name):
        address = self.address(name)
        if not address:
            return None
        chapter = etree.Element("section", {"class": "lathe-chapter lathe-cover"})
        chapter.append(etree.Element("img", {"src": address, "alt": "Cover"}))
        return chapter

    def sheets(self, root, base):
        for one in root.iter():
            name = local(one.tag).lower()
            if name == "link" and "stylesheet" in (one.get("rel") or "").lower() and "alternate" not in (one.get("rel") or ""):
                path = self.path(base, one.get("href") or "")
                content = self.read(path)
                if content:
                    yield path, sheet(decode(content), self.source(path))
        own = styles_of(root)
        if own.strip():
            yield own, sheet(own, self.source(base))


def sheet(text, resolve):
    # Sheets of paper are chosen by the options.
    return re.sub(r"@page[^{]*\{[^}]*\}", "", clean_css(text, resolve), flags=re.IGNORECASE)


def parse_page(content):
    """A chapter is XML; one that is not is read as browsers read HTML."""
    try:
        return parse_xml(content, recover=False)
    except etree.XMLSyntaxError:
        return parse_html(decode(content))


def title_page(book):
    """What the book says of itself, for formats that have no other place for it."""
    header = etree.Element("header")
    for kind, name, text in (("h1", "title", book.title), ("p", "author", book.author), ("p", "date", book.date)):
        if text:
            line = etree.SubElement(header, kind, {"class": "lathe-" + name})
            line.text = text
    return header if len(header) else None


def read_epub(path, limits):
    book = Epub(path, limits)
    book.open()
    chapters, css = book.parts()
    if not chapters:
        refuse("locked" if book.locked else "damaged")
    return {"title": book.title, "author": book.author, "date": book.date, "language": book.language, "parts": chapters, "css": css,
            "header": title_page(book), "cover": book.cover_page(), "warnings": book.warnings}
`
