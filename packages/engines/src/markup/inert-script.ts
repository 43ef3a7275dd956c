/**
 * `inert.py`: makes untrusted HTML harmless. Only listed elements keep their tag. Scripts, event handlers and
 * everything that would load a resource are removed. The page also contains a content security policy with the same
 * rules.
 */
export const inertScript = String.raw`import html
import re
import sys

from lxml import etree

# Whose content is no text either.
DROP = {"script", "style", "link", "meta", "base", "iframe", "frame", "frameset", "object", "embed", "applet", "param",
        "template", "noembed", "noframes", "xmp", "plaintext", "title", "head", "textarea", "select", "datalist",
        "audio", "video", "source", "track", "canvas", "portal", "annotation-xml", "annotation", "foreignobject",
        "animate", "animatemotion", "animatetransform", "set", "handler", "listener"}
KEEP = set("""a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del
details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label li
main map area mark menu nav ol p pre q rb rp rt rtc ruby s samp section small span strike strong sub summary sup table
tbody td tfoot th thead time tr tt u ul var wbr
svg g path rect circle ellipse line polyline polygon text tspan textpath defs lineargradient radialgradient stop
clippath mask pattern symbol use image desc marker
math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup msubsup
munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd maligngroup malignmark maction
semantics""".split())
DROP_ATTRIBUTES = {"srcset", "sizes", "ping", "srcdoc", "action", "formaction", "integrity", "nonce", "http-equiv",
                   "content", "data", "lowsrc", "dynsrc", "longdesc", "usemap", "target", "xmlns", "is", "slot",
                   "contenteditable", "autofocus", "tabindex", "accesskey", "form", "attributename"}
LINK = re.compile(r"^(https?:|mailto:|tel:|ftp:)", re.IGNORECASE)
DATA_IMAGE = re.compile(r"^data:image/(png|jpe?g|gif|webp|bmp|svg\+xml|avif)[;,]", re.IGNORECASE)
URL = re.compile(r"url\(\s*(?:\"([^\"]*)\"|'([^']*)'|([^()'\"\s]*))\s*\)", re.IGNORECASE)
POLICY = "default-src 'none'; img-src data:{more}; font-src data:; style-src 'unsafe-inline'"

IMAGE_TYPES = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"),
    (b"II*\0", None), (b"MM\0*", None),
)


def refuse(word):
    """Ends the script; the plan knows the word."""
    sys.stderr.write("\nrefused: " + word + "\n")
    sys.exit(3)


def image_type(content):
    """What browsers show an image as, by its first bytes; None if they do not."""
    for start, kind in IMAGE_TYPES:
        if content.startswith(start):
            return kind
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    if b"<svg" in content[:2000].lower():
        return "image/svg+xml"
    return None


def unescape(match):
    code = int(match.group(1), 16)
    return chr(code) if code < 128 and re.match(r"[A-Za-z(:@-]", chr(code)) else match.group(0)


def clean_css(text, resolve):
    """A style sheet that fetches nothing; resolve gives a data: address for an address, or None."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    # An escape could spell any of the words below; letters need none.
    text = re.sub(r"\\([0-9a-fA-F]{1,6})\s?", unescape, text)
    text = re.sub(r"\\([g-zG-Z(:@-])", r"\1", text)
    text = re.sub(r"@(import|charset|namespace)[^;{}]*(;|$)", "", text, flags=re.IGNORECASE)
    text = re.sub(r"(expression|behaviou?r|-moz-binding|javascript|vbscript)\s*[:(]", "x-", text, flags=re.IGNORECASE)

    def replace(match):
        found = resolve(next((one for one in match.groups() if one is not None), ""))
        return 'url("' + found + '")' if found else "none"

    text = URL.sub(replace, text)
    # Named pages, which Word writes, would begin a new sheet.
    text = re.sub(r"(^|[;{\s])page\s*:[^;}]*", r"\1", text, flags=re.IGNORECASE)
    text = re.sub(r"(image-set|src)\s*\(", "x-(", text, flags=re.IGNORECASE)
    return text.replace("<", "\\3c ")


def local(name):
    return name.rsplit("}", 1)[-1].rsplit(":", 1)[-1] if isinstance(name, str) else ""


def is_shown(element):
    """False for the 1x1 images that only tell a sender that a message was read."""
    sides = [re.sub(r"px$", "", (element.get(side) or "").strip()) for side in ("width", "height")]
    return not all(side in ("0", "1") for side in sides)


def clean_tree(root, source_for, link_for, anchor=lambda name: name, css=None):
    """Makes a tree inert in place. source_for gives the data: address of an image or None; link_for a link's."""
    css = css or source_for
    for element in list(root.iter()):
        if element is root and not isinstance(element.tag, str):
            continue
        if not isinstance(element.tag, str):
            remove(element)
            continue
        name = local(element.tag)
        if name.lower() in DROP and element is not root:
            remove(element)
            continue
        # Office programs write elements of their own, such as o:p, whose names only end like those of HTML.
        prefix = element.tag.rsplit("}", 1)[-1].rpartition(":")[0].lower()
        is_known = name.lower() in KEEP and prefix in ("", "svg", "math", "m", "mml", "xhtml", "html")
        element.tag = name if is_known and re.match(r"^[A-Za-z0-9]+$", name) else "span"
        clean_attributes(element, source_for, link_for, anchor, css)
        if element.tag == "img" and not element.get("src"):
            # Its description takes its place.
            element.tag, element.text = "span", element.get("alt") or ""
    # Names of a kind nobody knows are gone now, and with them their prefixes.
    etree.cleanup_namespaces(root)


def clean_attributes(element, source_for, link_for, anchor, css):
    taken = dict(element.attrib)
    element.attrib.clear()
    for raw, value in taken.items():
        name = local(raw)
        lower = name.lower()
        value = "".join(one for one in value if one >= " " or one in "\n\t")
        if lower.startswith("on") or lower in DROP_ATTRIBUTES or not re.match(r"^[A-Za-z][A-Za-z0-9_-]*$", name):
            continue
        if lower == "style":
            value = clean_css(value, css)
        elif lower in ("src", "background", "poster", "href"):
            value = address(element, lower, value.strip(), source_for, link_for)
        elif lower in ("id", "name"):
            value = anchor(value)
        elif re.search(r"(javascript|vbscript)\s*:", value, re.IGNORECASE):
            continue
        elif "url(" in value.lower() and not re.match(r"^url\(#[\w.-]+\)$", value):
            continue
        if value is not None:
            element.set(name, value)


def address(element, name, value, source_for, link_for):
    tag = element.tag.lower()
    if name == "href" and tag in ("a", "area"):
        return link_for(value)
    if name == "href" and tag in ("use", "textpath", "lineargradient", "radialgradient", "pattern"):
        return value if value.startswith("#") else None
    if name == "src" and tag != "img":
        return None
    return source_for(value)


def remove(element):
    parent = element.getparent()
    if parent is None:
        return
    tail = element.tail
    before = element.getprevious()
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def parse_html(text):
    """The body of a page as browsers would read it."""
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text)
    # Word hides parts of a page in marks that are neither tags nor comments.
    text = re.sub(r"<\?xml[^>]*>|<!\[[^>]{0,200}\]>", "", text)
    parser = etree.HTMLParser(encoding="utf-8", recover=True, no_network=True, huge_tree=True, remove_comments=True,
                              remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        root = etree.fromstring("<html><body></body></html>", parser)
    return root


def body_of(root):
    """The body as a div of its own, with what a mail or a book says of its background."""
    body = next((one for one in root.iter() if local(one.tag).lower() == "body"), root)
    inner = etree.Element("div")
    for name, value in body.attrib.items():
        if local(name).lower() in ("class", "style", "bgcolor", "dir", "lang", "id"):
            inner.set(local(name), value)
    inner.text = body.text
    for child in list(body):
        inner.append(child)
    return inner


def styles_of(root):
    """The text of all style elements."""
    return "\n".join(one.text or "" for one in root.iter() if local(one.tag).lower() == "style")


def to_html(element):
    return etree.tostring(element, method="html", encoding="unicode", with_tail=False)


def write_page(path, parts, title="", author="", date="", language="", css="", remote=False, limit=256 * 1024 * 1024, untitled="Untitled"):
    """Writes one page that needs nothing else; parts are strings of clean HTML."""
    attribute = ' lang="' + html.escape(language, quote=True) + '"' if re.match(r"^[A-Za-z0-9-]{2,20}$", language) else ""
    room = limit
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        def write(text):
            nonlocal room
            room -= len(text)
            if room < 0:
                refuse("page")
            file.write(text)
        write("<!DOCTYPE html>\n<html" + attribute + "><head><meta charset=\"utf-8\">\n")
        policy = POLICY.format(more=" *" if remote else "")
        write('<meta http-equiv="Content-Security-Policy" content="' + policy + '">\n')
        for name, value in (("author", author), ("date", date)):
            if value:
                write('<meta name="' + name + '" content="' + html.escape(value, quote=True) + '">\n')
        write("<title>" + html.escape(title or untitled) + "</title>\n<style>\n" + css + "\n</style></head><body>\n")
        for part in parts:
            write(part)
            write("\n")
        write("</body></html>\n")
`
