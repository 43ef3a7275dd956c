"""
The warm runner of the office engine. It runs inside the sandbox and speaks JSON lines: a request on stdin, progress
and one answer on stdout, one request at a time. It ends when stdin closes, or with its LibreOffice: then without an
answer, so that the worker finds out whether memory ran out.
"""
import json
import os
import signal
import sys

import office


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(converter, message):
    from refusal import Refusal

    number = message["id"]

    def progress(share):
        send({"id": number, "progress": round(share, 3)})

    try:
        result = converter.convert(message["dir"], message["request"], progress)
        send({"id": number, "ok": True, "result": result})
    except Refusal as refusal:
        said = {"code": refusal.code, "text": refusal.text, "detail": refusal.detail}
        send({"id": number, "ok": False, **{name: value for name, value in said.items() if value}})


def serve():
    # Its death while nobody asks anything is ours too.
    process = None
    signal.signal(signal.SIGCHLD, lambda *_: process and process.poll() is not None and os._exit(3))
    office.copy_profile()
    process = office.start()
    # Reading our own modules takes as long as its start, so both happen at once.
    from convert import Converter

    converter = Converter(office.connect(process))
    converter.warm_up()
    send({"ready": True})
    for line in sys.stdin:
        answer(converter, json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:] == ["prepare"]:
        office.prepare("/job")
    else:
        serve()
