import json
import threading
import time
import unittest
from collections.abc import Callable
from typing import Any

import lathe

from . import samples
from .server import Exchange, Server

job_path = f"/v1/process/jobs/{samples.job()['id']}"


def frame(event: dict[str, Any]) -> bytes:
    return f"id: {event['seq']}\nevent: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def stream(exchange: Exchange, *parts: bytes) -> None:
    """Sends parts of a stream, then loses the connection."""
    exchange.reply(200, b"", {"content-type": "text/event-stream", "content-length": "1000000"})
    for part in parts:
        exchange.wfile.write(part)
    exchange.drop()


def silent(record: dict[str, Any], over: threading.Event) -> Callable[[Exchange, int], None]:
    """Answers with a record that does not end, and with a stream in which nothing happens until it is over."""

    def answer(exchange: Exchange, _: int) -> None:
        if exchange.path.endswith("/events"):
            exchange.reply(200, b"", {"content-length": "1000"})
            over.wait(20)
        else:
            exchange.reply(200, record)

    return answer


class FollowTest(unittest.TestCase):
    def test_continues_after_a_lost_connection_without_missing_or_repeating_an_event(self) -> None:
        events = [samples.event(n, "task.started", {"job": samples.job("processing")}) for n in (1, 2, 3)]
        streams = 0

        def answer(exchange: Exchange, _: int) -> None:
            nonlocal streams
            if not exchange.path.endswith("/events"):
                return exchange.reply(200, samples.job("completed", samples.task()))
            streams += 1
            if streams == 1:
                # The second event is cut in two.
                return stream(exchange, b": hello\n\n", frame(events[0]), frame(events[1])[:40])
            if streams == 2:
                return stream(exchange, frame(events[0]), frame(events[1]), frame(events[2]))
            exchange.reply(204)

        seen: list[int] = []
        with Server(answer) as server, lathe.Lathe(server.url) as client:
            client.jobs.get(samples.job()["id"]).done(on_event=lambda event: seen.append(event.seq))
            last_ids = [one.headers["last-event-id"] for one in server.seen if one.path.endswith("/events")]
        self.assertEqual(seen, [1, 2, 3])
        self.assertEqual(last_ids, [None, "1"])

    def test_polls_where_streams_do_not_get_through(self) -> None:
        def answer(exchange: Exchange, count: int) -> None:
            if exchange.path.endswith("/events"):
                return exchange.reply(502, b"", {"retry-after": "0"})
            exchange.reply(200, samples.job("processing" if count < 5 else "completed"))

        with Server(answer) as server, lathe.Lathe(server.url) as client:
            self.assertEqual(client.jobs.get(samples.job()["id"]).done().now.status, "completed")
            prefers = [one.headers["prefer"] for one in server.seen if one.path == job_path]
            self.assertEqual(prefers, [None, None, "wait=30"])
            self.assertEqual(server.paths, [f"GET {job_path}", *[f"GET {job_path}/events", f"GET {job_path}"] * 2, f"GET {job_path}/events"])

    def test_does_not_poll_for_what_is_not_there(self) -> None:
        def answer(exchange: Exchange, count: int) -> None:
            exchange.reply(200 if count == 1 else 404, samples.job())

        with Server(answer) as server, lathe.Lathe(server.url) as client:
            with self.assertRaises(lathe.NotFoundError):
                client.jobs.get(samples.job()["id"]).done()
            self.assertEqual(len(server.seen), 2)

    def test_tells_that_a_job_failed_although_its_tasks_did_not(self) -> None:
        deleted = samples.job("failed", samples.task())
        deleted["result"] = {"errorCode": "task_deleted", "msg": "A task of this job was deleted."}

        def answer(exchange: Exchange, _: int) -> None:
            exchange.reply(204) if exchange.path.endswith("/events") else exchange.reply(200, deleted)

        with Server(answer) as server, lathe.Lathe(server.url) as client:
            job = client.jobs.get(samples.job()["id"])
            with self.assertRaisesRegex(lathe.JobFailedError, "was deleted") as caught:
                job.done()
            self.assertEqual(caught.exception.error_code, "task_deleted")
            self.assertEqual(job.done(even_if_failed=True).now.status, "failed")

    def test_tells_which_task_failed_and_why(self) -> None:
        failed = samples.task("failed", errorCode="processing_failed", reason="input_damaged", msg="It is damaged.")

        def answer(exchange: Exchange, _: int) -> None:
            exchange.reply(204) if exchange.path.endswith("/events") else exchange.reply(200, samples.job("failed", failed))

        with Server(answer) as server, lathe.Lathe(server.url) as client:
            job = client.jobs.get(samples.job()["id"])
            with self.assertRaisesRegex(lathe.TaskFailedError, "It is damaged.") as caught:
                job.done()
            self.assertEqual((caught.exception.reason, caught.exception.task.name), ("input_damaged", "file"))
            self.assertEqual(job.done(even_if_failed=True).now.status, "failed")

    def test_waits_no_longer_than_it_may(self) -> None:
        over = threading.Event()
        answer = silent(samples.job("processing"), over)
        with Server(answer) as server, lathe.Lathe(server.url) as client:
            started = time.monotonic()
            with self.assertRaises(lathe.TimeoutError):
                client.jobs.get(samples.job()["id"]).done(timeout=0.2)
            self.assertLess(time.monotonic() - started, 15)
            over.set()

    def test_captures_a_page_in_one_call(self) -> None:
        file = {"filename": "Prices.png", "size": 9, "sha256": "", "url": "http://127.0.0.1/1", "expiresAt": None}

        def answer(exchange: Exchange, _: int) -> None:
            exchange.reply(204) if exchange.path.endswith("/events") else exchange.reply(200, samples.task(files=[file]))

        with Server(answer) as server, lathe.Lathe(server.url) as client:
            made = client.capture("https://example.com/", {"wait_for": "h1"}, to="png")
            sent = json.loads(server.seen[0].body)
        self.assertEqual(made.name, "Prices.png")
        self.assertEqual(server.paths[0], "POST /v1/process/capture")
        self.assertEqual(sent, {"url": "https://example.com/", "wait_for": "h1", "output_format": "png"})

    def test_cancels_a_capture_that_it_no_longer_waits_for(self) -> None:
        over = threading.Event()
        answer = silent(samples.task("processing"), over)
        with Server(answer) as server, lathe.Lathe(server.url) as client:
            with self.assertRaises(lathe.TimeoutError):
                client.capture("https://example.com/", timeout=0.2)
            over.set()
            self.assertEqual(server.paths[-1], f"POST /v1/process/tasks/{samples.task()['id']}/cancel")
