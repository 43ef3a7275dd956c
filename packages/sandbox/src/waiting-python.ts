// Like scripts/engine-root/await-arguments.c for programs, but later: after the modules and their imports are loaded.
const loader = `import importlib
import importlib.util
import os
import resource
import struct
import sys

CANNOT_RUN = 126


def read_all(size):
    parts = []
    while size > 0:
        part = os.read(0, min(size, 1 << 20))
        # The worker is gone, or does not need this after all.
        if not part:
            os._exit(CANNOT_RUN)
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_words():
    count, size = struct.unpack("=II", read_all(8))
    words = read_all(size).decode("utf-8").split("\\0")[:-1]
    if len(words) != count:
        os._exit(CANNOT_RUN)
    return words


class Given:
    """Finds modules among those that were sent, before any of the same name that is installed."""

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in sources else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(sources[module.__name__], module.__name__ + ".py", "exec"), module.__dict__)


words = read_words()
sources = dict(zip(words[::2], words[1::2]))
sys.meta_path.insert(0, Given())
first = importlib.import_module(words[0])
limit, *sys.argv = read_words()
resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
empty = os.open("/dev/null", os.O_RDONLY)
os.dup2(empty, 0)
os.close(empty)
os.chdir("/job")
first.main()
sys.stdout.flush()
sys.stderr.flush()
# To take everything apart again would take longer than many runs.
os._exit(0)
`

/**
 * The Python arguments that load our modules and wait for the program's arguments. Standard input carries two requests
 * in the form of `toRequest`: names and texts of the modules, then the largest file it may write and its arguments.
 */
export const waitingPython: readonly string[] = ['-I', '-B', '-c', loader]
