/**
 * Rewrites a PDF with pikepdf: removes active content and references to other files, empties pages that are in the file
 * but not in the document, and moves the edges of pages. It checks every object, not only the places where such content
 * should be. Reports as JSON what it removed and, if requested, the number of pages and which is the longest.
 */
export const tidyScript = `import json
import math
import re
import sys

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

# What opens, runs, sends or fetches something. Moving within the document, showing and hiding are harmless.
ACTIVE = {"/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToE", "/GoToR", "/Rendition", "/Movie",
          "/Sound", "/RichMediaExecute"}
MEDIA = {"/RichMedia", "/Movie", "/Screen", "/Sound", "/3D"}
# What is left of sound, video and 3D: the image that stands for it on the page.
LOOK = {"/Type", "/Rect", "/AP", "/AS", "/F", "/P", "/OC"}
LINKS = re.compile(rb"^(https?:|mailto:|ftp:|tel:|#|[^:]*$)", re.IGNORECASE)

ask = {}
found = {"scripts": 0, "attachments": 0, "media": 0, "signatures": 0}


def count(kind, dictionary, key):
    if key in dictionary:
        del dictionary[key]
        found[kind] += 1


def is_named(value, names):
    return isinstance(value, Object) and value._type_code == pikepdf.ObjectType.name_ and str(value) in names


def is_active(action):
    if not isinstance(action, Dictionary):
        return False
    if is_named(action.get("/S"), ACTIVE):
        return True
    uri = action.get("/URI")
    return uri is not None and not LINKS.match(bytes(uri).strip())


def clean(dictionary, keys):
    for key in keys & {"/AA", "/JavaScript", "/JS", "/XFA"}:
        count("scripts", dictionary, key)
    for key in keys & {"/A", "/PA", "/OpenAction", "/Next"}:
        value = dictionary[key]
        if is_active(value) or (isinstance(value, Array) and any(is_active(one) for one in value)):
            count("scripts", dictionary, key)
    if keys & {"/S", "/URI"} and is_active(dictionary):
        for key in list(dictionary.keys()):
            del dictionary[key]
        found["scripts"] += 1
    if not ask["keepAttachments"]:
        for key in keys & {"/EF", "/EmbeddedFiles", "/AF", "/Collection"}:
            count("attachments", dictionary, key)
    if "/FT" in keys and is_named(dictionary.get("/FT"), {"/Sig"}):
        count("signatures", dictionary, "/V")
    if "/Annots" in keys:
        drop_annotations(dictionary)


def drop_annotations(page):
    annotations = page.get("/Annots")
    if isinstance(annotations, Array):
        wanted = [one for one in annotations if not is_unwanted(one)]
        if len(wanted) < len(annotations):
            page["/Annots"] = Array(wanted)


def is_unwanted(annotation):
    if not isinstance(annotation, Dictionary):
        return False
    if is_named(annotation.get("/Subtype"), MEDIA):
        found["media"] += 1
        return not becomes_image(annotation)
    return not ask["keepAttachments"] and is_named(annotation.get("/Subtype"), {"/FileAttachment"})


def becomes_image(annotation):
    looks = annotation.get("/AP")
    if not isinstance(looks, Dictionary) or "/N" not in looks:
        return False
    for key in annotation.keys() - LOOK:
        del annotation[key]
    for key in looks.keys() - {"/N"}:
        del looks[key]
    annotation["/Subtype"] = Name.Stamp
    return True


def clean_stream(stream):
    # Data that lies in another file is none of this document.
    for key in ("/F", "/FFilter", "/FDecodeParms", "/Ref", "/OPI"):
        if key in stream.stream_dict:
            del stream.stream_dict[key]


def walk(start):
    todo = [start]
    while todo:
        value = todo.pop()
        if isinstance(value, Stream):
            clean_stream(value)
            value = value.stream_dict
        if isinstance(value, Dictionary):
            clean(value, value.keys())
            children = [child for _, child in value.items()]
        elif isinstance(value, Array):
            children = list(value)
        else:
            continue
        todo.extend(child for child in children if isinstance(child, Object) and not child.is_indirect)


def inherited(page, name):
    node, depth = page.obj, 0
    while isinstance(node, Dictionary) and depth < 100:
        if name in node:
            return node[name]
        node, depth = node.get("/Parent"), depth + 1
    return None


def crop(page):
    left, bottom, right, top = (float(side) for side in page.cropbox)
    left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
    x, y, across, up = (ask["crop"][name] for name in ("x", "y", "width", "height"))
    turn = int(inherited(page, "/Rotate") or 0) % 360
    shown = (right - left, top - bottom) if turn % 180 == 0 else (top - bottom, right - left)
    width = min(across or shown[0], shown[0] - x)
    height = min(up or shown[1], shown[1] - y)
    box = {
        0: (left + x, top - y - height, left + x + width, top - y),
        90: (left + y, bottom + x, left + y + height, bottom + x + width),
        180: (right - x - width, bottom + y, right - x, bottom + y + height),
        270: (right - y - height, top - x - width, right - y, top - x),
    }[turn]
    for name in ("/MediaBox", "/CropBox"):
        page.obj[name] = Array([round(side, 4) for side in box])
    for name in ("/BleedBox", "/TrimBox", "/ArtBox"):
        if name in page.obj:
            del page.obj[name]


def empty_strays(pdf):
    shown = {page.obj.objgen for page in pdf.pages}
    for value in pdf.objects:
        if isinstance(value, Dictionary) and is_named(value.get("/Type"), {"/Page"}) and value.objgen not in shown:
            for key in ("/Contents", "/Resources", "/Annots", "/Thumb", "/PieceInfo"):
                if key in value:
                    del value[key]


def measure(pdf):
    longest = 0
    for number, page in enumerate(pdf.pages, 1):
        left, bottom, right, top = (float(side) for side in page.cropbox)
        side = max(abs(right - left), abs(top - bottom))
        if side > longest:
            longest = side
            found["longest"] = number
    found["pages"] = len(pdf.pages)
    found["points"] = math.ceil(longest)


def main():
    source, target, asked = sys.argv[1:4]
    with open(asked) as file:
        ask.update(json.load(file))
    with pikepdf.open(source) as pdf:
        if "/Perms" in pdf.Root:
            del pdf.Root["/Perms"]
        for value in pdf.objects:
            walk(value)
        empty_strays(pdf)
        if ask["measure"]:
            measure(pdf)
        if ask["crop"]:
            wanted = set(ask["pages"])
            for number, page in enumerate(pdf.pages, 1):
                if number in wanted:
                    crop(page)
        pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    print(json.dumps(found))
`
