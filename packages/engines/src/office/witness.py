"""What LibreOffice would ask a person, if one were there."""
import uno
import unohelper
from com.sun.star.task import XInteractionAbort, XInteractionHandler


class Witness(unohelper.Base, XInteractionHandler):
    """Answers every question with no, and remembers what was asked."""

    def __init__(self):
        self.asked = []

    def handle(self, request):
        self.asked.append(type(request.getRequest()).__name__)
        abort = uno.getTypeByName(XInteractionAbort.__pyunointerface__)
        for choice in request.getContinuations():
            if choice.queryInterface(abort):
                choice.select()
                return

    @property
    def wants_password(self):
        return any("Password" in name for name in self.asked)
