/** `markdown.py`: brings a text to UTF-8, and says whether it is written in Pandoc's own kind of Markdown. */
export const markdownScript = String.raw`import json
import re
import sys

from text import decode

# Tables that are drawn, titles that begin with a percent sign, footnotes and citations in line: only Pandoc reads them.
PANDOC = re.compile(
    r"\A%\s|^\+(?:[-=:]{3,}\+)+\s*$|^\s*-{3,}(?: +-{3,})+\s*$|^\(@\w*\)|^#.*\{[#.][\w-]+[^}\n]*\}\s*$|\[@[\w:.-]+\]|\^\[[^\]\n]+\]|^\| \S[^|\n]*$\n\| \S[^|\n]*$",
    re.MULTILINE)


def main():
    source, target, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(source, "rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        sys.stderr.write("refused: text\n")
        sys.exit(3)
    text = decode(content).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    with open(target, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    print(json.dumps({"dialect": "pandoc" if PANDOC.search(text) else "github"}))
`
