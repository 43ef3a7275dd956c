"""A runner in Python for tests: it answers every request with who it is."""
import json
import sys
import uuid

instance = str(uuid.uuid4())


def say(value):
    print(json.dumps(value), flush=True)


say({"ready": True})
for line in sys.stdin:
    say({"id": json.loads(line)["id"], "ok": True, "result": {"instance": instance, "language": "python"}})
