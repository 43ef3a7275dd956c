import time
import unittest

import lathe
from lathe.transport import Transport

from . import samples
from .server import Exchange, Server


class TransportTest(unittest.TestCase):
    def test_repeats_a_post_with_the_same_idempotency_key_after_retry_after(self) -> None:
        def answer(exchange: Exchange, count: int) -> None:
            if count == 1:
                exchange.reply(503, {"errorCode": "unavailable", "msg": "away"}, {"retry-after": "1"})
            elif count == 2:
                exchange.drop()
            else:
                exchange.reply(201, samples.job())

        with Server(answer) as server, lathe.Lathe(server.url, "k") as client:
            started = time.monotonic()
            job = client.jobs.create({"tasks": {"file": {"operation": "import/upload"}}})
            self.assertEqual(job.id, samples.job()["id"])
            self.assertGreater(time.monotonic() - started, 1)
            keys = {one.headers["idempotency-key"] for one in server.seen}
            self.assertEqual((len(server.seen), len(keys), None in keys), (3, 1, False))
            self.assertEqual(server.seen[0].headers["authorization"], "Bearer k")
            self.assertEqual(len({one.body for one in server.seen}), 1)

    def test_gives_up_after_two_retries_and_at_once_where_they_would_not_help(self) -> None:
        def answer(exchange: Exchange, _: int) -> None:
            if exchange.path == "/busy":
                return exchange.reply(429, {"errorCode": "rate_limited"}, {"retry-after": "0"})
            errors = [{"path": "a", "code": "required", "msg": "is required", "later": 1}]
            exchange.reply(400, {"errorCode": "invalid_request", "msg": "a: is required", "errors": errors, "requestId": "r"})

        with Server(answer) as server:
            transport = Transport(base_url=server.url + "/")
            with self.assertRaises(lathe.RateLimitError):
                transport.json("/busy")
            self.assertEqual(len(server.seen), 3)
            with self.assertRaises(lathe.InvalidRequestError) as caught:
                transport.json("/wrong")
            self.assertEqual(len(server.seen), 4)
            transport.close()
        error = caught.exception
        self.assertEqual((error.error_code, error.request_id, error.status), ("invalid_request", "r", 400))
        self.assertEqual([(one.path, one.code) for one in error.errors], [("a", "required")])

    def test_chooses_the_class_of_an_error_by_its_code_and_then_by_its_status(self) -> None:
        answers = iter([(403, "out_of_storage"), (409, "not_found"), (401, None), (404, "a_new_code"), (418, None)])

        def answer(exchange: Exchange, _: int) -> None:
            status, code = next(answers)
            exchange.reply(status, {"errorCode": code} if code else {})

        classes = []
        with Server(answer) as server, lathe.Lathe(server.url, retries=0) as client:
            for _ in range(5):
                with self.assertRaises(lathe.RequestError) as caught:
                    client.account()
                classes.append(type(caught.exception))
        expected = [lathe.OutOfStorageError, lathe.NotFoundError, lathe.UnauthorizedError, lathe.NotFoundError, lathe.RequestError]
        self.assertEqual(classes, expected)

    def test_reports_what_is_no_json(self) -> None:
        with Server(lambda exchange, _: exchange.reply(404, b"<h1>no</h1>")) as server, lathe.Lathe(server.url) as client:
            with self.assertRaises(lathe.NotFoundError) as caught:
                client.account()
        self.assertEqual((caught.exception.error_code, caught.exception.errors), ("internal", []))

    def test_ends_a_request_that_takes_too_long(self) -> None:
        with Server(lambda *_: time.sleep(0.5)) as server, lathe.Lathe(server.url, retries=0, timeout=0.05) as client:
            with self.assertRaises(TimeoutError) as caught:
                client.account()
        self.assertIsInstance(caught.exception, lathe.TimeoutError)

    def test_tells_that_nobody_is_there(self) -> None:
        with Server(lambda *_: None) as server:
            url = server.url
        with self.assertRaises(ConnectionError) as caught:
            with lathe.Lathe(url, retries=0) as client:
                client.account()
        self.assertIsInstance(caught.exception, lathe.ConnectionError)
        with self.assertRaisesRegex(lathe.LatheError, "LATHE_URL"):
            lathe.Lathe("lathe.example.com")
