/**
 * `book.py`: makes one clean page of an EPUB, a FictionBook, a Kindle book, or the HTML that Pandoc made of a text.
 * Reports on standard output what was left out.
 */
export const bookScript = String.raw`import json
import sys

from lxml import etree

from epub import read_epub
from fb2 import read_fb2
from inert import DATA_IMAGE, LINK, body_of, clean_css, clean_tree, local, parse_html, styles_of, refuse, to_html, write_page
from kindle import read_kindle
from text import decode

# The whole page is the cover. Without one, the text needs a margin, because the paper has none.
COVER_CSS = "\n.lathe-cover img { position: fixed; inset: 0; width: 100%; height: 100%; max-height: none; object-fit: contain; }"
TEXT_CSS = "\nbody { margin: 15mm; }"


def is_relative(url):
    return ":" not in url.split("/", 1)[0] and not url.startswith(("//", "\\\\"))


def read_html(path, limits, remote):
    """What Pandoc made: only what an author wrote as HTML needs cleaning."""
    with open(path, "rb") as file:
        root = parse_html(decode(file.read(limits["bytes"])))
    title = next((one.text or "" for one in root.iter() if local(one.tag) == "title"), "")
    warnings = set()

    def source(url):
        if DATA_IMAGE.match(url):
            return url
        if url.lower().startswith(("http://", "https://")):
            warnings.add("remote")
            return url if remote else None
        warnings.add("missing")
        # An image of the author's folder is found again once the page is stored next to it.
        return url if remote and is_relative(url) else None

    def link(url):
        return url if LINK.match(url) or is_relative(url) else None

    css = clean_css(styles_of(root), lambda url: None)
    inner = body_of(root)
    for box in list(inner.iter("input")):
        if box.get("type") == "checkbox":
            box.tag, box.text = "span", "\u2612 " if "checked" in box.attrib else "\u2610 "
    clean_tree(inner, source, link, css=lambda url: None)
    return {"title": " ".join(title.split()), "author": "", "date": "", "language": "", "parts": [inner], "css": css, "header": None,
            "warnings": warnings}


def contents(parts):
    """A list of the headings, each a link to its place."""
    nav = etree.Element("nav", {"class": "lathe-contents"})
    items = etree.SubElement(nav, "ul")
    count = 0
    for part in parts:
        for element in part.iter("h1", "h2", "h3"):
            text = " ".join("".join(element.itertext()).split())
            if not text or count >= 2000:
                continue
            count += 1
            if not element.get("id"):
                element.set("id", "lathe-h" + str(count))
            item = etree.SubElement(items, "li", {"style": "margin-left: " + str((int(element.tag[1]) - 1) * 1.2) + "em"})
            link = etree.SubElement(item, "a", {"href": "#" + element.get("id")})
            link.text = text
    return nav if count else None


def first_page(book):
    """What represents a book: its cover, or else its title and first chapter."""
    if book["cover"] is not None:
        return [book["cover"]], COVER_CSS
    return [*([book["header"]] if book["header"] is not None else []), *book["parts"][:1]], TEXT_CSS


def make_page():
    with open("book.json", encoding="utf-8") as file:
        ask = json.load(file)
    readers = {"epub": read_epub, "fb2": read_fb2, "mobi": read_kindle, "html": lambda *given: read_html(*given, ask["remote"])}
    book = readers[ask["kind"]](ask["input"], ask["limits"])
    header = [book["header"]] if ask["titled"] and book["header"] is not None else []
    nav = contents(book["parts"]) if ask["contents"] else None
    parts, css = first_page(book) if ask["first"] else ([*header, *([nav] if nav is not None else []), *book["parts"]], "")
    write_page(ask["output"], [to_html(part) for part in parts], title=book["title"], author=book["author"],
               date=book["date"], language=book["language"], css=ask["css"] + book["css"] + css, remote=ask["remote"],
               limit=ask["limits"]["page"], untitled=ask["untitled"])
    print(json.dumps({"warnings": sorted(book["warnings"])}))


def main():
    try:
        make_page()
    except (RecursionError, etree.LxmlError) as error:
        sys.stderr.write(repr(error))
        refuse("damaged")
`
