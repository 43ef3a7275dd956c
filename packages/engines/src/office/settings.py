"""The settings of LibreOffice before it opens a file: the user's part of its registry."""

COMMON = "/org.openoffice.Office.Common"

# Path, name, value. Types are the schema's own, so values are given as text.
SETTINGS = [
    # Nothing of a document runs.
    (f"{COMMON}/Security/Scripting", "DisableMacrosExecution", "true"),
    (f"{COMMON}/Security/Scripting", "MacroSecurityLevel", "3"),
    (f"{COMMON}/Security/Scripting", "DisablePythonRuntime", "true"),
    (f"{COMMON}/Security/Scripting", "DisableOLEAutomation", "true"),
    (f"{COMMON}/Security/Scripting", "CheckDocumentEvents", "true"),
    # Nothing a document names is fetched: Writer's 0 and Calc's 1 both mean never.
    (f"{COMMON}/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "0"),
    ("/org.openoffice.Office.Calc/Content/Update", "Link", "1"),
    # Macros of Microsoft's formats are neither taken in nor given out.
    *(
        (f"/org.openoffice.Office.{program}/Filter/Import/VBA", name, "false")
        for program in ("Writer", "Calc", "Impress")
        for name in ("Load", "Executable", "Save")
        if not (program == "Impress" and name == "Executable")
    ),
    # Nothing is kept of a file beside what it was asked to become.
    (f"{COMMON}/History", "PickListSize", "0"),
    (f"{COMMON}/Save/Document", "CreateBackup", "false"),
    (f"{COMMON}/Save/Document", "GenerateThumbnail", "false"),
    ("/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"),
    ("/org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
    (f"{COMMON}/Misc", "UseDocumentOOoLockFile", "false"),
    (f"{COMMON}/Misc", "UseDocumentSystemFileLocking", "false"),
    (f"{COMMON}/Misc", "UseLocking", "false"),
    (f"{COMMON}/Font/Substitution", "Replacement", "true"),
    # Nobody is there to be asked, greeted or told.
    (f"{COMMON}/Misc", "FirstRun", "false"),
    (f"{COMMON}/Misc", "CrashReport", "false"),
    (f"{COMMON}/Misc", "ShowTipOfTheDay", "false"),
    (f"{COMMON}/Misc", "UseOpenCL", "false"),
    ("/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("/org.openoffice.Setup/Office", "MigrationCompleted", "true"),
    ("/org.openoffice.Setup/Product", "WhatsNew", "false"),
    ("/org.openoffice.Office.Update/Update", "Enabled", "false"),
]

# Fonts of other systems that LibreOffice knows no twin of, and what stands for them: without a word on it, Japanese is
# drawn with Chinese shapes, Hebrew and Arabic with the letters of a Latin font, and program code in a proportional font.
FONTS = {
    "Noto Sans CJK JP": ("MS Gothic", "MS PGothic", "MS UI Gothic", "Meiryo", "Meiryo UI", "Yu Gothic", "Yu Gothic UI"),
    "Noto Serif CJK JP": ("MS Mincho", "MS PMincho", "Yu Mincho"),
    "Noto Sans CJK KR": ("Malgun Gothic", "Gulim", "GulimChe", "Dotum", "DotumChe"),
    "Noto Serif CJK KR": ("Batang", "BatangChe", "Gungsuh"),
    "Noto Sans CJK TC": ("Microsoft JhengHei", "Microsoft JhengHei UI"),
    "Noto Serif CJK TC": ("PMingLiU", "MingLiU"),
    "Noto Sans Hebrew": ("Miriam", "Gisha"),
    "Noto Serif Hebrew": ("David", "FrankRuehl", "Narkisim"),
    "Noto Naskh Arabic": ("Traditional Arabic", "Arabic Typesetting", "Simplified Arabic", "Sakkal Majalla"),
    "Carlito": ("Calibri Light", "Aptos", "Aptos Display"),
    "Liberation Mono": ("Consolas", "Cascadia Code", "Cascadia Mono", "Lucida Console", "Menlo", "Monaco", "Aptos Mono"),
}


def font_pairs():
    pairs = [(font, stand_in) for stand_in, fonts in FONTS.items() for font in fonts]
    for number, (font, stand_in) in enumerate(pairs):
        values = {"ReplaceFont": font, "SubstituteFont": stand_in, "Always": "true", "OnScreenOnly": "false"}
        props = "".join(f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop>' for name, value in values.items())
        path = f"{COMMON}/Font/Substitution/FontPairs"
        yield f'<item oor:path="{path}"><node oor:name="_{number}" oor:op="replace">{props}</node></item>\n'


def registry():
    """The file LibreOffice reads its user's settings from."""
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>\n'
        for path, name, value in SETTINGS
    ) + "".join(font_pairs())
    schema = 'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<oor:items {schema}>\n{items}</oor:items>\n'
