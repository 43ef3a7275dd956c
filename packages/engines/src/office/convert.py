"""One file in, one file out, by filters that the plan names: LibreOffice guesses nothing."""
import os
import re
import shutil

import open_office_1
from encryption import is_compound, is_zip
from guard_zip import guard_zip
from html_dates import without_dates
from inert import make_inert
from layout import lay_out
from load import Loader
from office import PREPARED, service
from pages import check_pages, check_printed, check_slides
from refusal import Refusal
from store import store

PLAIN_NAME = re.compile(r"^[a-z]{1,8}-\d{1,6}\.[a-z0-9]{1,8}$")


class Converter:
    def __init__(self, context):
        self.loader = Loader(service(context, "frame.Desktop"), service(context, "document.TypeDetection"))

    def convert(self, folder, request, progress):
        source, target, limits = request["input"], request["output"], request["limits"]
        path = locate(folder, source["file"])
        # An encrypted package is no zip yet: then the limits on memory and time are the only guards.
        if (source["isZip"] and not is_compound(path)) or ("program" in source and is_zip(path)):
            guard_zip(path, source["format"], limits["zip"])
            check_slides(path, limits["pages"])
        document = self.open(folder, path, request)
        try:
            progress(0.4)
            self.write(document, locate(folder, target["file"]), request)
        finally:
            document.close(True)
        return {"warnings": []}

    def open(self, folder, path, request):
        source = request["input"]
        is_only_read = "pdf" in request["output"] and not request["layout"]
        # Documents print the names of their files in headers and fields, and ours means nothing to their owners.
        named = os.path.join(folder, f"document{os.path.splitext(path)[1]}")
        if os.path.lexists(named):
            os.remove(named)
        if source["format"] == "html":
            copy_page(path, named)
        elif source["format"] in open_office_1.FORMATS:
            open_office_1.rewrite(path, named, source["format"])
        elif is_only_read:
            os.symlink(os.path.basename(path), named)
        else:
            # A document can be changed only where its file could be, and the input is not ours to write.
            shutil.copyfile(path, named)
        return self.loader.load(named, source, is_read_only=is_only_read)

    def write(self, document, path, request):
        target, most = request["output"], request["limits"]["pages"]
        if "pdf" not in target:
            make_inert(document)
            return store(document, path, target)
        lay_out(document, request["layout"])
        check_pages(document, most, target["pdf"].get("PageRange"))
        store(document, path, target)
        check_printed(path, most)

    def warm_up(self):
        """Loads what nearly every call needs, with a document of our own."""
        document = self.loader.load(f"{PREPARED}/../warm-0.docx", {"filter": "MS Word 2007 XML", "format": "docx"})
        store(document, "/tmp/warm-0.pdf", {"filter": "writer_pdf_Export", "pdf": {}})
        document.close(True)


def copy_page(path, copy):
    with open(path, "rb") as page, open(copy, "wb") as file:
        file.write(without_dates(page.read()))


def locate(folder, name):
    # Plans name files `in-0.docx`; anything else is a fault on our side and must not become a path.
    if not PLAIN_NAME.match(name):
        raise Refusal("engine_crashed", None, "bad file name")
    return os.path.join(folder, name)
