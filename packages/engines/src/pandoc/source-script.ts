/**
 * `source.py`: converts a text to UTF-8, detects Pandoc's own Markdown, and removes what would include other files:
 * Pandoc's sandbox hides them, and a text that includes one would fail as a whole.
 */
export const sourceScript = String.raw`import html
import json
import re
import sys

from text import XML_NAMES, decode

# Tables that are drawn, titles that begin with a percent sign, footnotes and citations in line: only Pandoc reads them.
PANDOC = re.compile(
    r"\A%\s|^\+(?:[-=:]{3,}\+)+\s*$|^\s*-{3,}(?: +-{3,})+\s*$|^\(@\w*\)|^#.*\{[#.][\w-]+[^}\n]*\}\s*$|\[@[\w:.-]+\]|\^\[[^\]\n]+\]|^\| \S[^|\n]*$\n\| \S[^|\n]*$",
    re.MULTILINE)

# What takes the place of a line that includes a file: a comment of the same language.
INCLUDES = {
    "rst": [(re.compile(r"^(\s*)\.\. (?:literal)?include::.*$", re.MULTILINE), r"\1.. left out"),
            (re.compile(r"^\s+:(?:file|url):.*\n?", re.MULTILINE), "")],
    "typ": [(re.compile(r"^(\s*)#(?:include|import)\b.*$", re.MULTILINE), r"\1"),
            (re.compile(r"#(?:read|image|csv|json|yaml|toml|xml|plugin|bibliography)\(\s*\"[^\"\n]*\"[^()\n]*\)"), "")],
}
XML = {"docbook", "jats", "opml", "endnote"}


def resolve(match):
    """HTML's names of characters; what a document defines by itself is left out."""
    name = match.group(1)
    text = html.unescape(match.group(0))
    if name in XML_NAMES:
        return match.group(0)
    return "" if text == match.group(0) else html.escape(text)


def main():
    source, target, kind, limit = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    with open(source, "rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        sys.stderr.write("refused: text\n")
        sys.exit(3)
    text = decode(content).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    found = {"dialect": "pandoc" if PANDOC.search(text) else "github"} if kind == "md" else {}
    for pattern, instead in INCLUDES.get(kind, []):
        text, count = pattern.subn(instead, text)
        if count:
            found["warnings"] = ["includes"]
    if kind in XML:
        text = re.sub(r"<!DOCTYPE[^>\[]*(\[.*?\]\s*)?>", "", text, count=1, flags=re.DOTALL | re.IGNORECASE)
        text = re.sub(r"&([A-Za-z][\w.-]{0,63});", resolve, text)
    with open(target, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    print(json.dumps(found))
`
