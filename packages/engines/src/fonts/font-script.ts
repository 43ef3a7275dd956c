/**
 * `font.py`: writes a font in another container format, and converts its curves to TrueType if the target supports no
 * others.
 */
export const fontScript = String.raw`import sys

from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

MAGIC = (b"\0\1\0\0", b"OTTO", b"true", b"ttcf", b"wOFF", b"wOF2")


def to_truetype(font):
    """Cubic curves become quadratic ones, at most a thousandth of the em away."""
    glyphs = font.getGlyphSet()
    order = font.getGlyphOrder()
    made = {}
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, font["head"].unitsPerEm / 1000, reverse_direction=True))
        made[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = glyf = newTable("glyf")
    glyf.glyphOrder = order
    glyf.glyphs = made
    for name in ("CFF ", "CFF2", "VORG"):
        if name in font:
            del font[name]
    glyf.compile(font)
    maxp = font["maxp"]
    maxp.tableVersion = 0x00010000
    maxp.maxZones = 1
    for name in ("maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
                 "maxSizeOfInstructions", "maxComponentElements"):
        setattr(maxp, name, 0)
    maxp.compile(font)
    font["post"].formatType = 2.0
    font["post"].extraNames = []
    font["post"].mapping = {}
    font.sfntVersion = "\0\1\0\0"


def convert(source, target, kind):
    font = TTFont(source, fontNumber=0, lazy=False, recalcTimestamp=False)
    font.ensureDecompiled(recurse=False)
    if kind == "ttf" and "glyf" not in font:
        to_truetype(font)
    font.flavor = kind if kind in ("woff", "woff2") else None
    font.save(target)


def main():
    source, target, kind = sys.argv[1:4]
    with open(source, "rb") as file:
        if file.read(4) not in MAGIC:
            sys.exit(3)
    try:
        convert(source, target, kind)
    except MemoryError:
        raise
    except Exception as error:
        # Much of what is wrong with a font shows only when it is drawn or written.
        sys.stderr.write(repr(error)[:500])
        sys.exit(3)
`
