"""Opens a document by the filter that is named, with everything off that a document could ask for."""
import uno  # noqa: F401 - makes the names of com.sun.star importable
from com.sun.star.lang import DisposedException

import csv_filter
from encryption import is_encrypted
from filters import FILTERS
from refusal import damaged, encrypted
from uno_values import properties

NEVER = 0


class Loader:
    """Opens documents; `desktop` and `detection` are LibreOffice's services of these names."""

    def __init__(self, desktop, detection):
        self.desktop = desktop
        self.detection = detection

    def load(self, path, source, is_read_only=True):
        wanted = {
            "Hidden": True,
            "ReadOnly": is_read_only,
            "MacroExecutionMode": NEVER,
            "UpdateDocMode": NEVER,
            # A template is opened as a new document without an address, and links of those are trusted.
            "AsTemplate": False,
        }
        if "csv" in source:
            wanted["FilterOptions"] = csv_filter.reading(path, source["csv"])
        elif "options" in source:
            wanted["FilterOptions"] = source["options"]
        if "password" in source:
            wanted["Password"] = source["password"]
        document, detail = self.open(path, source["filter"], wanted)
        if document is not None:
            return document
        # A fault inside may have ended LibreOffice: then nothing is said about the document.
        self.check_alive()
        if is_encrypted(path):
            raise encrypted("password" in source)
        other = self.detect(path, source)
        if other is not None:
            document, detail = self.open(path, other, wanted)
            if document is not None:
                return document
        self.check_alive()
        raise damaged(source["format"], detail)

    def check_alive(self):
        """Raises if LibreOffice is gone."""
        self.desktop.supportsService("com.sun.star.frame.Desktop")

    def open(self, path, filter_name, wanted):
        """The document, or nothing and why."""
        try:
            given = properties({"FilterName": filter_name, **wanted})
            return self.desktop.loadComponentFromURL(f"file://{path}", "_blank", 0, given), "nothing was loaded"
        except DisposedException:
            raise
        except Exception as error:
            return None, str(error)

    def detect(self, path, source):
        """What LibreOffice takes the file for, as long as its own program reads that."""
        allowed = FILTERS.get(source.get("program"), ())
        if not allowed:
            return None
        try:
            _, found = self.detection.queryTypeByDescriptor(properties({"URL": f"file://{path}", "ReadOnly": True}), True)
        except DisposedException:
            raise
        except Exception:
            return None
        names = [one.Value for one in found if one.Name == "FilterName"]
        return names[0] if names and names[0] in allowed else None
