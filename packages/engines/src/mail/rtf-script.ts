/** `rtf.py`: unpacks the RTF of Outlook messages (MS-OXRTFCP) and extracts its HTML (MS-OXRTFEX) or text. */
export const rtfScript = String.raw`import re
import struct

PREFILLED = (b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
             b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
             b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx")
TOKEN = re.compile(rb"\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.DOTALL)
CHARSETS = {0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258,
            177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250}
SKIPPED = {b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"header", b"footer", b"listtable"}
LETTERS = {b"par": "\n", b"line": "\n", b"tab": "\t", b"lquote": "\u2018", b"rquote": "\u2019", b"ldblquote": "\u201c",
           b"rdblquote": "\u201d", b"bullet": "\u2022", b"endash": "\u2013", b"emdash": "\u2014", b"row": "\n",
           b"cell": "\t", b"sect": "\n", b"page": "\n"}


def unpack(content, limit):
    """LZFu: a window of 4096 bytes, prefilled; references of 12 bits of place and 4 of length."""
    if len(content) < 16:
        return b""
    _, size, kind, _ = struct.unpack("<IIII", content[:16])
    if kind == 0x414C454D:
        return content[16:16 + min(size, limit)]
    if kind != 0x75465A4C:
        return b""
    window = bytearray(PREFILLED + bytes(4096 - len(PREFILLED)))
    place, at, result = len(PREFILLED), 16, bytearray()
    size = min(size, limit)
    while at < len(content) and len(result) < size:
        control = content[at]
        at += 1
        for bit in range(8):
            if control & (1 << bit):
                if at + 2 > len(content):
                    return bytes(result)
                reference = content[at] << 8 | content[at + 1]
                at += 2
                offset, length = reference >> 4, (reference & 15) + 2
                if offset == place:
                    return bytes(result)
                for step in range(length):
                    byte = window[(offset + step) % 4096]
                    result.append(byte)
                    window[place] = byte
                    place = (place + 1) % 4096
            else:
                if at >= len(content):
                    return bytes(result)
                byte = content[at]
                at += 1
                result.append(byte)
                window[place] = byte
                place = (place + 1) % 4096
    return bytes(result)


class Reader:
    def __init__(self, rtf):
        self.rtf = rtf
        self.is_html = b"\\fromhtml" in rtf[:2000]
        page = re.search(rb"\\ansicpg(\d{1,5})", rtf[:2000])
        self.page = int(page.group(1)) if page else 1252
        self.fonts = {}
        self.out = []
        self.pending = bytearray()

    def flush(self, font):
        if self.pending:
            page = self.fonts.get(font, self.page) or self.page
            name = "utf-8" if page == 65001 else "mac_roman" if page == 10000 else "cp" + str(page)
            try:
                self.out.append(self.pending.decode(name, "replace"))
            except LookupError:
                self.out.append(self.pending.decode("cp1252", "replace"))
            self.pending = bytearray()

    def read(self):
        """HTML where the RTF was made from it, text otherwise. Groups are a list, so their depth costs no stack."""
        state = {"skip": False, "tag": False, "hidden": False, "font": None, "uc": 1, "fonts": False}
        stack, drop, starred = [], 0, False
        for match in TOKEN.finditer(self.rtf):
            word, number, byte, symbol, brace, text = match.groups()
            if brace == b"{":
                stack.append(dict(state))
                starred = False
                continue
            if brace == b"}":
                self.flush(state["font"])
                state = stack.pop() if stack else state
                continue
            if symbol == b"*":
                starred = True
                continue
            if word is not None:
                value = int(number) if number else None
                self.control(word, value, starred, state)
                if word == b"u" and value is not None:
                    if self.is_shown(state):
                        self.flush(state["font"])
                        self.out.append(chr(value % 65536))
                    drop = state["uc"]
                starred = False
                continue
            starred = False
            if byte is not None or text is not None or symbol in (b"\\", b"{", b"}", b"~", b"_"):
                data = bytes([int(byte, 16)]) if byte else text if text is not None else b" " if symbol == b"~" else symbol
                if drop:
                    taken = min(drop, len(data))
                    drop -= taken
                    data = data[taken:]
                if self.is_shown(state):
                    self.pending += data
        self.flush(state["font"])
        text = "".join(self.out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return ("html" if self.is_html else "text"), text

    def is_shown(self, state):
        return not state["skip"] and not state["hidden"]

    def control(self, word, value, starred, state):
        if word == b"fonttbl":
            state["fonts"] = True
        if word in SKIPPED:
            state["skip"] = True
        elif word == b"htmltag":
            state["tag"], state["skip"] = True, False
        elif starred and word not in (b"htmltag",):
            state["skip"] = True
        elif word == b"htmlrtf":
            self.flush(state["font"])
            state["hidden"] = value != 0
        elif word == b"uc":
            state["uc"] = value if value is not None else 1
        elif word == b"f":
            self.flush(state["font"])
            state["font"] = value
        elif word == b"fcharset" and state["fonts"]:
            self.fonts[state["font"]] = CHARSETS.get(value, self.page)
        elif word in LETTERS and self.is_shown(state):
            # HTML in RTF has its own tags for lines; these words are line ends between them.
            self.flush(state["font"])
            self.out.append(LETTERS[word])


def read_rtf(content, limit=64 * 1024 * 1024):
    """The kind, html or text, and the text of a packed RTF; an empty text if there is none."""
    rtf = unpack(content, limit)
    return Reader(rtf).read() if rtf.startswith(b"{\\rtf") else ("text", "")
`
