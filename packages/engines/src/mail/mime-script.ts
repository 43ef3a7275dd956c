/** `mime.py`: reads RFC 5322 and MIME messages, alone or in a mailbox. */
export const mimeScript = String.raw`import email
import re
from email.header import decode_header

from text import decode, known

SHOWN = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
MAX_DEPTH = 20


def to_text(value):
    """A header as people read it, whatever it is encoded in."""
    raw = str(value or "")
    raw = raw.encode("utf-8", "surrogateescape")
    raw = decode(raw) if any(byte > 127 for byte in raw) else raw.decode("ascii")
    raw = re.sub(r"\r?\n[ \t]*", " ", raw)
    if "=?" not in raw:
        return raw.strip()
    try:
        pieces = decode_header(raw)
    except Exception:
        return raw.strip()
    words = []
    for content, charset in pieces:
        words.append(decode(content, known(charset or "") and charset) if isinstance(content, bytes) else content)
    return "".join(words).strip()


def filename_of(part):
    try:
        name = part.get_filename() or part.get_param("name")
    except Exception:
        name = None
    if isinstance(name, tuple):
        name = email.utils.collapse_rfc2231_value(name)
    return to_text(name) if name else ""


def payload(part):
    try:
        content = part.get_payload(decode=True)
    except Exception:
        content = None
    if content is None:
        inner = part.get_payload()
        content = inner.encode("utf-8", "surrogateescape") if isinstance(inner, str) else b""
    return content


def text_of(part):
    try:
        charset = part.get_content_charset()
    except Exception:
        charset = None
    return decode(payload(part), charset if charset and known(charset) else None)


def unflow(text):
    """Joins lines that a mail program broke (RFC 3676)."""
    lines = []
    for line in text.split("\n"):
        line = line.rstrip("\r")
        depth = re.match(r"^>*", line).group(0)
        if lines and lines[-1].endswith(" ") and lines[-1] != "-- " and re.match(r"^>*", lines[-1]).group(0) == depth:
            lines[-1] += line[len(depth):].removeprefix(" ") if depth else line.removeprefix(" ")
        else:
            lines.append(line)
    return "\n".join(lines)


class Mime:
    def __init__(self, message):
        self.message = message
        self.attachments = []

    def read(self):
        blocks = self.blocks(self.message, 0)
        # As they came: asked for by name, letters that are not ASCII would be lost.
        raw = list(self.message.raw_items())
        headers = [(name, ", ".join(to_text(value) for key, value in raw if key.lower() == name.lower())) for name in SHOWN]
        return {"headers": [(name, value) for name, value in headers if value], "blocks": blocks,
                "attachments": self.attachments}

    def blocks(self, part, depth):
        """The parts of the body, in their order; everything else becomes an attachment."""
        kind = part.get_content_type()
        children = part.get_payload() if part.is_multipart() else None
        if kind == "message/rfc822" or (kind.startswith("message/") and children and kind != "message/delivery-status"):
            inner = unwrap(part, children[0]) if children else None
            if inner is not None and depth < MAX_DEPTH:
                self.attachments.append({"name": filename_of(part) or to_text(inner.get("Subject")) or "message",
                                         "message": Mime(inner).read(), "content": as_bytes(inner), "cid": "", "eml": True})
            return []
        if children and depth < MAX_DEPTH:
            made = [self.blocks(child, depth + 1) for child in children]
            if kind != "multipart/alternative":
                return [block for one in made for block in one]
            full = [one for one in made if any(name == "html" for name, _ in one)] or [one for one in made if one]
            plain = next((text for one in made for name, text in one if name == "text"), None)
            return [*full[-1], *([("plain", plain)] if plain and all(n != "text" for n, _ in full[-1]) else [])] if full else []
        if children:
            return []
        return self.leaf(part, kind)

    def leaf(self, part, kind):
        name = filename_of(part)
        try:
            disposition = (part.get_content_disposition() or "").lower()
        except Exception:
            disposition = ""
        is_body = disposition != "attachment" and (not name or disposition == "inline")
        if is_body and kind in ("text/html", "application/xhtml+xml"):
            return [("html", text_of(part))]
        if is_body and (kind in ("text/plain", "text/enriched", "message/delivery-status") and not name):
            text = text_of(part)
            flowed = str(part.get_param("format") or "").lower() == "flowed"
            return [("text", unflow(text) if flowed else text)]
        cid = to_text(part.get("Content-ID")).strip("<> ")
        content = payload(part)
        if content or name:
            self.attachments.append({"name": name, "content": content, "cid": cid, "type": kind,
                                     "location": to_text(part.get("Content-Location"))})
        if disposition == "inline" and kind.startswith("image/") and not cid:
            return [("image", len(self.attachments) - 1)]
        return []


def unwrap(part, inner):
    """An attached message must not be encoded as a whole, but some programs do."""
    encoding = to_text(part.get("Content-Transfer-Encoding")).lower()
    if encoding not in ("base64", "quoted-printable") or inner.items() or inner.is_multipart():
        return inner
    inner["Content-Transfer-Encoding"] = encoding
    return email.message_from_bytes(payload(inner))


def as_bytes(message):
    try:
        return message.as_bytes()
    except Exception:
        return str(message).encode("utf-8", "replace")


def read_eml(content):
    # A mailbox line, or blank lines, may come first.
    content = re.sub(rb"\A(\s*\n|>?From [^\n]*\n)+", b"", content)
    return Mime(email.message_from_bytes(content)).read()


def read_mbox(content, limit):
    """The messages of a mailbox, at most so many, and how many there are."""
    starts = [match.start() for match in re.finditer(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n", content)]
    if not starts:
        return [read_eml(content)], 1
    messages = []
    for n, start in enumerate(starts[:limit]):
        end = starts[n + 1] if n + 1 < len(starts) else len(content)
        body = content[content.index(b"\n", start) + 1:end]
        messages.append(read_eml(re.sub(rb"(?m)^>(>*From )", rb"\1", body)))
    return messages, len(starts)
`
