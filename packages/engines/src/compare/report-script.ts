/** `report.py`: compares two texts line by line and adds the result to the facts about the pages. */
export const reportScript = `import difflib
import json
import sys

LONGEST = 500


def read(name, limit):
    with open(name, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file.read().splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > limit:
        sys.exit(3)
    return lines


def join(lines):
    text = "\\n".join(lines)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def compare(before, after, most):
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=len(before) > 5000)
    added = removed = 0
    changes = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        removed += end - start
        added += other_end - other_start
        if len(changes) < most:
            changes.append({"line": start + 1, "removed": join(before[start:end]), "added": join(after[other_start:other_end])})
    return {"linesRemoved": removed, "linesAdded": added, "changes": changes}


def main():
    with open("report.json") as file:
        ask = json.load(file)
    report = dict(ask["facts"])
    if ask["texts"]:
        report["text"] = compare(*(read(name, ask["lines"]) for name in ask["texts"]), ask["changes"])
    pages = report["pages"]
    text = report.get("text", {"linesRemoved": 0, "linesAdded": 0})
    same_pages = report.get("pageCount") == report.get("otherPageCount")
    identical = same_pages and all(page["changed"] == 0 for page in pages) and text["linesRemoved"] + text["linesAdded"] == 0
    report = {"identical": identical, **report}
    if pages:
        report["similarity"] = min(page["similarity"] for page in pages)
    else:
        del report["pages"]
    with open(ask["out"], "w", encoding="utf-8") as file:
        json.dump(report, file, ensure_ascii=False, indent=2)
        file.write("\\n")
`
