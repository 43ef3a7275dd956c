/** `watermark.py`: draws an image over pages of a PDF, upright as the page is shown. */
export const watermarkScript = `import json
import sys

import pikepdf
from PIL import Image
from pikepdf import Dictionary, Name


def load(pdf, file):
    """The image as an object of the document, its transparency beside it."""
    with Image.open(file) as image:
        picture = image.convert("RGBA")
    width, height = picture.size
    shape = {"Type": Name.XObject, "Subtype": Name.Image, "Width": width, "Height": height, "BitsPerComponent": 8}
    alpha = pdf.make_stream(picture.getchannel("A").tobytes(), Dictionary(ColorSpace=Name.DeviceGray, **shape))
    colors = picture.convert("RGB").tobytes()
    return pdf.make_stream(colors, Dictionary(ColorSpace=Name.DeviceRGB, SMask=alpha, **shape)), width / height


def turn_of(page):
    node, depth = page.obj, 0
    while isinstance(node, Dictionary) and depth < 100:
        if "/Rotate" in node:
            return int(node["/Rotate"]) % 360 // 90 * 90
        node, depth = node.get("/Parent"), depth + 1
    return 0


def places(ask, shape, width, height):
    """Where the image goes on a page of this size: left, bottom, width and height of each."""
    space = min(width, height) * ask["margin"] / 100
    across = min(width * ask["size"] / 100, max(1, width - 2 * space))
    up = across / shape
    if up > max(1, height - 2 * space):
        up = max(1, height - 2 * space)
        across = up * shape
    if ask["position"] == "tile":
        # A page that would need more of them than this has an absurd shape.
        columns = min(200, int(width // (across + 2 * space)) + 1)
        rows = min(200, int(height // (up + 2 * space)) + 1)
        for row in range(rows):
            for column in range(columns):
                left = space + column * (across + 2 * space)
                yield left, height - space - up - row * (up + 2 * space), across, up
        return
    words = ask["position"].split("_")
    left = space if "left" in words else width - across - space if "right" in words else (width - across) / 2
    bottom = space if "bottom" in words else height - up - space if "top" in words else (height - up) / 2
    yield left, bottom, across, up


def draw(page, image, shape, ask):
    left, bottom, right, top = (float(side) for side in page.cropbox)
    left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
    turn = turn_of(page)
    shown = (right - left, top - bottom) if turn % 180 == 0 else (top - bottom, right - left)
    if min(shown) <= 0:
        return
    upright = {
        0: (1, 0, 0, 1, left, bottom),
        90: (0, 1, -1, 0, right, bottom),
        180: (-1, 0, 0, -1, right, top),
        270: (0, -1, 1, 0, left, top),
    }[turn]
    name = page.add_resource(image, Name.XObject, prefix="Watermark")
    marks = [f"q {w:.3f} 0 0 {h:.3f} {x:.3f} {y:.3f} cm {name} Do Q" for x, y, w, h in places(ask, shape, *shown)]
    matrix = " ".join(f"{part:g}" if part in (-1, 0, 1) else f"{part:.3f}" for part in upright)
    page.contents_add(b"q\\n", prepend=True)
    page.contents_add(("\\nQ\\nq " + matrix + " cm\\n" + "\\n".join(marks) + "\\nQ\\n").encode())


def main():
    source, target, asked = sys.argv[1:4]
    with open(asked) as file:
        ask = json.load(file)
    wanted = set(ask["pages"])
    with pikepdf.open(source) as pdf:
        image, shape = load(pdf, ask["stamp"])
        for number, page in enumerate(pdf.pages, 1):
            if number in wanted:
                draw(page, image, shape, ask)
        pdf.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)
`
