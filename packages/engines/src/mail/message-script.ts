/** `message.py`: writes a message as HTML that loads nothing, or as text. */
export const messageScript = String.raw`import base64
import html
import re

from lxml import etree

from inert import DATA_IMAGE, LINK, body_of, clean_css, clean_tree, image_type, parse_html, styles_of, to_html

BLOCKS = {"p", "div", "tr", "table", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "dt",
          "dd", "hr", "header", "footer", "article"}


def size_of(count):
    if count < 1000:
        return str(count) + " B"
    return str(round(count / 1000)) + " kB" if count < 1000000 else str(round(count / 1000000, 1)) + " MB"


def balanced(css):
    depth = 0
    for letter in css:
        depth += 1 if letter == "{" else -1 if letter == "}" else 0
        if depth < 0:
            return False
    return depth == 0


class Renderer:
    def __init__(self):
        self.warnings = set()
        self.count = 0
        self.css = []
        self.files = []

    def title(self, message):
        return dict(message["headers"]).get("Subject") or "(no subject)"

    def sources(self, message):
        """The images a message brings along, by the names it calls them."""
        found = {}
        for one in message["attachments"]:
            names = [one.get("cid"), one.get("location"), one.get("name")]
            for key in (name.lower() for name in names if name):
                found.setdefault(key, one)
        return found

    def body(self, message, place):
        images = self.sources(message)
        used = set()

        def source(url):
            if DATA_IMAGE.match(url):
                return url
            key = re.sub(r"^cid:", "", url, flags=re.IGNORECASE).lower()
            one = images.get(key) or images.get(key.rsplit("/", 1)[-1]) or images.get(key.split("@")[0])
            kind = image_type(one["content"]) if one and one.get("content") else None
            if kind is None:
                if re.match(r"^(https?:)?//", url, re.IGNORECASE):
                    self.warnings.add("remote")
                return None
            used.add(id(one))
            return "data:" + kind + ";base64," + base64.b64encode(one["content"]).decode("ascii")

        def link(url):
            return url if LINK.match(url) else "#" + place + url[1:] if url.startswith("#") else None

        parts = []
        for kind, content in message["blocks"]:
            if kind == "html":
                root = parse_html(content)
                css = clean_css(styles_of(root), source)
                css = re.sub(r"(^|[},\s])(html|body)(?=[\s,{.:])", r"\1&", css)
                css = re.sub(r"@page[^{]*\{[^}]*\}", "", css, flags=re.IGNORECASE)
                if css.strip() and balanced(css):
                    self.css.append("#" + place + " { " + css + " }")
                inner = body_of(root)
                clean_tree(inner, source, link, anchor=lambda name: place + name)
                parts.append(to_html(inner))
            elif kind == "text":
                parts.append(quoted(content))
            elif kind == "image":
                one = message["attachments"][content]
                type_ = image_type(one["content"])
                if type_:
                    used.add(id(one))
                    data = base64.b64encode(one["content"]).decode("ascii")
                    parts.append('<p><img alt="" src="data:' + type_ + ";base64," + data + '"></p>')
        return parts, used

    def rest(self, message, used):
        """Attachments that are not shown in the body; what they are called and how large they are."""
        return [one for one in message["attachments"] if id(one) not in used]

    def render(self, message, depth=0):
        """The page of one message, then those attached to it."""
        self.count += 1
        place = "m" + str(self.count) + "-"
        parts, used = self.body(message, place)
        rows = "".join("<tr><th>" + html.escape(name) + "</th><td>" + html.escape(value) + "</td></tr>"
                       for name, value in message["headers"] if name != "Subject")
        title = html.escape(self.title(message))
        page = ['<article class="lathe-mail" id="' + place + '"><h1>' + title + "</h1>",
                '<table class="lathe-headers"><tbody>' + rows + "</tbody></table>",
                '<div class="lathe-body">', *parts, "</div>"]
        rest = self.rest(message, used)
        if rest:
            items = "".join("<li>" + html.escape(label(one)) + "</li>" for one in rest)
            page.append('<div class="lathe-attachments"><p>Attachments</p><ul>' + items + "</ul></div>")
        page.append("</article>")
        self.files += [one for one in rest if one.get("content")]
        for one in rest:
            if one.get("message") and depth < 5 and self.count < 2000:
                page += self.render(one["message"], depth + 1)
        return page

    def text(self, message, depth=0):
        self.count += 1
        shown = [name + ": " + value for name, value in message["headers"]]
        kinds = [kind for kind, _ in message["blocks"]]
        wanted = "plain" if "plain" in kinds else "text"
        bodies = [content.replace("\r\n", "\n") for kind, content in message["blocks"] if kind == wanted]
        if not any(body.strip() for body in bodies):
            bodies = [plain(content) for kind, content in message["blocks"] if kind == "html"]
        _, used = self.body(message, "x")
        self.warnings.discard("remote")
        rest = self.rest(message, used)
        lines = ["Attachment: " + label(one) for one in rest]
        self.files += [one for one in rest if one.get("content")]
        parts = ["\n".join([*shown, "", *bodies, *([""] + lines if lines else [])])]
        for one in rest:
            if one.get("message") and depth < 5 and self.count < 2000:
                parts += self.text(one["message"], depth + 1)
        return parts


def label(one):
    name = one.get("name") or one.get("type") or ("message" if one.get("message") else "unnamed")
    return name + (" (" + size_of(len(one["content"])) + ")" if one.get("content") else "")


def quoted(text):
    """Text with what it answers to set off."""
    lines = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        safe = html.escape("".join(one for one in line if one >= " " or one == "\t"))
        lines.append('<span class="lathe-quote">' + safe + "</span>" if line.startswith(">") else safe)
    return '<div class="lathe-text">' + "\n".join(lines) + "</div>"


def plain(content):
    """The words of HTML, a line for each block."""
    root = body_of(parse_html(content))
    clean_tree(root, lambda url: None, lambda url: url)
    out = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            out.append("\n" if tag in BLOCKS or tag == "br" else "\n- " if tag == "li" else "\t" if tag == "td" else "")
            out.append(re.sub(r"\s+", " ", element.text or ""))
        else:
            out.append("\n" if tag in BLOCKS else "")
            out.append(re.sub(r"\s+", " ", element.tail or "") if element is not root else "")
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", "".join(out).replace("\u00a0", " "))
    return re.sub(r"\n{3,}", "\n\n", text).strip()
`
