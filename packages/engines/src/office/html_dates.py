"""Web pages without the dates they give themselves.

LibreOffice 25.2 ends itself over a date it cannot read, where a page is loaded over UNO: `content="00:00:00"`, which it
writes itself for a document without dates, is one.
"""
import re

DATE = re.compile(rb"""<meta\b[^<>]{0,500}\bname\s{0,9}=\s{0,9}["']?(?:created|changed)\b[^<>]{0,500}>""", re.IGNORECASE)


def without_dates(page):
    return DATE.sub(b"", page)
