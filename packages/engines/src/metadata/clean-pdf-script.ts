/**
 * `clean.py`: removes the metadata of objects inside a PDF: XMP, private data of programs, thumbnails. ExifTool handles
 * the metadata of the document itself.
 */
export const cleanPdfScript = `import sys

import pikepdf
from pikepdf import Array, Dictionary, Stream

KEYS = ("/Metadata", "/PieceInfo", "/Thumb")


def clean(value, is_root=False, depth=0):
    if isinstance(value, (Dictionary, Stream)):
        for key in KEYS:
            # The metadata of the document itself is ExifTool's work.
            if key in value and not (is_root and key == "/Metadata"):
                del value[key]
        inner = [value[key] for key in value.keys()]
    elif isinstance(value, Array):
        inner = list(value)
    else:
        return
    for one in inner:
        # Objects with a number of their own come by themselves.
        if depth < 20 and isinstance(one, pikepdf.Object) and not one.is_indirect:
            clean(one, False, depth + 1)


def main():
    source, target = sys.argv[1:3]
    try:
        with pikepdf.open(source) as pdf:
            root = pdf.Root.objgen
            for one in pdf.objects:
                clean(one, isinstance(one, Dictionary) and one.objgen == root)
            pdf.save(target)
    except pikepdf.PdfError as error:
        sys.stderr.write(repr(error)[:500])
        sys.exit(3)
`
