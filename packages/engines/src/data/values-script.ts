/**
 * `values.py`: the values that all formats are read into and written from: dict, list, str, bool, None, and numbers and
 * dates in their original spelling.
 */
export const valuesScript = String.raw`import json
import re
import sys

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
# What a text of a format without types is taken for. More digits than a double holds, and exponents that a product
# number may look like, stay text.
GUESSED = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,17})?([eE][+-][0-9]{1,3})?\Z")
SPECIAL = ("NaN", "Infinity", "-Infinity")
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
NAMED = {"true": True, "false": False}


class Number:
    """A number by its digits, so that none is lost."""
    __slots__ = ("text",)

    def __init__(self, text):
        self.text = text


class Stamp(str):
    """A date or time as it was written."""


class Report:
    """What the owner should know, each thing once, with how often it happened."""

    def __init__(self):
        self.found = {}

    def warn(self, word, times=1):
        self.found[word] = self.found.get(word, 0) + times

    def write(self):
        for word, times in self.found.items():
            print(json.dumps({"warning": word, "times": times}))


def refuse(word, *numbers):
    """Ends the script; the plan knows the word."""
    sys.stderr.write("\nrefused: " + " ".join([word, *map(str, numbers)]) + "\n")
    sys.exit(3)


def guess(text):
    """The value of a text that has no type."""
    if text == "":
        return None
    if text in NAMED:
        return NAMED[text]
    return Number(text) if len(text) < 40 and GUESSED.match(text) else text


def is_leaf(value):
    return not isinstance(value, (dict, list))


def measure(value, limits):
    """Refuses a document that is too deep or has too many values. Walks without recursion."""
    left, level, depth = limits["values"] - 1, [value], 0
    while level:
        depth += 1
        below = []
        for one in level:
            if is_leaf(one):
                continue
            if depth > limits["depth"]:
                refuse("deep")
            below.extend(one.values() if isinstance(one, dict) else one)
            if len(below) > left:
                refuse("values")
        left -= len(below)
        level = below


def mend(text, report, controls=False):
    """A text without halves of characters, which only JSON can write; without control characters where asked."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        report.warn("characters")
    if controls and CONTROLS.search(text):
        text = CONTROLS.sub("\ufffd", text)
        report.warn("characters")
    return text


CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def json_number(number, report):
    if number.text in SPECIAL:
        report.warn("special")
        return "null"
    return number.text


def json_text(text):
    try:
        text.encode("utf-8")
        return json.dumps(text, ensure_ascii=False)
    except UnicodeEncodeError:
        return json.dumps(text)


def json_leaf(value, report):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json_number(value, report) if isinstance(value, Number) else json_text(value)


def json_parts(value, report, indent, level=0):
    """The pieces of a JSON text; on one line where indent is 0."""
    if is_leaf(value):
        yield json_leaf(value, report)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if not value:
        yield opening + closing
        return
    outer = "\n" + " " * (indent * level) if indent else ""
    inner = outer + " " * indent
    between = "," if indent else ", "
    pairs = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    yield opening
    for n, (key, one) in enumerate(pairs):
        start = (between if n else "") + inner + (json_text(key) + ": " if key is not None else "")
        if is_leaf(one):
            yield start + json_leaf(one, report)
        else:
            yield start
            yield from json_parts(one, report, indent, level + 1)
    yield outer + closing


def to_json(value, report):
    return "".join(json_parts(value, report, 0))
`
