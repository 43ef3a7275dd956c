/**
 * `id3.py`: puts the tag of one MP3 file in front of the audio of another. FFmpeg would drop the first frame, which
 * tells players where the audio begins and ends.
 */
export const id3Script = `import sys


def tag_size(file, at):
    """The size of the ID3 tag at a place of a file, or 0."""
    file.seek(at)
    head = file.read(10)
    if len(head) < 10 or head[:3] != b"ID3" or max(head[6:10]) > 127:
        return 0
    size = head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9]
    return size + (20 if head[5] & 16 else 10)


def start_of(file, end):
    at = 0
    while True:
        size = tag_size(file, at)
        if size == 0 or at + size > end:
            return at
        at += size


def block_at_end(file, start, end, remove):
    """How many bytes before the end are a tag and go."""
    def bytes_at(back, count):
        if end - back < start:
            return b""
        file.seek(end - back)
        return file.read(count)

    if bytes_at(128, 3) == b"TAG":
        return 128
    if remove == "none":
        return 0
    ape = bytes_at(32, 32)
    if ape[:8] == b"APETAGEX":
        size = int.from_bytes(ape[12:16], "little")
        return min(size + (32 if ape[23] & 128 else 0), end - start)
    if bytes_at(9, 9) == b"LYRICS200":
        digits = bytes_at(15, 6)
        return min(int(digits) + 15, end - start) if digits.isdigit() else 0
    footer = bytes_at(10, 10)
    if footer[:3] == b"3DI" and max(footer[6:10]) < 128:
        size = footer[6] << 21 | footer[7] << 14 | footer[8] << 7 | footer[9]
        return min(size + 20, end - start)
    return 0


def main():
    source, tagged, target, remove = sys.argv[1:5]
    with open(tagged, "rb") as file:
        size = tag_size(file, 0)
        file.seek(0)
        tag = file.read(size)
    with open(source, "rb") as file, open(target, "wb") as out:
        end = file.seek(0, 2)
        start = start_of(file, end)
        while True:
            block = block_at_end(file, start, end, remove)
            if block == 0:
                break
            end -= block
        out.write(tag)
        file.seek(start)
        left = end - start
        while left > 0:
            piece = file.read(min(left, 1024 * 1024))
            if not piece:
                break
            out.write(piece)
            left -= len(piece)
`
