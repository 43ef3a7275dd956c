"""One file in, one file out, by filters that the plan names: LibreOffice guesses nothing."""
import os
import re

import uno  # noqa: F401 - makes the names of com.sun.star importable
from com.sun.star.lang import DisposedException

import csv_filter
from guard_zip import guard_zip
from inert import make_inert
from layout import activate_sheet, lay_out
from office import PREPARED, service
from refusal import Refusal, beyond, damaged, encrypted
from uno_values import nested, properties
from witness import Witness

NEVER = 0
PLAIN_NAME = re.compile(r"^[a-z]{1,8}-\d{1,6}\.[a-z0-9]{1,8}$")


class Converter:
    def __init__(self, context):
        self.desktop = service(context, "frame.Desktop")

    def convert(self, folder, request, progress):
        source, target, limits = request["input"], request["output"], request["limits"]
        path = locate(folder, source["file"])
        if source["isZip"]:
            guard_zip(path, source["format"], limits["zip"])
        document = self.load(path, source)
        try:
            progress(0.4)
            if "pdf" not in target:
                make_inert(document)
            lay_out(document, request["layout"])
            check_pages(document, limits["pages"])
            self.store(document, locate(folder, target["file"]), target)
            return {"warnings": []}
        finally:
            document.close(True)

    def load(self, path, source):
        witness = Witness()
        wanted = {
            "FilterName": source["filter"],
            "Hidden": True,
            "ReadOnly": True,
            "MacroExecutionMode": NEVER,
            "UpdateDocMode": NEVER,
            "InteractionHandler": witness,
        }
        if "csv" in source:
            wanted["FilterOptions"] = csv_filter.reading(path, source["csv"])
        if "password" in source:
            wanted["Password"] = source["password"]
        document, detail = None, "nothing was loaded"
        try:
            document = self.desktop.loadComponentFromURL(f"file://{path}", "_blank", 0, properties(wanted))
        except DisposedException:
            raise
        except Exception as error:
            detail = str(error)
        if document is not None:
            return document
        if witness.wants_password:
            raise encrypted("password" in source)
        raise damaged(source["format"], f"{detail}; asked: {witness.asked}")

    def store(self, document, path, target):
        wanted = {"FilterName": target["filter"], "Overwrite": True}
        if "csv" in target:
            activate_sheet(document, target["csv"]["sheet"])
            wanted["FilterOptions"] = csv_filter.writing(target["csv"])
        if "options" in target:
            wanted["FilterOptions"] = target["options"]
        if "password" in target:
            wanted["Password"] = target["password"]
        if "pdf" in target:
            wanted["FilterData"] = nested(target["pdf"])
        try:
            document.storeToURL(f"file://{path}", properties(wanted))
        except DisposedException:
            raise
        except Exception as error:
            raise Refusal("engine_crashed", None, f"it could not be written: {error}") from error

    def warm_up(self):
        """Loads what nearly every call needs, with a document of our own."""
        source = {"filter": "MS Word 2007 XML", "format": "docx"}
        document = self.load(f"{PREPARED}/../warm-0.docx", source)
        self.store(document, "/tmp/warm-0.pdf", {"filter": "writer_pdf_Export"})
        document.close(True)


def check_pages(document, limit):
    if getattr(document, "DrawPages", None) is not None and not hasattr(document, "Text"):
        pages = document.DrawPages.Count
    else:
        pages = getattr(document.CurrentController, "PageCount", 0)
    if pages > limit:
        raise beyond("pages", limit)


def locate(folder, name):
    # Plans name files `in-0.docx`; anything else is a fault on our side and must not become a path.
    if not PLAIN_NAME.match(name):
        raise Refusal("engine_crashed", None, "bad file name")
    return os.path.join(folder, name)
