/**
 * `markup.py`: converts XML to values and back. What plain XML cannot express is marked by attributes in Lathe's
 * namespace.
 */
export const xmlScript = String.raw`import re

from lxml import etree

from values import NUMBER, SPECIAL, Number, guess, is_leaf, json_leaf, mend, refuse

SPACE = "urn:lathe:data"
TYPE, KEY, WRAPPER = ("{" + SPACE + "}" + name for name in ("type", "key", "wrapper"))
# Those of XML that need no table of Unicode ranges: others are written as keys.
NAME = re.compile(r"[A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u0400-\u1fff\u3001-\ud7ff]"
                  r"[A-Za-z0-9_.\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u0400-\u1fff\u3001-\ud7ff-]*\Z")

# What parsers accept as the name of a namespace.
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9/.:_?=&%#~+-]+\Z")


def is_space(value):
    return isinstance(value, str) and value != SPACE and ADDRESS.match(value) is not None


def read_xml(content, ask, report):
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
                             huge_tree=False, remove_comments=True, remove_pis=True, strip_cdata=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error):
            refuse("deep")
        line, column = error.position
        refuse("syntax", line, max(column, 1))
    kinds = root.getroottree().docinfo.internalDTD
    if kinds is not None and any(True for _ in kinds.iterentities()):
        refuse("entities")
    reader = XmlReader(ask, report)
    value = reader.value(root)
    return value if root.get(WRAPPER) == "true" else {reader.name(root): value}


class XmlReader:
    def __init__(self, ask, report):
        self.typed, self.report, self.left = ask["types"] == "auto", report, ask["limits"]["values"]

    def guess(self, text):
        return guess(text) if self.typed else text

    def name(self, element):
        key = element.get(KEY)
        if key is not None:
            return key
        local = etree.QName(element).localname
        return element.prefix + ":" + local if element.prefix else local

    def attributes(self, element):
        found = {}
        above = element.getparent().nsmap if element.getparent() is not None else {}
        for prefix, uri in element.nsmap.items():
            if uri != SPACE and above.get(prefix) != uri:
                found["@xmlns:" + prefix if prefix else "@xmlns"] = uri
        prefixes = {uri: prefix for prefix, uri in element.nsmap.items() if prefix}
        for raw, text in element.attrib.items():
            name = etree.QName(raw)
            if name.namespace == SPACE:
                continue
            if name.namespace == "http://www.w3.org/XML/1998/namespace":
                found["@xml:" + name.localname] = text
            elif name.namespace:
                found["@" + prefixes.get(name.namespace, "") + ":" + name.localname] = self.guess(text)
            else:
                found["@" + name.localname] = self.guess(text)
        return found

    def value(self, element):
        self.left -= 1 + len(element.attrib)
        if self.left < 0:
            refuse("values")
        kind = element.get(TYPE)
        if kind == "list":
            return [self.value(child) for child in element]
        text = element.text or ""
        made = self.attributes(element)
        if len(element) == 0:
            if kind == "text":
                value = text
            elif kind == "number":
                value = Number(text) if NUMBER.match(text) or text in SPECIAL else text
            elif kind == "object":
                return made
            else:
                value = self.guess(text if text.strip() else "")
            if not made:
                return value
            return {**made, "#text": value} if value not in (None, "") or kind == "text" else made
        return self.children(element, made)

    def children(self, element, made):
        texts = [element.text or "", *[child.tail or "" for child in element]]
        lists = set()
        for child in element:
            if not isinstance(child.tag, str):
                refuse("entities")
            name, value = self.name(child), self.value(child)
            if name not in made:
                made[name] = value
            elif name in lists:
                made[name].append(value)
            else:
                lists.add(name)
                made[name] = [made[name], value]
        spoken = [text for text in texts if text.strip()]
        if spoken:
            if len(spoken) > 1 or not texts[0].strip():
                self.report.warn("mixed")
            made["#text"] = "".join(spoken)
        return made


def escape(text, attribute=False):
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    if attribute:
        text = text.replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return text


def is_guessed(value, written):
    """Whether a reader finds the same value without a mark."""
    if isinstance(value, str):
        return value != "" and guess(value) is not None and isinstance(guess(value), str) and bool(value.strip())
    if isinstance(value, Number):
        return isinstance(guess(written), Number)
    return True


class XmlWriter:
    def __init__(self, file, indent, report):
        self.file, self.indent, self.report = file, indent, report

    def write(self, value):
        self.file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        own = ' xmlns:lathe="' + SPACE + '"'
        if isinstance(value, dict) and len(value) == 1:
            key, inner = next(iter(value.items()))
            if not isinstance(inner, list) and self.is_name(key, self.declared({}, inner)):
                self.element(key, inner, {}, 0, own if self.needs_marks(inner) else "")
                return
        self.element("root", value, {}, 0, own + ' lathe:wrapper="true"')

    def needs_marks(self, value):
        stack = [(value, {})]
        while stack:
            one, scope = stack.pop()
            if isinstance(one, dict):
                scope = self.declared(scope, one)
                if not one:
                    return True
                for key, inner in one.items():
                    if not self.is_plain(one, key, inner, scope):
                        return True
                    if key[:1] not in ("@", "#"):
                        stack.append((inner, scope))
            elif isinstance(one, list):
                if len(one) < 2 or any(isinstance(inner, list) for inner in one):
                    return True
                stack.extend((inner, scope) for inner in one)
            elif not is_guessed(one, self.text(one)):
                return True
        return False

    def declared(self, scope, value):
        """The prefixes that an object declares, besides those around it."""
        if not isinstance(value, dict):
            return scope
        own = {key[7:]: one for key, one in value.items() if key.startswith("@xmlns:") and is_space(one)
               and NAME.match(key[7:]) and not key[7:].startswith("xml") and key[7:] != "lathe"}
        return {**scope, **own} if own else scope

    def is_name(self, key, scope):
        prefix, colon, local = key.rpartition(":")
        if not NAME.match(local) or (not colon and local.lower().startswith("xml")):
            return False
        return not colon or prefix in scope

    def is_plain(self, owner, key, value, scope):
        """Whether a key of an object is an attribute, the text, or an element of that name."""
        if key.startswith("@"):
            name = key[1:]
            if name == "xmlns" or name.startswith("xmlns:"):
                return is_space(value) and (name == "xmlns" or name[6:] in scope)
            if not is_leaf(value) or value is None or (isinstance(value, str) and not value.strip() and value):
                return False
            known = name in ("xml:lang", "xml:space", "xml:id", "xml:base") or self.is_name(name, scope)
            return known and is_guessed(value, self.text(value)) and not CONTROL.search(self.text(value))
        if key == "#text":
            alone = all(one[:1] == "@" for one in owner if one != "#text")
            plain = is_leaf(value) and value is not None and is_guessed(value, self.text(value))
            others = all(self.is_plain(owner, one, owner[one], scope) for one in owner if one[:1] == "@")
            return plain and len(owner) > 1 and (alone and others or isinstance(value, str))
        return self.is_name(key, scope)

    def text(self, value):
        return value if isinstance(value, str) else value.text if isinstance(value, Number) else json_leaf(value, self.report)

    def pad(self, level):
        return "\n" + " " * (self.indent * level) if self.indent else ""

    def element(self, key, value, scope, level, more=""):
        scope = self.declared(scope, value)
        name = key
        if not self.is_name(key, scope):
            name, more = "item", more + ' lathe:key="' + escape(mend(key, self.report, True), True) + '"'
        write = self.file.write
        if isinstance(value, dict):
            return self.object(name, value, scope, level, more)
        if isinstance(value, list):
            write("<" + name + more + ' lathe:type="list">')
            for one in value:
                write(self.pad(level + 1))
                self.element("item", one, scope, level + 1)
            write((self.pad(level) if value else "") + "</" + name + ">")
        elif value is None:
            write("<" + name + more + "/>")
        else:
            text = self.text(value)
            mark = "" if is_guessed(value, text) else ' lathe:type="' + ("number" if isinstance(value, Number) else "text") + '"'
            write("<" + name + more + mark + ">" + escape(mend(text, self.report, True)) + "</" + name + ">")

    def object(self, name, value, scope, level, more):
        write = self.file.write
        plain = {key for key in value if key[:1] in ("@", "#") and self.is_plain(value, key, value[key], scope)}
        attributes = "".join(
            " " + key[1:] + '="' + escape(mend(self.text(one), self.report, True), True) + '"'
            for key, one in value.items() if key in plain and key[0] == "@")
        children = [(key, one) for key, one in value.items() if key not in plain]
        text = escape(mend(self.text(value["#text"]), self.report, True)) if "#text" in plain else ""
        if not children:
            # Attributes tell an object from a text; without any it has to be said.
            mark = "" if value else ' lathe:type="object"'
            write("<" + name + more + attributes + mark + (">" + text + "</" + name + ">" if text else "/>"))
            return
        write("<" + name + more + attributes + ">" + text)
        for key, one in children:
            is_many = isinstance(one, list) and len(one) > 1 and not any(isinstance(inner, list) for inner in one)
            for inner in one if is_many else [one]:
                # White space next to a text would become part of it.
                write("" if text else self.pad(level + 1))
                self.element(key, inner, scope, level + 1)
        write(("" if text else self.pad(level)) + "</" + name + ">")


CONTROL = re.compile("[\x00-\x1f]")


def write_xml(value, file, ask, report):
    XmlWriter(file, ask["indent"], report).write(value)
    file.write("\n")
`
