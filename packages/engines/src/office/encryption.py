"""Whether a document that could not be loaded is one that wants a password."""
import struct
import zipfile

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# How a package of the newer Microsoft programs is called when it is encrypted, and the mark of an encrypted show.
PACKAGE = "EncryptedPackage".encode("utf-16-le")
SHOW = b"\xdf\xc4\xd1\xf3"
FILE_PASSWORD = 0x2F
SMALL = 4096
LOOK_AT_MOST = 64 * 1024 * 1024


def is_compound(path):
    with open(path, "rb") as file:
        return file.read(8) == COMPOUND


def is_zip(path):
    with open(path, "rb") as file:
        return file.read(4) == b"PK\x03\x04"


def is_encrypted(path):
    if not is_compound(path):
        return _is_encrypted_zip(path)
    with open(path, "rb") as file:
        content = file.read(LOOK_AT_MOST)
    if PACKAGE in content or SHOW in content:
        return True
    text = _stream_start(content, "WordDocument")
    if len(text) >= 12:
        return struct.unpack_from("<H", text, 10)[0] & 0x0100 != 0
    return _has_file_password(_stream_start(content, "Workbook") or _stream_start(content, "Book"))


def _is_encrypted_zip(path):
    try:
        with zipfile.ZipFile(path) as archive, archive.open("META-INF/manifest.xml") as manifest:
            return b"encryption-data" in manifest.read(LOOK_AT_MOST)
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError):
        return False


def _stream_start(content, name):
    """The first 4 KiB of a stream of a compound file whose parts lie one after another, as programs write them."""
    if len(content) < 512:
        return b""
    size = 1 << min(struct.unpack_from("<H", content, 30)[0], 16)
    directory = (struct.unpack_from("<I", content, 48)[0] + 1) * size
    at = content.find(name.encode("utf-16-le") + b"\0\0", directory)
    if at == -1 or at + 128 > len(content):
        return b""
    sector, length = struct.unpack_from("<II", content, at + 116)
    if length >= SMALL:
        start = (sector + 1) * size
    else:
        # Small streams share the one of the directory's first entry, in pieces of 64 bytes.
        (root,) = struct.unpack_from("<I", content, directory + 116)
        start = (root + 1) * size + sector * 64
    return content[start : start + SMALL]


def _has_file_password(book):
    at = 0
    # The record stands right after the one the stream begins with; a few more are walked to be sure.
    for _ in range(8):
        if at + 4 > len(book):
            return False
        kind, length = struct.unpack_from("<HH", book, at)
        if kind == FILE_PASSWORD:
            return True
        at += 4 + length
    return False
