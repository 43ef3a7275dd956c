/** `parts.py`: reads the metadata parts of office documents and books. */
export const partsScript = String.raw`import re
import zipfile
import zlib
from xml.parsers import expat

# A part of metadata is a page long; more is an attack.
PART_BYTES = 1024 * 1024
VALUES = 2000

OOXML = (("docProps/core.xml", "Core"), ("docProps/app.xml", "App"), ("docProps/custom.xml", "Custom"))


class Refused(Exception):
    pass


def leaves(data):
    """The elements with text of an XML document, by local name, with their attributes. No entity of its own is expanded."""
    found, open_now = [], []
    parser = expat.ParserCreate()

    def refuse(*_):
        raise Refused()

    def start(name, attributes):
        if len(open_now) > 50:
            raise Refused()
        open_now.append([name.rpartition(":")[2], attributes, []])

    def end(_):
        name, attributes, text = open_now.pop()
        found.append((name, attributes, "".join(text).strip(), open_now[-1] if open_now else None))
        if len(found) > VALUES:
            raise Refused()

    def characters(text):
        if open_now:
            open_now[-1][2].append(text)

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, characters
    parser.Parse(data, True)
    return found


def add(tags, name, value):
    name = re.sub(r"[^\w.-]", "", name)[:100]
    if value == "" or name == "":
        return
    if name not in tags:
        tags[name] = value
    elif isinstance(tags[name], list):
        tags[name].append(value)
    else:
        tags[name] = [tags[name], value]


def upper(name):
    return name[:1].upper() + name[1:]


def read_part(archive, name):
    try:
        info = archive.getinfo(name)
    except KeyError:
        return b""
    if info.flag_bits & 1:
        return b""
    with archive.open(info) as part:
        return part.read(PART_BYTES)


def read_ooxml(archive):
    groups = {}
    for part, group in OOXML:
        tags = {}
        label = ""
        for name, attributes, text, parent in leaves_of(archive, part):
            if group == "Custom":
                # A property holds its value in an element named by its type, which ends before it.
                if name == "property":
                    add(tags, attributes.get("name", ""), label)
                    label = ""
                else:
                    label = text or label
            elif parent is not None and parent[0] in ("coreProperties", "Properties"):
                add(tags, upper(name), text)
        groups["OOXML" + ("" if group == "Core" else group)] = tags
    return groups


def read_odf(archive):
    tags = {}
    for name, attributes, text, parent in leaves_of(archive, "meta.xml"):
        if parent is None or parent[0] != "meta":
            continue
        if name == "user-defined":
            add(tags, attributes.get("meta:name", ""), text)
        elif name == "document-statistic":
            for key, value in attributes.items():
                add(tags, upper(key.rpartition(":")[2]), int(value) if re.fullmatch(r"\d{1,15}", value) else value)
        else:
            add(tags, upper(name), text)
    return {"ODF": tags}


def read_epub(archive):
    package = ""
    for name, attributes, _, _ in leaves_of(archive, "META-INF/container.xml"):
        if name == "rootfile":
            package = attributes.get("full-path", "")
            break
    tags = {}
    for name, attributes, text, parent in leaves_of(archive, package):
        if parent is None or parent[0] != "metadata":
            continue
        if name == "meta":
            add(tags, attributes.get("property") or attributes.get("name", ""), text or attributes.get("content", ""))
        else:
            add(tags, upper(name), text)
    return {"EPUB": tags}


def leaves_of(archive, part):
    data = read_part(archive, part) if part else b""
    if not data:
        return []
    try:
        return leaves(data)
    except (Refused, expat.ExpatError):
        return []


def read_parts(file, kind):
    """Metadata by group, or None for what is no such document."""
    try:
        with zipfile.ZipFile(file) as archive:
            if kind == "epub":
                return read_epub(archive)
            return read_odf(archive) if kind.startswith("o") else read_ooxml(archive)
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        return None
`
