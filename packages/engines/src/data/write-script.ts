/** `writing.py`: writes values as JSON, JSON Lines, YAML, TOML, CSV or TSV. */
export const writeScript = String.raw`import csv
import datetime
import decimal
import re

import tomli_w
import yaml

from reading import yaml_kind
from values import SEPARATORS, SPECIAL, Number, Stamp, is_leaf, json_leaf, json_parts, json_text, mend, refuse, to_json

def write_json(value, file, ask, report):
    for part in json_parts(value, report, ask["indent"]):
        file.write(part)
    file.write("\n")


def write_jsonl(value, file, ask, report):
    for one in value if isinstance(value, list) else [value]:
        for part in json_parts(one, report, 0):
            file.write(part)
        file.write("\n")


# Words that only some readers take for something else than text.
DOUBTFUL = re.compile(r"(?:[yYnN]|0o[0-7]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_:.]*)\Z")
YAML_SPECIAL = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}


def yaml_digits(text):
    """A number that readers of YAML 1.1 take for one: they want a point and a sign before an exponent."""
    if text in YAML_SPECIAL:
        return YAML_SPECIAL[text]
    mantissa, e, exponent = text.lower().partition("e")
    if not e:
        return text
    return (mantissa if "." in mantissa else mantissa + ".0") + "e" + (exponent if exponent[0] in "+-" else "+" + exponent)


def yaml_events(value, report):
    """The document as events, without recursion."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, yaml.Event):
            yield one
        elif isinstance(one, dict):
            yield yaml.MappingStartEvent(None, None, True, flow_style=not one)
            stack.append(yaml.MappingEndEvent())
            for key, inner in reversed(one.items()):
                stack += [inner, key]
        elif isinstance(one, list):
            yield yaml.SequenceStartEvent(None, None, True, flow_style=not one)
            stack.append(yaml.SequenceEndEvent())
            stack += reversed(one)
        else:
            yield yaml_scalar(one, report)


def yaml_scalar(value, report):
    if isinstance(value, Number):
        return yaml.ScalarEvent(None, None, (True, False), yaml_digits(value.text))
    if not isinstance(value, str):
        return yaml.ScalarEvent(None, None, (True, False), json_leaf(value, report))
    text = mend(value, report)
    if isinstance(value, Stamp) and yaml_kind(text) == "timestamp":
        return yaml.ScalarEvent(None, None, (True, False), str(text))
    is_plain = yaml_kind(text) == "str" and not DOUBTFUL.match(text)
    return yaml.ScalarEvent(None, None, (is_plain, True), str(text), style="|" if "\n" in text else None)


def write_yaml(value, file, ask, report):
    def events():
        yield yaml.StreamStartEvent()
        yield yaml.DocumentStartEvent(explicit=False)
        yield from yaml_events(value, report)
        yield yaml.DocumentEndEvent(explicit=False)
        yield yaml.StreamEndEvent()
    yaml.emit(events(), file, Dumper=yaml.CDumper, indent=ask["indent"] or 2, width=1 << 30, allow_unicode=True)


def write_toml(value, file, ask, report):
    if not isinstance(value, dict):
        report.warn("wrapped")
        value = {"items": value}
    file.write(tomli_w.dumps(toml_value(value, report)))


def toml_value(value, report):
    if isinstance(value, dict):
        kept = {mend(key, report): toml_value(one, report) for key, one in value.items() if one is not None}
        report.warn("nulls", len(value) - len(kept)) if len(kept) < len(value) else None
        return kept
    if isinstance(value, list):
        kept = [toml_value(one, report) for one in value if one is not None]
        report.warn("nulls", len(value) - len(kept)) if len(kept) < len(value) else None
        return kept
    if isinstance(value, Number):
        return toml_digits(value.text, report)
    if isinstance(value, Stamp):
        return toml_stamp(value)
    return mend(value, report) if isinstance(value, str) else value


def toml_digits(text, report):
    if text in SPECIAL:
        return float(text)
    if re.search(r"[.eE]", text):
        return decimal.Decimal(text)
    # TOML promises whole numbers of 64 bits.
    if len(text) < 20 and -2 ** 63 <= int(text) < 2 ** 63:
        return int(text)
    report.warn("long_numbers")
    return text


def toml_stamp(text):
    for kind in (datetime.date, datetime.datetime, datetime.time):
        try:
            found = kind.fromisoformat(text)
        except ValueError:
            continue
        # TOML knows no seconds of time zones, and only what is written the same again is the same.
        return found if len(str(found)) >= len(text) - 1 else str(text)
    return str(text)


def find_rows(value, report):
    """The one list of objects in a document; refuses where there is none, or more than one."""
    for _ in range(8):
        if isinstance(value, list):
            if not value or not all(isinstance(one, dict) for one in value):
                refuse("table")
            return value
        if not isinstance(value, dict):
            refuse("table")
        lists = [one for one in value.values() if isinstance(one, list) and one and all(isinstance(row, dict) for row in one)]
        objects = [one for one in value.values() if isinstance(one, dict)]
        inner = lists if len(lists) == 1 else objects if not lists and len(objects) == 1 else []
        if not inner:
            refuse("table")
        if len(value) > 1:
            report.warn("around", len(value) - 1)
        value = inner[0]
    refuse("table")


def cell(value, report):
    if value is None:
        return ""
    if not is_leaf(value):
        report.warn("nested")
        return mend(to_json(value, report), report)
    if isinstance(value, str):
        return mend(value, report)
    return value.text if isinstance(value, Number) else json_leaf(value, report)


def find_table(value, ask, report):
    rows = find_rows(value, report)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if not columns:
        refuse("table")
    if len(columns) * len(rows) > ask["limits"]["cells"]:
        refuse("cells")
    return rows, columns


def write_table(value, file, ask, report):
    rows, columns = find_table(value, ask, report)
    separator = "\t" if ask["to"] == "tsv" else SEPARATORS[ask["separator"]]
    writer = csv.writer(file, delimiter=separator, lineterminator="\r\n" if ask["to"] == "csv" else "\n")
    writer.writerow([mend(key, report) for key in columns])
    for row in rows:
        writer.writerow([cell(row.get(key), report) for key in columns])


def grid_cell(value, report):
    if not is_leaf(value):
        return "[" + json_text(mend(to_json(value, report), report)) + "]"
    if isinstance(value, Number) and value.text in SPECIAL:
        return '{"special": "' + value.text + '"}'
    return json_leaf(mend(value, report) if isinstance(value, str) else value, report)


def write_grid(value, file, ask, report):
    """A table for the runner that writes Parquet: the names, then the cells of each row, as lists."""
    rows, columns = find_table(value, ask, report)
    file.write("[" + ", ".join(json_text(mend(key, report)) for key in columns) + "]\n")
    for row in rows:
        file.write("[" + ", ".join(grid_cell(row.get(key), report) for key in columns) + "]\n")
`
