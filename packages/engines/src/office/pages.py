"""How many pages a document has, and whether that is too many."""
import mmap
import re
import zipfile
import zlib

from layout import numbers
from refusal import beyond

PAGE_TREE = re.compile(rb"/Type\s*/Pages\b[^>]*?/Count\s+(\d+)|/Count\s+(\d+)[^>]*?/Type\s*/Pages\b", re.DOTALL)
# Of the end of a PDF: LibreOffice writes the tree of pages after them.
TAIL = 64 * 1024 * 1024


# Where a show lists its slides, and what stands before each.
SLIDES = {"ppt/presentation.xml": b"<p:sldId ", "content.xml": b"<draw:page "}
CHUNK = 1024 * 1024


def check_slides(path, limit):
    """Before a show is opened: that takes seconds for each thousand slides."""
    try:
        with zipfile.ZipFile(path) as archive:
            counts = [count_marks(archive, part, mark) for part, mark in SLIDES.items() if part in archive.namelist()]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error):
        # Whether it is too damaged is LibreOffice's to say.
        return
    if counts and max(counts) > limit:
        raise beyond("pages", limit)


def count_marks(archive, part, mark):
    found, rest = 0, b""
    with archive.open(part) as stream:
        while chunk := stream.read(CHUNK):
            found += (rest + chunk).count(mark)
            # A mark may lie across two chunks, and none is counted twice: the rest is shorter than it.
            rest = chunk[1 - len(mark) :]
    return found


def check_pages(document, limit, ranges):
    """Before anything is written, where the document knows."""
    pages = count_pages(document)
    if pages is None:
        return
    if pages > limit:
        raise beyond("pages", limit)
    if ranges:
        numbers(ranges, pages, "pages", "page")


def count_pages(document):
    """How many pages there are; nobody knows of sheets before they are printed."""
    if document.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
        return None
    if document.supportsService("com.sun.star.text.GenericTextDocument"):
        return document.CurrentController.PageCount
    return document.DrawPages.Count


def check_printed(path, limit):
    """After a PDF was written: sheets tell only now."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        counts = [int(one or other) for one, other in PAGE_TREE.findall(content, max(0, len(content) - TAIL))]
    if counts and max(counts) > limit:
        raise beyond("pages", limit)
