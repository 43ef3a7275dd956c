/** `reading.py`: reads JSON, JSON Lines, YAML, TOML, CSV and TSV, and creates nothing but plain values. */
export const readScript = String.raw`import codecs
import csv
import io
import json
import re
import tomllib

import yaml

from values import NUMBER, SEPARATORS, Number, Stamp, guess, refuse, to_json

MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decode(content, report, fallback=False):
    """Text by its byte order mark or as UTF-8; as Windows text only where the format has no encoding of its own."""
    for mark, name in MARKS:
        if content.startswith(mark):
            try:
                return content[len(mark):].decode(name)
            except UnicodeDecodeError:
                refuse("encoding")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        if not fallback:
            refuse("encoding")
    report.warn("windows")
    return content.decode("cp1252", "replace")


def parse_json(text, report, line=None):
    def pairs(found):
        made = dict(found)
        if len(made) < len(found):
            report.warn("keys", len(found) - len(made))
        return made

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=Number, parse_float=Number, parse_constant=Number)
    except json.JSONDecodeError as error:
        refuse("syntax", line or error.lineno, error.colno)


def read_json(text, ask, report):
    return parse_json(text, report)


def read_jsonl(text, ask, report):
    # Other characters that Python takes for the end of a line may be inside a string.
    lines = text.split("\n")
    return [parse_json(line, report, n) for n, line in enumerate(lines, 1) if line.strip()]


def read_toml(text, ask, report):
    def plain(value):
        if isinstance(value, dict):
            return {key: plain(one) for key, one in value.items()}
        if isinstance(value, list):
            return [plain(one) for one in value]
        if isinstance(value, (str, bool, Number)):
            return value
        return Number(str(value)) if isinstance(value, int) else Stamp(value.isoformat())

    try:
        # The standard wants lines to end this way, and the parser sees to it for files only.
        return plain(tomllib.loads(text, parse_float=toml_number))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+), column (\d+)", str(error))
        refuse("syntax", *(found.groups() if found else ()))
    except ValueError:
        refuse("syntax")


def toml_number(text):
    word = text.lstrip("+-")
    if word in ("inf", "nan"):
        return Number("NaN" if word == "nan" else ("-" if text[0] == "-" else "") + "Infinity")
    return Number(text.replace("_", "").lstrip("+"))


YAML = "tag:yaml.org,2002:"
RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
YAML_BOOL = yaml.SafeLoader.bool_values


def yaml_kind(text):
    """What YAML 1.1 takes a plain word for: int, float, bool, null, timestamp, merge, or str."""
    for tag, pattern in RESOLVERS.get(text[:1], []) + RESOLVERS.get(None, []):
        if pattern.match(text):
            return tag[len(YAML):]
    return "str"


def yaml_number(kind, text):
    """A number of YAML in the digits of JSON."""
    plain = text.replace("_", "").lower().lstrip("+")
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    if digits in (".inf", ".nan"):
        return Number("NaN" if digits == ".nan" else sign + "Infinity")
    if ":" in digits:
        # Numbers to the base of 60 are times in all files but very old ones.
        return text
    if kind == "int" and len(digits) < 4000:
        base = 2 if digits.startswith("0b") else 16 if digits.startswith("0x") else 8 if digits.startswith("0") and digits != "0" else 10
        if base != 10:
            return Number(str(int(sign + digits, base)))
    digits = re.sub(r"^\.", "0.", re.sub(r"\.(?=e|$)", ".0", digits))
    digits = re.sub(r"^0+(?=\d)", "", digits)
    return Number(sign + digits) if NUMBER.match(sign + digits) else text


class YamlReader:
    """Builds values from the events of the parser. No tag constructs anything; an alias counts as all it stands for."""

    def __init__(self, limits, report):
        self.limits, self.report = limits, report
        self.values = self.characters = 0

    def count(self, values, characters):
        self.values += values
        self.characters += characters
        if self.values > self.limits["values"]:
            refuse("values")
        if self.characters > self.limits["bytes"]:
            refuse("expanded")

    def read(self, text):
        documents, stack, anchors = [], [], {}
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.DocumentStartEvent):
                anchors = {}
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor not in anchors:
                    refuse("syntax", event.start_mark.line + 1, event.start_mark.column + 1)
                made, values, characters = anchors[event.anchor]
                if made is None:
                    refuse("circle")
                self.count(values, characters)
                self.add(documents, stack, made, "str")
            elif isinstance(event, yaml.ScalarEvent):
                self.count(1, len(event.value))
                made, kind = self.scalar(event)
                if event.anchor:
                    anchors[event.anchor] = (made, 1, len(event.value))
                self.add(documents, stack, made, kind, event.value)
            elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
                if event.tag and not event.tag.startswith(YAML):
                    self.report.warn("tags")
                stack.append([[], event, (self.values, self.characters)])
                self.count(1, 0)
                if len(stack) > self.limits["depth"]:
                    refuse("deep")
                if event.anchor:
                    anchors[event.anchor] = (None, 0, 0)
            elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                parts, start, (values, characters) = stack.pop()
                made = [one for one, *_ in parts] if isinstance(event, yaml.SequenceEndEvent) else self.mapping(parts)
                if start.anchor:
                    anchors[start.anchor] = (made, self.values - values, self.characters - characters)
                self.add(documents, stack, made, "str")
        return documents

    def add(self, documents, stack, value, kind, written=None):
        if stack:
            stack[-1][0].append((value, kind, written))
        else:
            documents.append(value)

    def scalar(self, event):
        text, tag = event.value, event.tag
        if tag and tag != "!":
            kind = tag[len(YAML):] if tag.startswith(YAML) else ""
            if kind not in ("int", "float", "bool", "null", "str", "binary", "timestamp"):
                self.report.warn("tags")
        else:
            kind = yaml_kind(text) if event.implicit[0] else "str"
        if kind == "null":
            return None, kind
        if kind == "bool" and text.lower() in YAML_BOOL:
            return YAML_BOOL[text.lower()], kind
        if kind in ("int", "float"):
            return yaml_number(kind, text), kind
        return (Stamp(text) if kind == "timestamp" else text), kind

    def mapping(self, parts):
        made, merged = {}, []
        for (key, kind, written), (value, *_) in zip(parts[::2], parts[1::2]):
            if kind == "merge":
                merged.extend(value if isinstance(value, list) else [value])
                continue
            name = key if isinstance(key, str) else written if written is not None else self.key(key)
            if name in made:
                self.report.warn("keys")
            made[name] = value
        for one in merged:
            for key, value in one.items() if isinstance(one, dict) else ():
                if key not in made:
                    self.count(1, 0)
                    made[key] = value
        return made

    def key(self, key):
        self.report.warn("complex")
        return to_json(key, self.report)


def read_yaml(text, ask, report):
    try:
        documents = YamlReader(ask["limits"], report).read(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        # The parser has a limit of its own, which is beyond ours.
        if "nesting" in str(error.problem):
            refuse("deep")
        refuse("syntax", *((mark.line + 1, mark.column + 1) if mark else ()))
    except yaml.YAMLError:
        refuse("syntax")
    if len(documents) > 1:
        report.warn("documents", len(documents))
    return documents if len(documents) > 1 else documents[0] if documents else None


def find_separator(text):
    """What most of the first lines have the same number of, outside of quotes."""
    lines = [line for line in re.sub(r'"[^"]*"', "", text[:65536]).splitlines()[:20] if line.strip()]
    if not lines:
        return ","
    def score(one):
        counts = [line.count(one) for line in lines]
        return (counts[0] > 0, sum(count == counts[0] for count in counts), counts[0])
    return max(SEPARATORS.values(), key=score)


def read_table(text, ask, report):
    separator = "\t" if ask["from"] == "tsv" else SEPARATORS.get(ask["separator"]) or find_separator(text)
    csv.field_size_limit(ask["limits"]["bytes"])
    typed = ask["types"] == "auto"
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    names, made, cells = None, [], 0
    try:
        for row in rows:
            if not row:
                continue
            if names is None:
                names = name_columns(row, report)
                continue
            if len(row) > len(names):
                report.warn("long")
                names += name_columns([""] * (len(row) - len(names)), report, names)
            # Each row has a value for every column, however short it is.
            cells += len(names) + 1
            if cells > ask["limits"]["values"]:
                refuse("values")
            row += [""] * (len(names) - len(row))
            made.append({name: guess(one) if typed else one for name, one in zip(names, row)})
    except csv.Error:
        refuse("syntax", rows.line_num, 1)
    if names is None:
        refuse("syntax", 1, 1)
    return made


def name_columns(row, report, before=()):
    """The header; columns without a name, or with one of another, get their own."""
    taken, names = set(before), []
    for n, given in enumerate(row, len(before) + 1):
        name, again = given or "column_" + str(n), 1
        while name in taken:
            again += 1
            name = (given or "column_" + str(n)) + "_" + str(again)
        if given and again > 1:
            report.warn("columns")
        taken.add(name)
        names.append(name)
    return names
`
