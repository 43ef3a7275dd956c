/** `data.py`: reads a document in one format and writes it in another. */
export const dataScript = `import json

from lxml import etree

from cards import flatten, read_calendar, read_cards
from markup import read_xml, write_xml
from reading import decode, read_json, read_jsonl, read_table, read_toml, read_yaml
from values import Report, measure, refuse
from writing import write_grid, write_json, write_jsonl, write_table, write_toml, write_yaml

READERS = {"json": read_json, "jsonl": read_jsonl, "yaml": read_yaml, "toml": read_toml, "csv": read_table, "tsv": read_table}
# These say themselves how their text is encoded.
BYTE_READERS = {"xml": read_xml, "ics": read_calendar, "vcf": read_cards}
WRITERS = {"json": write_json, "jsonl": write_jsonl, "yaml": write_yaml, "toml": write_toml, "csv": write_table,
           "tsv": write_table, "xml": write_xml, "grid": write_grid}


def convert(ask, report):
    limits = ask["limits"]
    with open(ask["input"], "rb") as file:
        content = file.read(limits["bytes"] + 1)
    if len(content) > limits["bytes"]:
        refuse("bytes")
    kind = ask["from"]
    if kind in BYTE_READERS:
        value = BYTE_READERS[kind](content, ask, report)
    else:
        value = READERS[kind](decode(content, report, kind in ("csv", "tsv")), ask, report)
    del content
    measure(value, limits)
    if kind in ("ics", "vcf") and ask["to"] == "csv":
        value = flatten(value, kind, report)
    # Tables bring the ends of their lines along.
    with open(ask["output"], "x", encoding="utf-8", newline="") as file:
        WRITERS[ask["to"]](value, file, ask, report)


def main():
    with open("data.json", encoding="utf-8") as file:
        ask = json.load(file)
    report = Report()
    try:
        convert(ask, report)
    except RecursionError:
        refuse("deep")
    except etree.LxmlError:
        refuse("syntax")
    report.write()
`
