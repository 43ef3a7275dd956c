/** `text.py`: reads text in any encoding and XML in any condition, without following references in either. */
export const textScript = String.raw`import codecs
import html
import re

from lxml import etree

DECLARED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})")
META = re.compile(rb"<meta[^>]*charset\s*=\s*[\"']?([A-Za-z0-9._-]{1,40})", re.IGNORECASE)
XML_NAMES = {"lt", "gt", "amp", "quot", "apos"}


def known(name):
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def decode(content, declared=None):
    """Text by its byte order mark, by being UTF-8, by what it declares, or else as Windows text."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return content[len(mark):].decode(name, "replace")
    found = DECLARED.search(content[:400]) or META.search(content[:2048])
    named = known(declared or (found.group(1).decode("ascii") if found else "utf-8")) or "utf-8"
    for name in (named, "utf-8"):
        try:
            return content.decode(name)
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    # A few bad bytes in UTF-8 are a slip; more are another encoding.
    text = content.decode("utf-8", "replace")
    if text.count("\ufffd") * 50 < len(text) or named != "utf-8":
        return content.decode(named, "replace") if named != "utf-8" else text
    return content.decode("cp1252", "replace")


def expand(match):
    """HTML's names for characters, which XML does not know without its DTD."""
    name = match.group(1)
    return match.group(0) if name in XML_NAMES else html.unescape(match.group(0)).replace("&", "&amp;").replace("<", "&lt;")


def parse_xml(content, recover=True):
    """XML with neither entities nor anything from outside."""
    text = decode(content)
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", text)
    text = re.sub(r"<!DOCTYPE[^>\[]*(\[.*?\]\s*)?>", "", text, count=1, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"&([A-Za-z][A-Za-z0-9]{1,31});", expand, text)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=recover, huge_tree=True,
                             remove_comments=True, remove_pis=True)
    return etree.fromstring(text.encode("utf-8", "replace"), parser)
`
