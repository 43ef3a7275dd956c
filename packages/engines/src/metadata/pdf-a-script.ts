/**
 * `pdf_a.py`: reports which part of PDF/A (ISO 19005) a PDF claims to meet, and where it does not. These are Lathe's
 * own checks, based on the standard. They find the most frequent errors; finding none proves nothing.
 */
export const pdfAScript = String.raw`import json
import re
import sys
from xml.etree import ElementTree

import pikepdf
from pikepdf import Array, Dictionary, Object, Stream

PDFAID = "{http://www.aiim.org/pdfa/ns/id/}"
FORBIDDEN_ACTIONS = {"/Launch", "/ResetForm", "/ImportData", "/JavaScript", "/SetOCGState", "/Rendition", "/GoTo3DView"}
# Names that dictionaries of other kinds have too.
COMMON_ACTIONS = {"/Sound", "/Movie", "/Hide", "/Trans"}
FORBIDDEN_ANNOTATIONS = {"/Sound", "/Movie", "/Screen", "/3D", "/RichMedia"}
FORMS_OF_COLOR = {"/DeviceRGB": "RGB", "/DeviceCMYK": "CMYK", "/DeviceGray": "gray"}
MOST_PAGES = 2000
MOST_EXAMPLES = 5


class Report:
    """Problems by rule, each with how often it was found and a few places."""

    def __init__(self):
        self.problems = {}

    def add(self, rule, text, place=None):
        one = self.problems.setdefault(rule, {"rule": rule, "text": text, "count": 0, "places": []})
        one["count"] += 1
        if place and place not in one["places"] and len(one["places"]) < MOST_EXAMPLES:
            one["places"].append(str(place)[:100])


def name_of(value):
    return str(value) if isinstance(value, Object) and value._type_code == pikepdf.ObjectType.name_ else None


def dict_of(value):
    if isinstance(value, Stream):
        return value.stream_dict
    return value if isinstance(value, Dictionary) else None


def number_of(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def place_of(value):
    number, _ = value.objgen
    return f"object {number}" if number else None


def read_claim(pdf, report):
    """Part and level, of what the XMP metadata says."""
    stream = pdf.Root.get("/Metadata")
    if not isinstance(stream, Stream):
        report.add("metadata", "The document has no XMP metadata.")
        return None, None
    data = stream.read_bytes()
    if len(data) > 20_000_000 or b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        report.add("metadata", "The XMP metadata cannot be read.")
        return None, None
    try:
        root = ElementTree.fromstring(data.decode("utf-8", "replace").strip("\ufeff\0 \r\n\t"))
    except (ElementTree.ParseError, ValueError):
        report.add("metadata", "The XMP metadata are not valid XML.")
        return None, None
    found = {}
    for node in root.iter():
        for key in ("part", "conformance"):
            if node.get(PDFAID + key):
                found[key] = node.get(PDFAID + key)
            if node.tag == PDFAID + key and node.text:
                found[key] = node.text
    part = found.get("part", "").strip()
    level = found.get("conformance", "").strip().upper()
    if part not in {"1", "2", "3", "4"}:
        return None, None
    return int(part), level if re.fullmatch("[ABUEF]", level) else ""


def check_file(pdf, path, report):
    with open(path, "rb") as file:
        head = file.read(64)
    first, _, rest = head.partition(b"\n")
    first, _, other = first.partition(b"\r")
    if not re.fullmatch(rb"%PDF-[12]\.\d", first.strip()):
        report.add("header", "The file does not begin with its version, %PDF-1.n.")
    comment = other + rest
    if not (comment[:1] == b"%" and sum(1 for byte in comment[1:5] if byte > 127) == 4):
        report.add("header", "The second line is not a comment of four bytes above 127.")
    if "/ID" not in pdf.trailer:
        report.add("identifier", "The file has no identifier (ID) in its trailer.")


def check_catalog(pdf, part, level, report):
    root = pdf.Root
    if "/AA" in root:
        report.add("actions", "The document has actions that run by themselves.", "catalog")
    names = dict_of(root.get("/Names"))
    if names is not None and "/JavaScript" in names:
        report.add("actions", "The document has scripts.", "catalog")
    if part == 1 and names is not None and "/EmbeddedFiles" in names:
        report.add("attachments", "PDF/A-1 forbids attached files.")
    if part == 1 and "/OCProperties" in root:
        report.add("layers", "PDF/A-1 forbids layers.")
    form = dict_of(root.get("/AcroForm"))
    if form is not None:
        if form.get("/NeedAppearances") is True or str(form.get("/NeedAppearances")).lower() == "true":
            report.add("forms", "Form fields have no appearance of their own (NeedAppearances).")
        if "/XFA" in form:
            report.add("forms", "The document has an XFA form.")
    if "/Perms" in root and part in (2, 3):
        unknown = [key for key in dict_of(root.get("/Perms")) or {} if key not in ("/UR3", "/DocMDP")]
        if unknown:
            report.add("permissions", "The permissions of the document hold unknown entries.")
    if level == "A":
        mark = dict_of(root.get("/MarkInfo"))
        if mark is None or str(mark.get("/Marked")).lower() != "true":
            report.add("tags", "Level A requires a tagged document (MarkInfo).")
        if "/StructTreeRoot" not in root:
            report.add("tags", "Level A requires the structure of the document (StructTreeRoot).")


def profile_of(pdf, report):
    """The kind of color the output intent is for: RGB, CMYK or gray."""
    kinds = {b"RGB ": "RGB", b"CMYK": "CMYK", b"GRAY": "gray"}
    intents = pdf.Root.get("/OutputIntents")
    for intent in intents if isinstance(intents, Array) else []:
        intent = dict_of(intent)
        if intent is None or name_of(intent.get("/S")) != "/GTS_PDFA1":
            continue
        profile = intent.get("/DestOutputProfile")
        if not isinstance(profile, Stream):
            continue
        data = profile.read_bytes()
        kind = kinds.get(data[16:20])
        if kind is None or data[36:40] != b"acsp":
            report.add("output intent", "The color profile of the output intent is not valid.")
        return kind
    return None


def check_font(font, level, report):
    kind = name_of(font.get("/Subtype"))
    label = (name_of(font.get("/BaseFont")) or "/unnamed")[1:]
    if kind == "/Type3":
        return
    own = font
    if kind == "/Type0":
        below = font.get("/DescendantFonts")
        own = dict_of(below[0]) if isinstance(below, Array) and len(below) else None
    descriptor = dict_of(own.get("/FontDescriptor")) if own is not None else None
    if descriptor is None or not any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")):
        report.add("fonts", "A font is not embedded.", label)
    if level in ("A", "U") and "/ToUnicode" not in font and kind == "/Type0":
        encoding = name_of(font.get("/Encoding"))
        if encoding in (None, "/Identity-H", "/Identity-V"):
            report.add("text", f"Level {level} requires that every font can be mapped to Unicode (ToUnicode).", label)


def check_dictionary(value, part, report):
    place = place_of(value)
    action, is_action = name_of(value.get("/S")), name_of(value.get("/Type")) == "/Action"
    if action in FORBIDDEN_ACTIONS or (is_action and action in COMMON_ACTIONS):
        report.add("actions", f"Actions of the kind {action[1:]} are forbidden.", place)
    if name_of(value.get("/Type")) == "/ExtGState" or any(key in value for key in ("/ca", "/CA")):
        check_state(value, part, report, place)
    if part == 1:
        group = dict_of(value.get("/Group"))
        if group is not None and name_of(group.get("/S")) == "/Transparency":
            report.add("transparency", "PDF/A-1 forbids transparency.", place)
    if name_of(value.get("/Type")) == "/Filespec" and "/EF" in value:
        if part == 1:
            report.add("attachments", "PDF/A-1 forbids attached files.", place)
        if part == 3 and "/AFRelationship" not in value:
            report.add("attachments", "An attached file does not state its relationship to the document (AFRelationship).", place)


def check_state(value, part, report, place):
    if "/TR" in value or ("/TR2" in value and name_of(value.get("/TR2")) != "/Default"):
        report.add("graphics state", "A graphics state has a transfer function.", place)
    if part != 1:
        return
    if any((number_of(value.get(key)) or 1) < 1 for key in ("/ca", "/CA") if key in value):
        report.add("transparency", "PDF/A-1 forbids transparency.", place)
    if "/SMask" in value and name_of(value.get("/SMask")) != "/None":
        report.add("transparency", "PDF/A-1 forbids transparency.", place)
    if name_of(value.get("/BM")) not in (None, "/Normal", "/Compatible"):
        report.add("transparency", "PDF/A-1 forbids transparency.", place)


def check_stream(value, part, report):
    own = value.stream_dict
    place = place_of(value)
    filters = own.get("/Filter")
    for one in filters if isinstance(filters, Array) else [filters]:
        if name_of(one) == "/LZWDecode":
            report.add("compression", "LZW compression is forbidden.", place)
        if name_of(one) == "/JPXDecode" and part == 1:
            report.add("compression", "PDF/A-1 forbids JPEG 2000.", place)
        if name_of(one) == "/Crypt":
            report.add("compression", "A stream is encrypted by itself.", place)
    if any(key in own for key in ("/F", "/FFilter", "/FDecodeParms")):
        report.add("external data", "A stream has its data in another file.", place)
    kind = name_of(own.get("/Subtype"))
    if kind == "/PS" or name_of(own.get("/Subtype2")) == "/PS":
        report.add("PostScript", "PostScript inside a document is forbidden.", place)
    if kind == "/Image":
        if "/Alternates" in own or "/OPI" in own:
            report.add("images", "An image has alternates or refers to another file.", place)
        if str(own.get("/Interpolate")).lower() == "true":
            report.add("images", "An image asks for interpolation (Interpolate).", place)
        if part == 1 and "/SMask" in own and name_of(own.get("/SMask")) != "/None":
            report.add("transparency", "PDF/A-1 forbids transparency.", place)
    if kind == "/Form" and ("/OPI" in own or "/Ref" in own):
        report.add("external data", "A form XObject refers to another file.", place)


def check_annotation(value, number, part, report):
    kind = name_of(value.get("/Subtype")) or "/unknown"
    place = f"page {number}"
    if kind in FORBIDDEN_ANNOTATIONS or (kind == "/FileAttachment" and part == 1):
        report.add("annotations", f"An annotation of the kind {kind[1:]} is forbidden.", place)
    if kind == "/Popup":
        return
    flags = int(number_of(value.get("/F")) or 0)
    if not flags & 4 or flags & (2 | 1 | 32):
        report.add("annotations", "An annotation is hidden, or not printed.", place)
    if kind != "/Link" and "/AP" not in value:
        box = value.get("/Rect")
        sides = [number_of(one) or 0 for one in box] if isinstance(box, Array) and len(box) == 4 else [0, 0, 1, 1]
        if part == 1 or not (sides[0] == sides[2] and sides[1] == sides[3]):
            report.add("annotations", "An annotation has no appearance of its own (AP).", place)
    if "/AA" in value:
        report.add("actions", "An annotation has actions that run by themselves.", place)


def colors_of(page):
    """The kinds of color that depend on the device, in the content of a page and in its resources."""
    found = set()
    operators = {"rg": "RGB", "RG": "RGB", "k": "CMYK", "K": "CMYK", "g": "gray", "G": "gray"}
    try:
        for operands, operator in pikepdf.parse_content_stream(page, "rg RG k K g G cs CS"):
            if str(operator) in operators:
                found.add(operators[str(operator)])
            elif len(operands) and name_of(operands[0]) in FORMS_OF_COLOR:
                found.add(FORMS_OF_COLOR[name_of(operands[0])])
    except pikepdf.PdfError:
        pass
    resources = dict_of(page.obj.get("/Resources"))
    images = dict_of(resources.get("/XObject")) if resources is not None else None
    for _, image in images.items() if images is not None else []:
        if isinstance(image, Stream) and name_of(image.get("/ColorSpace")) in FORMS_OF_COLOR:
            found.add(FORMS_OF_COLOR[name_of(image.get("/ColorSpace"))])
    spaces = dict_of(resources.get("/ColorSpace")) if resources is not None else None
    defaults = {"/DefaultRGB": "RGB", "/DefaultCMYK": "CMYK", "/DefaultGray": "gray"}
    return found - {kind for key, kind in defaults.items() if spaces is not None and key in spaces}


def check_pages(pdf, part, report):
    intent = profile_of(pdf, report)
    for number, page in enumerate(pdf.pages, 1):
        if number > MOST_PAGES:
            break
        if "/AA" in page.obj:
            report.add("actions", "A page has actions that run by themselves.", f"page {number}")
        annotations = page.obj.get("/Annots")
        for annotation in annotations if isinstance(annotations, Array) else []:
            if isinstance(annotation, Dictionary):
                check_annotation(annotation, number, part, report)
        for kind in colors_of(page):
            # Gray is part of every profile.
            fits = intent is not None and (kind == intent or kind == "gray")
            if not fits:
                report.add("color", f"A page has {kind} colors, and no output intent or profile says what they are.",
                           f"page {number}")


def inside(start):
    """A value and all that is written inside it."""
    todo = [start]
    while todo:
        value = todo.pop()
        yield value
        own = dict_of(value)
        children = [child for _, child in own.items()] if own is not None else list(value) if isinstance(value, Array) else []
        todo.extend(child for child in children if isinstance(child, Object) and not child.is_indirect)


def check_objects(pdf, part, level, report):
    for value in (one for start in pdf.objects for one in inside(start)):
        own = dict_of(value)
        if own is None:
            continue
        if isinstance(value, Stream):
            check_stream(value, part, report)
        check_dictionary(own, part, report)
        # The fonts below one of several parts are checked with it.
        is_part = name_of(own.get("/Subtype")) in ("/CIDFontType0", "/CIDFontType2")
        if name_of(own.get("/Type")) == "/Font" and not is_part:
            check_font(own, level, report)


def check(path, report):
    """The part and level that the file claims, and the part it was checked against."""
    with pikepdf.open(path) as pdf:
        part, level = read_claim(pdf, report)
        # What claims nothing, or a newer part, is held against the part that most programs write.
        against = part if part in (1, 2, 3) else 2
        if part is None:
            report.add("claim", "The document does not claim to be PDF/A (pdfaid:part in its XMP metadata).")
        check_file(pdf, path, report)
        check_catalog(pdf, against, level, report)
        check_objects(pdf, against, level, report)
        check_pages(pdf, against, report)
    return (f"PDF/A-{part}{level.lower()}" if part else None), against


def main():
    path, was_locked = sys.argv[1], sys.argv[2] == "locked"
    report = Report()
    if was_locked:
        report.add("encryption", "The document is encrypted.")
    try:
        claim, against = check(path, report)
    except pikepdf.PdfError:
        report.add("structure", "The file is damaged, and could not be checked further.")
        claim, against = None, 2
    problems = list(report.problems.values())
    print(json.dumps({"claims": claim, "checked_as": f"PDF/A-{against}", "problems": problems}))
`
