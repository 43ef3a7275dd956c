"""How a document is laid out on pages, where it is not left to the document."""
from refusal import Refusal


def lay_out(document, layout):
    if "sheets" in layout:
        show_only(document, layout["sheets"])
    if "orientation" in layout:
        turn(document, layout["orientation"] == "landscape")
    if layout.get("fitToWidth"):
        fit_to_width(document)


def page_styles(document):
    families = document.StyleFamilies
    styles = families.getByName("PageStyles")
    return [styles.getByIndex(n) for n in range(styles.Count)]


def turn(document, is_landscape):
    for style in page_styles(document):
        if (style.Width > style.Height) != is_landscape:
            style.Width, style.Height = style.Height, style.Width
        style.IsLandscape = is_landscape


def fit_to_width(document):
    for style in page_styles(document):
        style.ScaleToPagesX = 1
        style.ScaleToPagesY = 0


def show_only(document, ranges):
    """Hides all other sheets: removing them would break formulas that look there."""
    sheets = document.Sheets
    wanted = numbers(ranges, sheets.Count, "sheets", "sheet")
    for n in wanted:
        sheets.getByIndex(n - 1).IsVisible = True
    for n in range(1, sheets.Count + 1):
        if n not in wanted:
            sheets.getByIndex(n - 1).IsVisible = False


def check_sheet(document, number):
    if number > document.Sheets.Count:
        raise missing("sheet", "sheet", document.Sheets.Count)


def numbers(ranges, count, option, thing):
    """The numbers a selection such as `1-3,5,8-` names."""
    found = set()
    for part in ranges.split(","):
        first, dash, last = part.partition("-")
        low = int(first) if first else 1
        high = (int(last) if last else count) if dash else low
        if not (1 <= low <= count and 1 <= high <= count):
            raise missing(option, thing, count)
        found.update(range(min(low, high), max(low, high) + 1))
    return found


def missing(option, thing, count):
    return Refusal("unsupported", f"The option {option} names a {thing} that is not there: the document has {count}.")
