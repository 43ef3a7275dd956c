"""What LibreOffice is told before it sees a file: the user's part of its registry."""

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


def registry():
    """The file LibreOffice reads its user's settings from."""
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>\n'
        for path, name, value in SETTINGS
    )
    schema = 'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<oor:items {schema}>\n{items}</oor:items>\n'
