/**
 * Makes a web page of a PDF with MuPDF for an office program to read: text in paragraphs, with the images in between.
 * Each page begins on a new one. A page that would be empty is drawn as an image, as long as there is time.
 */
export const flowScript = `import base64
import re
import resource
import subprocess
import sys
import time

PAGE = re.compile(r'<div id="page(\\d+)">\\n(.*?)</div>\\n', re.DOTALL)
TAG = re.compile(r"<(p|h\\d)>")
BREAK = "page-break-before:always"
MOST_DRAWN = 50
# Reached by MuPDF alone, it ends MuPDF; the limit of the sandbox would end the task.
MEMORY = 1_500 * 1024 * 1024


def run(seconds, *command):
    try:
        return subprocess.run(command, timeout=max(seconds, 0.1), stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def has_content(body):
    return "<img" in body or re.sub(r"<[^>]*>", "", body).strip() != ""


def draw(pdf, number, deadline):
    if not run(deadline - time.monotonic(), "mutool", "draw", "-q", "-r", "100", "-o", "drawn.png", pdf, number):
        return ""
    with open("drawn.png", "rb") as file:
        return f'<p><img src="data:image/png;base64,{base64.b64encode(file.read()).decode()}"/></p>\\n'


def begin_page(body):
    body, count = TAG.subn(rf'<\\1 style="{BREAK}">', body, count=1)
    return body if count else f'<p style="{BREAK}"></p>\\n{body}'


def main():
    pdf, out, seconds, width, height = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    deadline = time.monotonic() + int(seconds)
    if not run(int(seconds), "mutool", "convert", "-F", "xhtml", "-O", "preserve-images", "-o", "flow.xhtml", pdf):
        sys.exit(3)
    with open("flow.xhtml", encoding="utf-8", errors="replace") as file:
        pages = PAGE.findall(file.read())
    drawn = kept = 0
    with open(out, "w", encoding="utf-8") as file:
        file.write('<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><style>'
                   f"@page {{ size: {width}pt {height}pt; margin: 56pt }}</style></head><body>\\n")
        for number, body in pages:
            if not has_content(body) and drawn < MOST_DRAWN:
                body = draw(pdf, number, deadline)
                drawn += 1
            kept += body != ""
            file.write(begin_page(body) if number != "1" else body)
        file.write("</body></html>\\n")
    sys.exit(0 if kept else 3)
`
