/** `cards.py`: reads calendars (iCalendar) and contacts (vCard 2.1 to 4.0) as values, and converts them to tables. */
export const cardsScript = String.raw`import codecs
import quopri
import re

from values import is_leaf, refuse

# Values with several parts, by the names of the parts; those without names are numbered.
PARTS = {
    "n": ("family", "given", "additional", "prefix", "suffix"),
    "adr": ("pobox", "extended", "street", "locality", "region", "code", "country"),
    "org": ("name", "unit"),
    "gender": ("sex", "identity"),
    "geo": ("latitude", "longitude"),
    "request-status": ("code", "description", "data"),
}
# Values that may be several, parted by commas.
SEVERAL = {"categories", "nickname", "resources", "exdate", "rdate", "freebusy"}
# What a contact may have more than one of is a list even if there is one.
ALWAYS_LISTS = {"email", "tel", "adr", "url", "impp", "attendee", "valarm", "vevent", "vtodo", "vjournal"}
TIMES = {"dtstart", "dtend", "due", "completed", "created", "dtstamp", "last-modified", "recurrence-id", "exdate", "rdate"}
BINARY = {"photo", "logo", "sound", "key", "attach"}
ROWS = ("vevent", "vtodo", "vjournal", "vfreebusy")
OLD_ENCODINGS = {"quoted-printable", "base64", "8bit", "7bit"}
HEAD = re.compile(r"(?:([A-Za-z0-9-]{1,200})\.)?([A-Za-z0-9-]{1,200})((?:;[^:;\"]*(?:\"[^\"]*\"[^:;\"]*)*)*):", re.DOTALL)
QUOTED = re.compile(rb";(encoding=)?quoted-printable[;:]", re.IGNORECASE)
PARAMETER = re.compile(r";([^:;=\"]*)(?:=((?:[^:;\"]|\"[^\"]*\")*))?", re.DOTALL)


def to_utf8(content):
    """Bytes in UTF-8 as far as the whole file tells; single lines of old contacts name their own encoding."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return content[2:].decode(name, "replace").encode("utf-8")
    return content[3:] if content.startswith(codecs.BOM_UTF8) else content


def logical_lines(content):
    """Lines, with those that continue one put together again."""
    parts, is_quoted = [], False
    for line in re.split(rb"\r\n|\n|\r", content):
        if parts and is_quoted and parts[-1].endswith(b"="):
            parts[-1] = parts[-1][:-1]
            parts.append(line)
        elif parts and line[:1] in (b" ", b"\t"):
            parts.append(line[1:])
        else:
            if parts:
                yield b"".join(parts)
            parts = [line]
            is_quoted = QUOTED.search(line.partition(b":")[0] + b":") is not None
    yield b"".join(parts)


def read_text(raw, charset, report):
    for name in (charset, "utf-8") if charset else ("utf-8",):
        try:
            return raw.decode(name)
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    report.warn("windows")
    return raw.decode("cp1252", "replace")


def read_line(line, report):
    """A property: its name, its parameters, its value as text; None for a line that is none."""
    head = HEAD.match(line.decode("latin-1"))
    if head is None:
        return None
    group, name = head.group(1), head.group(2).lower()
    parameters = {}
    for key, value in PARAMETER.findall(line[head.start(3):head.end(3)].decode("utf-8", "replace")):
        # Old contacts leave the name away.
        if not value and key:
            key, value = ("encoding", key) if key.lower() in OLD_ENCODINGS else ("type", key)
        words = [unquote(word) for word in re.findall(r'(?:[^,"]|"[^"]*")+', value)]
        parameters.setdefault(key.strip().lower(), []).extend(words)
    encoding = (parameters.pop("encoding", [""])[0]).lower()
    charset = parameters.pop("charset", [""])[0]
    raw = line[head.end():]
    if encoding == "quoted-printable":
        raw = quopri.decodestring(raw)
    if encoding in ("b", "base64"):
        parameters["encoding"] = ["base64"]
        raw = raw.replace(b" ", b"")
    if group:
        parameters["group"] = [group]
    return name, parameters, read_text(raw, charset if charset.lower() not in ("", "utf-8") else "", report)


def unquote(word):
    word = word.strip().strip('"')
    return re.sub(r"\^([n'^])", lambda found: {"n": "\n", "'": '"', "^": "^"}[found.group(1)], word)


def split(text, mark):
    """Parts between marks that no backslash precedes."""
    return re.findall(r"(?:^|" + mark + r")((?:[^\\" + mark + r"]|\\.|\\$)*)", text, re.DOTALL)


def plain(text):
    return re.sub(r"\\(.)", lambda found: "\n" if found.group(1) in "nN" else found.group(1), text, flags=re.DOTALL)


def time(text):
    """A date or time in the usual way of writing it; its time zone stays what it is."""
    found = re.match(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?\Z", text)
    if not found:
        return text
    year, month, day, hour, minute, second, zone = found.groups()
    return "-".join((year, month, day)) + ("T" + ":".join((hour, minute, second)) + zone if hour else "")


def read_value(name, parameters, text):
    if parameters.get("encoding"):
        value = text
    elif name in PARTS:
        names, parts = PARTS[name], split(text, ";")
        several = [[plain(one) for one in split(part, ",")] for part in parts]
        named = {names[n] if n < len(names) else names[-1] + "_" + str(n - len(names) + 2): one[0] if len(one) == 1 else one
                 for n, one in enumerate(several)}
        value = {key: one for key, one in named.items() if one != ""}
    elif name in SEVERAL:
        value = [plain(one) for one in split(text, ",")]
    else:
        value = plain(text) if name != "rrule" else text
    if name in TIMES:
        value = [time(one) for one in value] if isinstance(value, list) else time(value)
    extra = {key: words[0] if len(words) == 1 and key != "type" else words for key, words in parameters.items() if key and words}
    if not extra:
        return value
    return {**value, **extra} if isinstance(value, dict) else {"value": value, **extra}


def put(owner, name, value):
    if name not in owner:
        owner[name] = [value] if name in ALWAYS_LISTS else value
        return
    known = owner[name]
    # A value that is itself a list is one of several.
    if not isinstance(known, Repeated):
        known = owner[name] = Repeated(known if name in ALWAYS_LISTS else [known])
    known.append(value)


class Repeated(list):
    """Values of a property that was given more than once."""


def read_components(content, ask, report):
    limits = ask["limits"]
    root, values, broken = {}, 0, 0
    stack = [("", root)]
    for line in logical_lines(to_utf8(content)):
        found = read_line(line, report) if line.strip() else None
        if found is None:
            broken += 1 if line.strip() else 0
            continue
        name, parameters, text = found
        values += 1 + len(parameters)
        if values > limits["values"]:
            refuse("values")
        if name == "begin":
            if len(stack) > limits["depth"]:
                refuse("deep")
            inner = {}
            put(stack[-1][1], text.strip().lower()[:200], inner)
            stack.append((text.strip().lower()[:200], inner))
        elif name == "end":
            if len(stack) < 2 or stack[-1][0] != text.strip().lower()[:200]:
                refuse("structure")
            stack.pop()
        elif len(stack) > 1:
            put(stack[-1][1], name, read_value(name, parameters, text))
    if len(stack) > 1:
        report.warn("cut")
    if broken:
        report.warn("lines", broken)
    return root


def all_of(owner, name):
    found = owner.get(name, [])
    return list(found) if isinstance(found, list) else [found]


def read_calendar(content, ask, report):
    calendars = all_of(read_components(content, ask, report), "vcalendar")
    return calendars or refuse("structure")


def read_cards(content, ask, report):
    cards = all_of(read_components(content, ask, report), "vcard")
    return cards or refuse("structure")


def flatten(value, kind, report):
    """Rows of a table: one for each contact, or for each event and task of a calendar."""
    if kind == "vcf":
        return [flat(card, report) for card in value]
    rows = [{"component": name, **flat(one, report)} for calendar in value for name in ROWS for one in all_of(calendar, name)]
    if any(one.get("vtimezone") for one in value):
        report.warn("zones")
    return rows or refuse("empty")


def flat(item, report):
    row = {}

    def add(key, one):
        if isinstance(one, dict):
            for name, inner in one.items():
                add(key if name == "value" else key + " " + name, inner)
        elif isinstance(one, list):
            if all(is_leaf(inner) for inner in one) and not isinstance(one, Repeated):
                row[key] = ", ".join(one)
            else:
                for n, inner in enumerate(one, 1):
                    add(key if n == 1 else key + " " + str(n), inner)
        else:
            row[key] = one

    for name, one in item.items():
        kept = [inner for inner in (one if isinstance(one, Repeated) else [one])
                if not (name in BINARY and isinstance(inner, dict) and inner.get("encoding") == "base64")]
        if len(kept) < (len(one) if isinstance(one, Repeated) else 1):
            report.warn("binary")
        if kept:
            add(name, Repeated(kept) if isinstance(one, Repeated) else one)
    return row
`
