"""
The warm runner of the office engine. It runs inside the sandbox and speaks JSON lines: a request on stdin, progress
and one answer on stdout, one request at a time. It ends when stdin closes, or with its LibreOffice: then without an
answer, so that the worker finds out whether memory ran out. Its exit status says whether a request had begun: if not,
the worker hands it to another runner.
"""
import json
import os
import signal
import sys
import threading

import office

CRASHED = 3
# What the worker knows as `unservedExit`.
UNSERVED = 75
# A LibreOffice that is not at work answers within milliseconds, also on a busy machine.
ANSWERS_WITHIN = 10


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(converter, message):
    """What is to be said to a request."""
    from refusal import Refusal

    number = message["id"]

    def progress(share):
        send({"id": number, "progress": round(share, 3)})

    try:
        return {"id": number, "ok": True, "result": converter.convert(message["dir"], message["request"], progress)}
    except Refusal as refusal:
        said = {"code": refusal.code, "text": refusal.text, "detail": refusal.detail}
        return {"id": number, "ok": False, **{name: value for name, value in said.items() if value}}


class Watch:
    """Ends the runner with its LibreOffice."""

    def __init__(self):
        self.process = None
        self.is_serving = False
        signal.signal(signal.SIGCHLD, lambda *_: self.look())

    def look(self):
        if self.process and self.process.poll() is not None:
            self.end()

    def end(self):
        os._exit(CRASHED if self.is_serving else UNSERVED)

    def begin(self, converter):
        """Before a request: one that is dying, or does not answer, must not get it."""
        timer = threading.Timer(ANSWERS_WITHIN, self.end)
        timer.start()
        try:
            converter.loader.check_alive()
        except Exception:
            self.end()
        timer.cancel()
        self.look()
        self.is_serving = True


def serve():
    watch = Watch()
    office.copy_profile()
    watch.process = office.start()
    # Reading our own modules takes as long as its start, so both happen at once.
    from convert import Converter

    converter = Converter(office.connect(watch.process))
    converter.warm_up()
    send({"ready": True})
    for line in sys.stdin:
        watch.begin(converter)
        message = answer(converter, json.loads(line))
        # Once it is said, a death belongs to the next request, which has not begun.
        watch.is_serving = False
        send(message)
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:] == ["prepare"]:
        office.prepare("/job")
    else:
        serve()
