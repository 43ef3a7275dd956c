import inspect
import unittest
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import lathe
from lathe.decode import decode
from lathe.generated.types import Job, Task
from lathe.transport import Transport

from . import samples
from .server import Exchange, Server

plain = "0123456789abcdef01234567"
hostile = f"{plain}/../../account/keys?a=1#b"
encoded = f"{plain}%2F..%2F..%2Faccount%2Fkeys%3Fa%3D1%23b"


def methods_of(url: str, id: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """All methods of the client that take an id, and those of a job and a task with this id."""
    transport = Transport(base_url=url, retries=0)
    client = lathe.Lathe(url, retries=0)
    task = decode(Task, {**samples.task("processing"), "id": id})
    job = decode(Job, {**samples.job("processing", samples.task("processing")), "id": id})
    owners = {
        "lathe": client, "jobs": client.jobs, "tasks": client.tasks,
        "job": lathe.JobHandle(transport, job), "task": lathe.TaskHandle(transport, task),
    }  # fmt: skip
    for name, owner in owners.items():
        for method, _ in inspect.getmembers(type(owner), inspect.isfunction):
            if not method.startswith("_") and method != "close":
                yield f"{name}.{method}", getattr(owner, method)
    client.close()
    transport.close()


def paths_of(id: str) -> dict[str, list[str]]:
    """The paths that each method asks for with this id."""

    def answer(exchange: Exchange, _: int) -> None:
        exchange.reply(204) if "/events" in exchange.path else exchange.reply(200, samples.job("completed"))

    found: dict[str, list[str]] = {}
    with Server(answer) as server:
        for name, method in methods_of(server.url, id):
            before = len(server.seen)
            ids = [id] if list(inspect.signature(method).parameters)[:1] in (["id"], ["operation"]) else []
            # Other methods need files, and may refuse to work without.
            with suppress(Exception):
                made = method(*ids)
                if isinstance(made, Iterator):
                    next(made, None)
            found[name] = server.paths[before:]
    return found


class PathTest(unittest.TestCase):
    def test_an_id_stays_one_segment_of_a_path_in_every_method(self) -> None:
        asked = paths_of(plain)
        attacked = paths_of(hostile)
        checked = []
        for name, paths in asked.items():
            if name == "tasks.create" or not any(plain in path for path in paths):
                continue
            checked.append(name)
            with self.subTest(name):
                self.assertEqual(attacked[name], [path.replace(plain, encoded) for path in paths])
        # An operation may have two parts.
        self.assertEqual(attacked["tasks.create"], [f"POST /v1/process/{plain}/{encoded.split('%2F', 1)[1]}"])
        expected = ["jobs.get", "jobs.cancel", "jobs.run_again", "tasks.get"]
        for method in ("cancel", "delete", "done", "events"):
            expected += [f"job.{method}", f"task.{method}"]
        self.assertEqual([name for name in expected if name not in checked], [])

    def test_an_id_that_urls_resolve_is_refused(self) -> None:
        for id in ("", ".", ".."):
            asked = paths_of(id)
            self.assertEqual([asked["jobs.get"], asked["job.cancel"], asked["tasks.get"], asked["task.delete"]], [[]] * 4)
