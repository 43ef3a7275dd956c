/**
 * `libarchive.py`: the few functions of libarchive that the other scripts need. It opens files by name and never writes
 * to paths from an archive.
 */
export const libarchiveScript = `import ctypes
import locale
import sys

# Names are converted to the character set of the locale.
locale.setlocale(locale.LC_CTYPE, "C.UTF-8")

lib = ctypes.CDLL("libarchive.so.13")
pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
EOF, RETRY, WARN, FAILED, FATAL = 1, -10, -20, -25, -30


def declare(name, result, *arguments):
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments
    return function


read_new = declare("archive_read_new", pointer)
append_filter = declare("archive_read_append_filter", number, pointer, number)
add_passphrase = declare("archive_read_add_passphrase", number, pointer, text)
open_filename = declare("archive_read_open_filename", number, pointer, text, ctypes.c_size_t)
next_header = declare("archive_read_next_header", number, pointer, ctypes.POINTER(pointer))
read_data = declare("archive_read_data", ctypes.c_ssize_t, pointer, pointer, ctypes.c_size_t)
format_of = declare("archive_format", number, pointer)
has_encrypted = declare("archive_read_has_encrypted_entries", number, pointer)
error_string = declare("archive_error_string", text, pointer)
pathname = declare("archive_entry_pathname", text, pointer)
pathname_utf8 = declare("archive_entry_pathname_utf8", text, pointer)
hardlink = declare("archive_entry_hardlink", text, pointer)
filetype = declare("archive_entry_filetype", ctypes.c_uint, pointer)
is_encrypted = declare("archive_entry_is_data_encrypted", number, pointer)

write_new = declare("archive_write_new", pointer)
write_open = declare("archive_write_open_filename", number, pointer, text)
write_header = declare("archive_write_header", number, pointer, pointer)
write_data = declare("archive_write_data", ctypes.c_ssize_t, pointer, text, ctypes.c_size_t)
write_close = declare("archive_write_close", number, pointer)
set_options = declare("archive_write_set_options", number, pointer, text)
set_passphrase = declare("archive_write_set_passphrase", number, pointer, text)
entry_new = declare("archive_entry_new", pointer)
entry_free = declare("archive_entry_free", None, pointer)
set_pathname = declare("archive_entry_set_pathname_utf8", None, pointer, text)
set_size = declare("archive_entry_set_size", None, pointer, ctypes.c_int64)
set_filetype = declare("archive_entry_set_filetype", None, pointer, ctypes.c_uint)
set_perm = declare("archive_entry_set_perm", None, pointer, ctypes.c_uint)
set_mtime = declare("archive_entry_set_mtime", None, pointer, ctypes.c_int64, ctypes.c_long)


def call(name, archive):
    """Calls a function that only switches a format or filter on."""
    if declare(name, number, pointer)(archive) < WARN:
        raise RuntimeError(f"{name}: {error_of(archive)}")


def error_of(archive):
    return (error_string(archive) or b"").decode("utf-8", "replace")


def refuse(word, detail=""):
    print(detail, file=sys.stderr)
    print(f"refused: {word}", file=sys.stderr)
    sys.exit(3)
`
