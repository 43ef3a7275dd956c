/**
 * `look.py`: prints what the headers of each file in a list state, one line of JSON per file. It runs in the engines'
 * sandbox, because the files are untrusted.
 */
export const lookScript = String.raw`import email.policy, io, json, re, subprocess, sys, zipfile
from email.parser import BytesParser

import olefile
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
IMAGES = re.compile(r"\.(png|jpe?g|jpe|jfif)$", re.IGNORECASE)
EMBEDDED = re.compile(r"\.(png|jpe?g|gif|svg|webp|otf|ttf|woff2?)$", re.IGNORECASE)
MOST_INNER = 2 ** 26


def ask(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20)
    return done.stdout.decode("utf-8", "replace")


def look_zip(file, depth=0):
    found = {"entries": 0, "bytes": 0, "packed": 0, "depth": depth, "own": 0, "image": 0, "pixels": 0, "page": 0}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            found["entries"] += 1
            found["own"] += 1
            found["bytes"] += info.file_size
            found["packed"] += info.compress_size
            found["page"] += info.file_size * 4 // 3 if EMBEDDED.search(info.filename) else info.file_size
            is_image = IMAGES.search(info.filename)
            if is_image:
                found["image"] = max(found["image"], info.file_size)
            if depth < 16 and info.file_size < MOST_INNER:
                look_inside(archive, info, found, depth, is_image)
    return found


def look_inside(archive, info, found, depth, is_image):
    """A part of an archive: an image, or another archive. What cannot be read is passed over."""
    try:
        with archive.open(info) as part:
            if not is_image and part.read(4) != b"PK\x03\x04":
                return
        data = io.BytesIO(archive.read(info))
        if is_image:
            with Image.open(data) as image:
                found["pixels"] = max(found["pixels"], image.size[0] * image.size[1])
            return
        inner = look_zip(data, depth + 1)
        for name in ("entries", "bytes"):
            found[name] += inner[name]
        found["depth"] = max(found["depth"], inner["depth"])
    except Exception:
        pass


def look_image(path):
    with Image.open(path) as image:
        return {"width": image.size[0], "height": image.size[1], "frames": getattr(image, "n_frames", 1)}


def rate_of(text):
    over, _, under = (text or "0/1").partition("/")
    return float(over) / float(under) if float(under or 0) else 0


def look_media(path):
    told = json.loads(ask("ffprobe", "-v", "quiet", "-show_format", "-show_streams", "-show_chapters", "-of", "json", path))
    streams = told.get("streams", [])
    videos = [one for one in streams
             if one.get("codec_type") == "video" and not one.get("disposition", {}).get("attached_pic")]
    return {"side": max([0, *(max(one.get("width", 0), one.get("height", 0)) for one in videos)]),
            "rate": max([0, *(rate_of(one.get("avg_frame_rate")) for one in videos)]),
            "streams": len(streams), "chapters": len(told.get("chapters", [])),
            "seconds": float(told.get("format", {}).get("duration") or 0)}


def look_pdf(path):
    told = ask("pdfinfo", "-f", "1", "-l", "20000", path)
    pages = re.search(r"^Pages: +(\d+)", told, re.MULTILINE)
    sides = [float(side) for pair in re.findall(r"^Page .*size: +([\d.]+) x ([\d.]+) pts", told, re.MULTILINE) for side in pair]
    return {"pages": int(pages.group(1)) if pages else 0, "points": max([0, *sides])}


def look_mail(path, kind):
    if kind == "msg":
        with olefile.OleFileIO(path) as storage:
            names = {entry[0] for entry in storage.listdir(streams=False, storages=True)}
        return {"messages": 1, "attachments": len([name for name in names if name.startswith("__attach")])}
    with open(path, "rb") as file:
        content = file.read()
    parts = re.split(rb"(?m)^From (?=\S+ .*\d{4})", content)[1:] if kind == "mbox" else [content]
    read = [BytesParser(policy=email.policy.default).parsebytes(part) for part in parts[:5000]]
    return {"messages": len(parts), "attachments": sum(len(list(attached(one))) for one in read)}


def attached(message):
    for part in message.walk():
        if part.get_content_disposition() == "attachment" or part.get_filename():
            yield part


LOOKS = {"zip": lambda path, _: look_zip(path), "image": lambda path, _: look_image(path),
         "media": lambda path, _: look_media(path), "pdf": lambda path, _: look_pdf(path), "mail": look_mail}

with open("list.json", encoding="utf-8") as file:
    wanted = json.load(file)
for n, (path, kind, looks) in wanted:
    # Should a file end this program, whoever reads this knows which one it was.
    print(json.dumps({"begins": n}), flush=True)
    found = {"n": n}
    for look in looks:
        try:
            found[look] = LOOKS[look](path, kind)
        except Exception:
            pass
    print(json.dumps(found), flush=True)
`
