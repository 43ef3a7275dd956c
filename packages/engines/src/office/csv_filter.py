"""The options that describe a CSV file to LibreOffice: thirteen fields, of which most are empty."""

QUOTE = 34
CANDIDATES = b",;\t|"
ENGLISH = 1033


def reading(path, csv):
    separator = csv.get("separator") or _likeliest(path)
    formulas = "true" if csv["formulas"] else "false"
    # Fields in order: separator, quote, encoding, first line, columns, language, quoted as text, special numbers,
    # as shown, keep formulas, trim, sheet, work formulas out.
    return f"{separator},{QUOTE},{csv['encoding']},1,,{ENGLISH},false,false,false,false,false,0,{formulas}"


def writing(csv):
    quote = "true" if csv["quoteText"] else "false"
    return f"{csv['separator']},{QUOTE},{csv['encoding']},1,,{ENGLISH},{quote},false,true,false,false,{csv['sheet']},false"


def _likeliest(path):
    """The separator that stands in the first lines most evenly: as often in each as in the first."""
    with open(path, "rb") as file:
        lines = [line for line in file.read(65_536).replace(b"\0", b"").splitlines()[:20] if line.strip()]
    if not lines:
        return ord(",")
    counts = {code: [line.count(code) for line in lines] for code in CANDIDATES}
    even = [code for code, found in counts.items() if min(found) > 0 and min(found) == max(found)]
    return max(even or counts, key=lambda code: sum(counts[code]))
