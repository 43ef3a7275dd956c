/** `shapes.py`: unpacks shapefiles from a ZIP under names that Lathe chose, and packs them into one. */
export const shapesScript = String.raw`import os
import shutil
import zipfile
import zlib

from copying import refuse

ENDINGS = ("shp", "shx", "dbf", "prj", "cpg")
SHAPE = b"\0\0\x27\x0a"


def unpack_shapes(path, limits, report):
    """A folder of shapefiles, and what their layers are called by their owner."""
    os.mkdir("shape")
    with open(path, "rb") as file:
        if file.read(4) == SHAPE:
            report.warn("alone")
            shutil.copyfile(path, "shape/layer_1.shp")
            return "shape", {"layer_1": "map"}
    try:
        with zipfile.ZipFile(path) as archive:
            return "shape", unpack(archive, limits)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        refuse("damaged")


def unpack(archive, limits):
    stems, names, room = {}, {}, limits["unpacked"]
    for entry in archive.infolist():
        stem, _, ending = entry.filename.rpartition(".")
        # Programs of macOS put files of theirs next to others.
        if ending.lower() in ENDINGS and not os.path.basename(stem).startswith("._"):
            stems.setdefault(stem, []).append((entry, ending.lower()))
    stems = {stem: parts for stem, parts in stems.items() if any(ending == "shp" for _, ending in parts)}
    if not stems:
        refuse("damaged")
    if len(stems) > limits["layers"]:
        refuse("layers")
    for number, (stem, parts) in enumerate(stems.items(), 1):
        name = "layer_" + str(number)
        names[name] = os.path.basename(stem.replace("\\", "/"))[:60] or name
        for entry, ending in parts:
            with archive.open(entry) as source, open("shape/" + name + "." + ending, "wb") as target:
                while True:
                    part = source.read(1 << 20)
                    room -= len(part)
                    if room < 0:
                        refuse("unpacked")
                    if not part:
                        break
                    target.write(part)
    return names


def pack_shapes(folder, path):
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(os.listdir(folder)):
            # A date of its own would make each run's archive another one.
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with open(os.path.join(folder, name), "rb") as source, archive.open(entry, "w") as target:
                shutil.copyfileobj(source, target, 1 << 20)
`
