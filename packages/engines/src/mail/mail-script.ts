/** `mail.py`: converts a message or a mailbox to one page or one text, and attachments to files if requested. */
export const mailScript = String.raw`import json
import sys

from lxml import etree

from inert import refuse, write_page
from message import Renderer
from mime import read_eml, read_mbox
from msg import read_msg


def read(ask):
    limits = ask["limits"]
    if ask["kind"] == "msg":
        try:
            return [read_msg(ask["input"])], 1
        except RecursionError:
            raise
        except Exception as error:
            sys.stderr.write(repr(error))
            refuse("damaged")
    with open(ask["input"], "rb") as file:
        content = file.read(limits["bytes"] + 1)
    if len(content) > limits["bytes"]:
        refuse("mail")
    return ([read_eml(content)], 1) if ask["kind"] == "eml" else read_mbox(content, limits["messages"])


def is_empty(message):
    return not message["headers"] and not any(str(content).strip() for _, content in message["blocks"]) \
        and not message["attachments"]


def save(files, limits):
    """Writes attachments under names of ours; what they are called is only told."""
    for n, one in enumerate(files[:limits["attachments"]], 1):
        with open("att-" + str(n) + ".bin", "xb") as file:
            file.write(one["content"])
        name = one.get("name") or ""
        name = name + ".eml" if one.get("eml") and not name.lower().endswith(".eml") else name
        print(json.dumps({"file": "att-" + str(n) + ".bin", "name": name[-200:]}))


def render():
    with open("mail.json", encoding="utf-8") as file:
        ask = json.load(file)
    messages, count = read(ask)
    if all(is_empty(message) for message in messages):
        refuse("damaged")
    renderer = Renderer()
    if ask["text"]:
        texts = [text for message in messages for text in renderer.text(message)]
        with open(ask["output"], "w", encoding="utf-8", errors="replace") as file:
            file.write(("\n\n" + "-" * 72 + "\n\n").join(texts) + "\n")
    else:
        parts = [part for message in messages for part in renderer.render(message)]
        write_page(ask["output"], parts, title=renderer.title(messages[0]), css=ask["css"] + "\n".join(renderer.css),
                   limit=ask["limits"]["page"])
    if ask["attachments"]:
        save(renderer.files, ask["limits"])
    taken = min(len(renderer.files), ask["limits"]["attachments"]) if ask["attachments"] else 0
    print(json.dumps({"left": len(renderer.files) - taken, "remote": "remote" in renderer.warnings,
                      "count": count, "messages": len(messages)}))


def main():
    try:
        render()
    except RecursionError:
        refuse("deep")
    except etree.LxmlError as error:
        sys.stderr.write(repr(error))
        refuse("damaged")
`
