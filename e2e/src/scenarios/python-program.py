# What a program of somebody does with the Python client; prints what the test expects.
import hashlib
import io
import json
import os

from lathe import InvalidRequestError, Lathe, NotFoundError, SizedStream, TaskFailedError, TimeoutError

lathe = Lathe()

types: list[str] = []
webp = lathe.convert("photo.jpg", "webp", {"quality": 60}, tag="python", on_event=lambda event: types.append(event.type))
saved = webp.save()
content = saved.read_bytes()

with open("photo.jpg", "rb") as file:
    small = lathe.compress(file, {"quality": 40}, filename="small.jpg")
cropped = lathe.crop("photo.jpg", {"x": 10, "y": 10, "width": 40, "height": 30})
trimmed = lathe.trim(lathe.merge(["photo.jpg", "photo.jpg"], "pdf").bytes(), {"pages": "1"}, name="two.pdf")
merged = lathe.merge(["photo.jpg", saved], "pdf")
split = lathe.run("split", merged.bytes(), name="both.pdf")
[marked] = lathe.run("watermark", "photo.jpg", {"size": 20}, files={"overlay": saved})
[packed] = lathe.run("archive", ["photo.jpg", saved], to="tar.gz")

large = os.urandom(9_000_000)
job = lathe.jobs.create({"tasks": {"file": {"operation": "import/upload"}}})
sent: list[int] = []
stream = SizedStream(io.BytesIO(large), len(large))
job.upload("file", stream, filename="large.bin", on_progress=lambda now, _: sent.append(now))
[back] = job.done().files()

try:
    lathe.jobs.get("0" * 24)
except NotFoundError as error:
    missing = [error.error_code, error.request_id is not None]

try:
    lathe.convert("photo.jpg", "nonsense")
except InvalidRequestError as error:
    invalid = [field.path for field in error.errors]

try:
    lathe.convert(content[:60], "png", name="broken.webp")
except TaskFailedError as error:
    failed = [error.error_code, error.reason, error.task.name]

# Its file is never sent, so it does not end by itself.
waiting = lathe.jobs.create({"tasks": {"file": {"operation": "import/upload"}}, "tag": "python"})
try:
    waiting.done(timeout=0.5)
except TimeoutError:
    lathe.jobs.cancel(waiting.id)
canceled = [task.status for task in waiting.done(even_if_failed=True).now.tasks or []]

task = lathe.tasks.create("import/upload", {})
task.upload(b"text", filename="a.txt")
text = task.done().files()[0].bytes().decode()

listed = [one.id for one in lathe.jobs.list(tag="python")]
options = lathe.options("convert", input_format="jpg", output_format="webp")
print(
    json.dumps(
        {
            "converted": [saved.name, content[8:12].decode(), len(content) == webp.size],
            "hashed": hashlib.sha256(content).hexdigest() == webp.sha256,
            "events": [types[0], types[-1], types.count("task.completed")],
            "compressed": [small.name, small.size < os.stat("photo.jpg").st_size],
            "cropped": [cropped.name, cropped.size < small.size],
            "trimmed": [trimmed.name, trimmed.bytes()[:5].decode()],
            "merged": merged.bytes()[:5].decode(),
            "split": [one.name for one in split],
            "marked": marked.name,
            "packed": packed.bytes()[:2].hex(),
            "sent": sent,
            "returned": back.bytes() == large,
            "missing": missing,
            "invalid": invalid,
            "failed": failed,
            "canceled": canceled,
            "text": text,
            "listed": [waiting.id in listed, job.id in listed, len(listed)],
            "formats": "webp" in {one.ext for one in lathe.formats("convert", input_format="jpg").formats},
            "options": "quality" in {one.name for one in options.options},
            "limits": lathe.account().limits.file_bytes > 0,
        }
    )
)
lathe.close()
