"""Rewrites a package of OpenOffice.org 1 before LibreOffice opens it.

LibreOffice follows links of these documents that it does not follow in newer ones, so links to anything outside the
package are taken out. And it refuses templates of Impress and Draw, which are documents under another type.
"""
import re
import zipfile

from refusal import damaged

FORMATS = {"sxw", "stw", "sxc", "stc", "sxi", "sti", "sxd", "std"}
TYPED = {"mimetype", "META-INF/manifest.xml"}
TEMPLATE = re.compile(rb"(application/vnd\.sun\.xml\.(?:impress|draw))\.template")
ENTRY = re.compile(rb"<[^<>]*file-entry\b[^<>]*full-path\s*=\s*[\"']([^\"']*)[\"'][^<>]*>\s*<[^<>]*encryption-data")
DECLARED = re.compile(rb"^<\?xml[^<>]*encoding\s*=\s*[\"']([^\"']*)")
# What is no tag, and how it ends.
UNTAGGED = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"))
TAG = re.compile(rb"<([^\s<>/!?]+)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>")
ATTRIBUTE = re.compile(rb"\s+([^\s=\"'<>]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
# Links that people click on are not followed here.
CLICKED = {b"a", b"area-rectangle", b"area-circle", b"area-polygon"}
# Addresses of parts of the package begin with a number sign; what follows it may be an address of its own.
INSIDE = re.compile(rb"[\"']#(?:\./)?[^:&/.\\\"'](?:(?!\.\.)[^:&\\\"'])*[\"']")


def rewrite(path, copy, kind):
    """Writes the package to another file, without links and never as a template."""
    try:
        with zipfile.ZipFile(path) as archive, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as made:
            sealed = encrypted_parts(archive)
            for part in archive.infolist():
                content = archive.read(part)
                if part.filename in TYPED:
                    content = TEMPLATE.sub(rb"\1", content)
                elif part.filename.endswith(".xml") and part.filename not in sealed:
                    content = without_links(content, kind)
                made.writestr(zipfile.ZipInfo(part.filename), content, method_of(part))
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise damaged(kind, str(error)) from error


def method_of(part):
    return zipfile.ZIP_STORED if part.filename == "mimetype" else zipfile.ZIP_DEFLATED


def encrypted_parts(archive):
    """The parts that only a password makes readable: nothing can be taken out of them here."""
    try:
        manifest = archive.read("META-INF/manifest.xml")
    except KeyError:
        return set()
    return {name.decode("utf-8", "replace") for name in ENTRY.findall(manifest)}


def without_links(xml, kind):
    """The same XML; refused where it could mean other tags than can be seen."""
    xml = xml.removeprefix(b"\xef\xbb\xbf")
    encoding = DECLARED.match(xml)
    if b"\0" in xml or (encoding and encoding[1].lower() not in (b"utf-8", b"us-ascii")):
        raise damaged(kind, "its XML is not in UTF-8")
    parts, at = [], 0
    while (start := xml.find(b"<", at)) != -1:
        parts.append(xml[at:start])
        end = end_of(xml, start, kind)
        parts.append(without_link(xml[start:end]))
        at = end
    return b"".join([*parts, xml[at:]])


def end_of(xml, start, kind):
    for opening, closing in UNTAGGED:
        if xml.startswith(opening, start):
            end = xml.find(closing, start + len(opening))
            return len(xml) if end == -1 else end + len(closing)
    tag = TAG.match(xml, start)
    if tag:
        return tag.end()
    end = xml.find(b">", start) + 1
    # A document type may define tags and attributes.
    if xml.startswith(b"<!", start) and (end == 0 or b"[" in xml[start:end]):
        raise damaged(kind, "its XML declares entities")
    return end or len(xml)


def without_link(markup):
    tag = TAG.fullmatch(markup)
    if not tag or local(tag[1]) in CLICKED:
        return markup
    return b"<" + tag[1] + ATTRIBUTE.sub(keep_unless_link, tag[2]) + b">"


def keep_unless_link(attribute):
    is_link = local(attribute[1]) == b"href" and not INSIDE.fullmatch(attribute[2])
    return b"" if is_link else attribute[0]


def local(name):
    return name.rpartition(b":")[2]
