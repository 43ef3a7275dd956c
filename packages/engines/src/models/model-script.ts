/**
 * `model.py`: lets Assimp read one file and write another. Models refer to further files, and Assimp would open them
 * anywhere. Here it must ask the script for each file, and only gets the model itself.
 */
export const modelScript = `import ctypes
import sys
import threading

UNREADABLE, LACKING = 10, 11
# Assimp walks through what is nested by calling itself.
STACK = 512 * 1024 * 1024

pointer, text, size, status = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
SUCCESS, FAILURE = 0, -1

READ = ctypes.CFUNCTYPE(size, pointer, pointer, size, size)
TELL = ctypes.CFUNCTYPE(size, pointer)
SEEK = ctypes.CFUNCTYPE(status, pointer, size, status)
FLUSH = ctypes.CFUNCTYPE(None, pointer)
OPEN = ctypes.CFUNCTYPE(pointer, pointer, text, text)
CLOSE = ctypes.CFUNCTYPE(None, pointer, pointer)


class File(ctypes.Structure):
    _fields_ = [("read", READ), ("write", READ), ("tell", TELL), ("size", TELL), ("seek", SEEK), ("flush", FLUSH),
                ("data", pointer)]


class Files(ctypes.Structure):
    _fields_ = [("open", OPEN), ("close", CLOSE), ("data", pointer)]


class Source:
    """The bytes of the model as a file of Assimp's; it may be open several times, each time at its own place."""

    def __init__(self, content):
        self.content = content
        self.places = {}
        self.held = {}

    def open(self, mode):
        if b"w" in mode or b"a" in mode or b"+" in mode:
            return None
        file = File(READ(self.read), READ(lambda *_: 0), TELL(self.tell), TELL(lambda _: len(self.content)),
                    SEEK(self.seek), FLUSH(lambda _: None), None)
        address = ctypes.addressof(file)
        self.held[address], self.places[address] = file, 0
        return address

    def close(self, address):
        self.held.pop(address, None)
        self.places.pop(address, None)

    def read(self, address, target, length, count):
        at = self.places[address]
        whole = min(count, (len(self.content) - at) // length) if length else 0
        taken = whole * length
        ctypes.memmove(target, self.content[at:at + taken], taken)
        self.places[address] = at + taken
        return whole

    def tell(self, address):
        return self.places[address]

    def seek(self, address, offset, origin):
        start = (0, self.places[address], len(self.content))[origin]
        # Offsets below zero come as numbers without a sign.
        place = start + ctypes.c_ssize_t(offset).value
        if not 0 <= place <= len(self.content):
            return FAILURE
        self.places[address] = place
        return SUCCESS


def convert(name, target, exporter):
    lib = ctypes.CDLL("libassimp.so.5")
    lib.aiImportFileEx.restype, lib.aiImportFileEx.argtypes = pointer, [text, ctypes.c_uint, pointer]
    lib.aiExportScene.restype, lib.aiExportScene.argtypes = status, [pointer, text, text, ctypes.c_uint]
    lib.aiGetErrorString.restype = text
    with open(name, "rb") as file:
        source = Source(file.read())
    asked = name.encode()
    others = []

    def open_file(_, path, mode):
        if path == asked:
            return source.open(mode)
        others.append(path)
        return None

    files = Files(OPEN(open_file), CLOSE(lambda _, address: source.close(address)), None)
    scene = lib.aiImportFileEx(asked, 0, ctypes.addressof(files))
    if not scene:
        sys.stderr.write((lib.aiGetErrorString() or b"").decode("utf-8", "replace")[:2000])
        return LACKING if others else UNREADABLE
    if others:
        print("others")
    return 0 if lib.aiExportScene(scene, exporter.encode(), target.encode(), 0) == SUCCESS else 1


def main():
    ends = [1]

    def run():
        ends[0] = convert(*sys.argv[1:4])

    threading.stack_size(STACK)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    sys.exit(ends[0])
`
