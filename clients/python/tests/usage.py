"""Only checked, never run: what a type checker accepts, and what it must refuse (an ignored error that is none is an error)."""

from lathe import Lathe, TaskFailedError


def accepted(lathe: Lathe) -> None:
    lathe.convert("a.jpg", "webp", {"width": 60, "fit": "cover"}).save()
    lathe.merge(["a.jpg", b"bytes"], "pdf")
    lathe.crop("a.jpg", {"x": 1, "y": 1, "width": 20, "height": 10}).save()
    lathe.trim("a.mp3", {"start": "1", "end": "2"}).save()
    lathe.run("split", "a.pdf", {"pages_per_file": 2})
    lathe.capture("https://example.com/", {"wait_for": "h1"}, to="png").save()
    lathe.jobs.create({"tasks": {"file": {"operation": "import/upload"}, "pdf": {"operation": "convert", "input": "file"}}})


def refused(lathe: Lathe, error: TaskFailedError) -> None:
    lathe.convert("a.jpg", "webp", {"widht": 60})  # type: ignore[arg-type]
    lathe.convert("a.jpg", "webp", {"fit": "kover"})  # type: ignore[typeddict-item]
    lathe.convert("a.jpg", "webp", {"width": "320"})  # type: ignore[typeddict-item]
    lathe.jobs.create({"tag": "no tasks"})  # type: ignore[typeddict-item]
    lathe.jobs.list(status="finished")  # type: ignore[arg-type]
    lathe.crop("a.jpg")  # type: ignore[call-arg]
    lathe.run("spilt", "a.pdf")  # type: ignore[arg-type]
    error.reason == "no_such_reason"  # type: ignore[comparison-overlap]
