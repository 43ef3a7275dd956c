"""Writes a document by the filter that is named."""
import os
import tempfile

import uno  # noqa: F401 - makes the names of com.sun.star importable
from com.sun.star.lang import DisposedException

import csv_filter
from layout import check_sheet
from refusal import Refusal
from uno_values import nested, properties


def store(document, path, target):
    if "csv" in target:
        return store_sheet(document, path, target)
    wanted = {"FilterName": target["filter"], "Overwrite": True}
    if "options" in target:
        wanted["FilterOptions"] = target["options"]
    if "password" in target:
        wanted["Password"] = target["password"]
    if "pdf" in target:
        wanted["FilterData"] = nested(target["pdf"])
    if target["filter"].startswith("Text") and document.supportsService("com.sun.star.text.TextDocument"):
        end_with_paragraph(document)
    write(document, path, wanted, target)


def end_with_paragraph(document):
    """LibreOffice writes the last cell as text for ever where a table is the end of a document."""
    last = None
    for last in document.Text:
        pass
    if last is not None and last.supportsService("com.sun.star.text.TextTable"):
        document.Text.insertTextContentAfter(document.createInstance("com.sun.star.text.Paragraph"), last)


def store_sheet(document, path, target):
    """LibreOffice puts the name of a sheet that was asked for into the file's name, so the file is looked for."""
    check_sheet(document, target["csv"]["sheet"])
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        wanted = {"FilterName": target["filter"], "FilterOptions": csv_filter.writing(target["csv"])}
        write(document, os.path.join(folder, "sheet.csv"), wanted, target)
        for name in os.listdir(folder):
            os.replace(os.path.join(folder, name), path)


def write(document, path, wanted, target):
    try:
        document.storeToURL(f"file://{path}", properties(wanted))
    except DisposedException:
        raise
    except Exception as error:
        # A document whose LibreOffice has ended does not answer: then this raises, and nothing is said about pages.
        document.supportsService("com.sun.star.document.OfficeDocument")
        if "PageRange" in target.get("pdf", {}):
            raise Refusal("unsupported", "The option pages names no page that is there.", str(error)) from error
        raise Refusal("engine_crashed", None, f"it could not be written: {error}") from error
