/**
 * Splits a PDF into parts with qpdf. A part begins after a number of pages, at page ranges, at bookmarks of the highest
 * level, or where the part would be larger than allowed. Reports as JSON how many parts there are, and how many are too
 * large.
 */
export const splitScript = `import glob
import json
import os
import subprocess
import sys

import pikepdf


def write(source, ranges, out):
    subprocess.run(["qpdf", "--warning-exit-0", "--empty", "--pages", source, ranges, "--", out], check=True)


def name_of(prefix, number):
    return f"{prefix}-{number}.pdf"


def bookmark_starts(pdf):
    pages = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
    starts = {1}
    with pdf.open_outline() as outline:
        for item in outline.root:
            number = pages.get(target_of(pdf, item))
            if number is not None:
                starts.add(number)
    return sorted(starts)


def target_of(pdf, item):
    destination = item.destination
    if destination is None and item.action is not None and item.action.get("/S") == "/GoTo":
        destination = item.action.get("/D")
    if isinstance(destination, (pikepdf.String, pikepdf.Name)):
        destination = named(pdf, destination)
    if isinstance(destination, pikepdf.Dictionary):
        destination = destination.get("/D")
    if isinstance(destination, pikepdf.Array) and len(destination) > 0:
        page = destination[0]
        return page.objgen if isinstance(page, pikepdf.Dictionary) else None
    return None


def named(pdf, name):
    key = str(name)
    old = pdf.Root.get("/Dests")
    if isinstance(old, pikepdf.Dictionary) and key.startswith("/") and key in old:
        return old[key]
    tree = pdf.Root.get("/Names", pikepdf.Dictionary()).get("/Dests")
    if not isinstance(tree, pikepdf.Dictionary):
        return None
    return pikepdf.NameTree(tree).get(key)


def by_size(source, prefix, total, most):
    """Takes as many pages as fit, by halving: sizes grow with pages, though not evenly."""
    first, number, large, guess = 1, 0, 0, 8
    while first <= total:
        number += 1
        out = name_of(prefix, number)
        low, high = first, None
        write(source, str(first), out)
        if os.path.getsize(out) > most:
            large += 1
        else:
            while low < total and (high is None or high - low > 1):
                last = min(total, low + guess) if high is None else (low + high) // 2
                write(source, f"{first}-{last}", "try.pdf")
                if os.path.getsize("try.pdf") <= most:
                    low = last
                    os.replace("try.pdf", out)
                else:
                    high = last
        guess = max(1, low - first)
        first = low + 1
    return number, large


def by_pages(source, prefix, each):
    """qpdf names its files after their pages, with as many digits as the last has."""
    subprocess.run(["qpdf", "--warning-exit-0", f"--split-pages={each}", source, "piece-%d.pdf"], check=True)
    pieces = sorted(glob.glob("piece-*.pdf"))
    for number, piece in enumerate(pieces, 1):
        os.replace(piece, name_of(prefix, number))
    return len(pieces)


def main():
    source, prefix, asking = sys.argv[1:4]
    with open(asking) as file:
        ask = json.load(file)
    # An earlier attempt, before the file was repaired, may have come as far as this.
    for left in glob.glob(f"{prefix}-*.pdf"):
        os.remove(left)
    if ask["by"] == "bookmarks":
        with pikepdf.open(source) as pdf:
            total, starts = len(pdf.pages), bookmark_starts(pdf)
        ends = [start - 1 for start in starts[1:]] + [total]
        ask["ranges"] = [f"{start}-{end}" for start, end in zip(starts, ends)]
    large = 0
    if ask["by"] == "pages":
        parts = by_pages(source, prefix, ask["each"])
    elif ask["by"] == "size":
        parts, large = by_size(source, prefix, ask["pages"], ask["most"])
    else:
        parts = len(ask["ranges"])
        for number, pages in enumerate(ask["ranges"], 1):
            write(source, pages, name_of(prefix, number))
    print(json.dumps({"parts": parts, "large": large}))


if __name__ == "__main__":
    main()
`
