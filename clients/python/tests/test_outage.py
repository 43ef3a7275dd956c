import json
import time
import unittest
from collections.abc import Callable
from typing import Any
from unittest import mock

import lathe

from . import samples
from .server import Exchange, Server

away = 120.0
content = bytes(range(256)) * 1000
# More than one part.
large = b"7" * 9_000_000
types = ["job.created", "task.started", "task.completed", "job.completed"]


class Clock:
    """Time passes only when the client waits."""

    def __init__(self) -> None:
        self.waited = 0.0
        self._real = time.monotonic

    def monotonic(self) -> float:
        return self._real() + self.waited

    def sleep(self, seconds: float) -> None:
        self.waited += seconds


class Service:
    """A service with one job, which answers nothing for two minutes as soon as a phase begins."""

    def __init__(self, phase: str, clock: Clock) -> None:
        self.phase = phase
        self.clock = clock
        self.ends: float | None = None
        self.keys: set[str] = set()
        self.uploaded = self.canceled = 0
        self.server = Server(self.answer)

    @property
    def is_back(self) -> bool:
        return self.ends is not None and self.clock.waited >= self.ends

    @property
    def is_away(self) -> bool:
        return self.ends is not None and not self.is_back

    def begin(self, phase: str) -> None:
        if phase == self.phase and self.ends is None:
            self.ends = self.clock.waited + away

    def job(self) -> dict[str, Any]:
        is_done = self.is_back or self.phase not in ("events", "polling")
        url = self.server.url
        form = {"url": f"{url}/form", "tusUrl": f"{url}/tus", "parameters": {}}
        file = {"filename": "a.webp", "size": len(content), "sha256": "", "url": f"{url}/file", "expiresAt": None}
        status = "completed" if is_done else "processing"
        upload = {**samples.task(status, form=form), "name": "file-1"}
        result = {**samples.task(status, files=[file]), "name": "result"}
        return samples.job(status, upload, result)

    def answer(self, exchange: Exchange, _: int) -> None:
        if self.is_away:
            return exchange.drop()
        path = exchange.path
        if path == "/v1/account/usage":
            exchange.reply(404)
        elif path.endswith("/cancel"):
            self.canceled += 1
            exchange.reply(200)
        elif path == "/v1/process/jobs":
            self.keys.add(exchange.headers["idempotency-key"])
            self.or_lose("create", exchange, lambda: exchange.reply(201, self.job()))
        elif path.endswith("/events"):
            self.send_events(exchange)
        elif path.startswith("/v1/process/jobs/"):
            self.or_lose("polling", exchange, lambda: exchange.reply(200, self.job()))
        elif path == "/form":
            if self.uploaded:
                return exchange.reply(409, {"errorCode": "form_used"})
            self.uploaded = len(exchange.body)
            self.or_lose("upload", exchange, lambda: exchange.reply(201))
        elif path == "/tus":
            exchange.reply(201, headers={"location": "/tus/1"})
        elif path == "/tus/1":
            if exchange.headers["upload-offset"] == str(self.uploaded):
                self.uploaded += len(exchange.body)
            headers = {"upload-offset": str(self.uploaded)}
            self.or_lose("upload in parts", exchange, lambda: exchange.reply(204, headers=headers))
        else:
            self.send_file(exchange)

    def or_lose(self, phase: str, exchange: Exchange, reply: Callable[[], None]) -> None:
        """What was asked is done, but its response may be lost."""
        self.begin(phase)
        exchange.drop() if self.is_away else reply()

    def send_events(self, exchange: Exchange) -> None:
        if self.phase == "polling":
            return exchange.reply(429, headers={"retry-after": "0"})
        last = int(exchange.headers["last-event-id"] or 0)
        if last == len(types):
            return exchange.reply(204)
        ready = 2 if self.phase == "events" and not self.is_back else len(types)
        frames = [f"id: {n + 1}\ndata: {json.dumps(samples.event(n + 1, types[n], {'job': samples.job()}))}\n\n" for n in range(last, ready)]
        body = "".join(frames).encode()
        exchange.reply(200, body, {"content-length": str(len(body) + (1 if ready < len(types) else 0))})
        if ready < len(types):
            self.begin("events")
            exchange.drop()

    def send_file(self, exchange: Exchange) -> None:
        start = int((exchange.headers["range"] or "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        if self.phase == "download" and self.ends is None:
            exchange.reply(200, content[:100_000], {"content-length": str(len(content))})
            self.begin("download")
            return exchange.drop()
        exchange.reply(206 if start else 200, content[start:])


class OutageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = Clock()
        for name in ("sleep", "monotonic"):
            patch = mock.patch(f"time.{name}", getattr(self.clock, name))
            patch.start()
            self.addCleanup(patch.stop)

    def test_waits_for_a_service_that_is_away_for_two_minutes(self) -> None:
        for phase in ("create", "upload", "upload in parts", "events", "polling", "download"):
            with self.subTest(phase):
                service = Service(phase, self.clock)
                with service.server as server, lathe.Lathe(server.url, "k") as client:
                    with self.assertRaises(lathe.NotFoundError):
                        client.usage()
                    seen: list[str] = []
                    source = large if phase == "upload in parts" else content
                    made = client.convert(source, "webp", on_event=lambda event: seen.append(event.type))
                    self.assertEqual(made.bytes(), content)
                self.assertTrue(service.is_back)
                # One key: a request that was repeated is the same one for the service.
                self.assertEqual((len(service.keys), service.canceled), (1, 0))
                self.assertGreaterEqual(service.uploaded, len(source))
                if phase != "polling":
                    self.assertEqual(seen, types)

    def test_ends_the_wait_after_the_limit_and_cancels_nothing(self) -> None:
        service = Service("events", self.clock)
        with service.server as server, lathe.Lathe(server.url, "k", outage=60) as client:
            with self.assertRaises(lathe.ConnectionError):
                client.convert(content, "webp")
        self.assertFalse(service.is_back)
        self.assertEqual(service.canceled, 0)
        self.assertGreaterEqual(self.clock.waited, 50)

    def test_does_not_wait_for_a_service_that_has_never_answered(self) -> None:
        service = Service("", self.clock)
        service.ends = away
        with service.server as server, lathe.Lathe(server.url, "k") as client:
            with self.assertRaises(lathe.ConnectionError):
                client.convert(content, "webp")
        self.assertEqual(len(service.server.seen), 3)

    def test_cancels_a_job_for_which_its_caller_waits_no_longer(self) -> None:
        service = Service("events", self.clock)
        with service.server as server, lathe.Lathe(server.url, "k") as client:
            with self.assertRaises(lathe.TimeoutError):
                client.convert(content, "webp", timeout=0)
        self.assertEqual(service.canceled, 2)
