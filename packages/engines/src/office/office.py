"""A LibreOffice of our own: started once, spoken to over a named pipe that nobody outside the sandbox can see."""
import os
import shutil
import subprocess
import sys
import time

from settings import registry

PROGRAM = "/usr/lib/libreoffice/program/soffice.bin"
PREPARED = "/opt/lathe/runners/prepared/profile"
PROFILE = "/tmp/profile"
PIPE = "pipe,name=lathe"
# With this LibreOffice says that it has set its profile up and wants to be started again.
RESTART = 81
QUIET = ["--headless", "--invisible", "--nologo", "--nodefault", "--norestore", "--nolockcheck", "--nofirststartwizard"]


def start(profile=PROFILE):
    """Starts it over a profile; its output goes to standard error, for standard output is the worker's."""
    arguments = [PROGRAM, *QUIET, f"-env:UserInstallation=file://{profile}", f"--accept={PIPE};urp;"]
    return subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=sys.stderr, cwd="/tmp")


def connect(process):
    """Waits until it answers; gives its component context."""
    import uno

    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    while True:
        try:
            return resolver.resolve(f"uno:{PIPE};urp;StarOffice.ComponentContext")
        except Exception as error:
            if process.poll() is not None:
                raise ChildProcessError(f"soffice ended with {process.returncode}") from error
            time.sleep(0.01)


def service(context, name):
    return context.ServiceManager.createInstanceWithContext(f"com.sun.star.{name}", context)


def copy_profile():
    shutil.copytree(PREPARED, PROFILE)


def prepare(folder):
    """Makes the profile every instance begins with: setting one up costs more than all the rest of a start."""
    profile = os.path.join(folder, "profile")
    os.makedirs(os.path.join(profile, "user"))
    with open(os.path.join(profile, "user", "registrymodifications.xcu"), "w", encoding="utf-8") as file:
        file.write(registry())
    for _ in range(3):
        process = start(profile)
        try:
            context = connect(process)
        except ChildProcessError:
            if process.returncode != RESTART:
                raise
            continue
        store_sample(context, os.path.join(folder, "warm-0.docx"))
        end(context, process)
        return
    raise ChildProcessError("soffice restarts for ever")


def store_sample(context, path):
    """A document for every instance to warm up with."""
    from uno_values import properties

    desktop = service(context, "frame.Desktop")
    document = desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, properties({"Hidden": True}))
    document.Text.String = "Warm \u03b1 \u0434 \u4e2d \u0627"
    document.storeToURL(f"file://{path}", properties({"FilterName": "MS Word 2007 XML"}))
    document.close(True)


def end(context, process):
    try:
        service(context, "frame.Desktop").terminate()
    except Exception:
        # It hangs up while it answers.
        pass
    process.wait(timeout=20)
