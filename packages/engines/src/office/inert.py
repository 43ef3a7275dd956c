"""Takes out of a document whatever would run where it is opened next."""
import uno

from uno_values import nested


def make_inert(document):
    for name in ("BasicLibraries", "DialogLibraries"):
        libraries = getattr(document, name, None)
        if libraries is not None:
            empty(libraries)
    unbind(getattr(document, "Events", None))
    drop_scripts(document)


def empty(libraries):
    for name in libraries.ElementNames:
        libraries.loadLibrary(name)
        library = libraries.getByName(name)
        for module in library.ElementNames:
            library.removeByName(module)


def unbind(events):
    for event in events.ElementNames if events else ():
        if events.getByName(event):
            uno.invoke(events, "replaceByName", (event, nested({})))


def drop_scripts(document):
    """Scripts of a web page are kept as fields of the text."""
    fields = getattr(document, "TextFields", None)
    if fields is None:
        return
    found = [field for field in iterate(fields) if field.supportsService("com.sun.star.text.TextField.Script")]
    for field in found:
        field.dispose()


def iterate(fields):
    enumeration = fields.createEnumeration()
    while enumeration.hasMoreElements():
        yield enumeration.nextElement()
