"""Opens a document by the filter that is named, with everything off that a document could ask for."""
import uno  # noqa: F401 - makes the names of com.sun.star importable
from com.sun.star.lang import DisposedException

import csv_filter
from encryption import is_encrypted
from refusal import damaged, encrypted
from uno_values import properties

NEVER = 0


def load(desktop, path, source, is_read_only=True):
    wanted = {
        "FilterName": source["filter"],
        "Hidden": True,
        "ReadOnly": is_read_only,
        "MacroExecutionMode": NEVER,
        "UpdateDocMode": NEVER,
    }
    if "csv" in source:
        wanted["FilterOptions"] = csv_filter.reading(path, source["csv"])
    if "password" in source:
        wanted["Password"] = source["password"]
    document, detail = None, "nothing was loaded"
    try:
        document = desktop.loadComponentFromURL(f"file://{path}", "_blank", 0, properties(wanted))
    except DisposedException:
        raise
    except Exception as error:
        detail = str(error)
    if document is not None:
        return document
    if is_encrypted(path):
        raise encrypted("password" in source)
    raise damaged(source["format"], detail)
