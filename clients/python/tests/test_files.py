import io
import os
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

import lathe
from lathe.decode import decode
from lathe.files import ResultFile
from lathe.generated.types import Task, TaskFile
from lathe.source import Source
from lathe.transport import Transport
from lathe.upload import send_to_form

from . import samples
from .server import Exchange, Server


def upload(url: str, source: Source, name: str | None = None) -> list[tuple[int, int]]:
    form = {"url": f"{url}/form", "tusUrl": f"{url}/tus", "parameters": {"token": "secret"}}
    sent: list[tuple[int, int]] = []
    transport = Transport(base_url=url, key="k")
    send_to_form(transport, decode(Task, samples.task(form=form)), source, name, lambda now, size: sent.append((now, size)))
    transport.close()
    return sent


class UploadTest(unittest.TestCase):
    def test_posts_a_small_file_and_takes_a_used_form_as_success_of_the_first_attempt(self) -> None:
        def answer(exchange: Exchange, count: int) -> None:
            exchange.drop() if count == 1 else exchange.reply(410, {"errorCode": "form_used"})

        with Server(answer) as server:
            self.assertEqual(upload(server.url, b"bytes", 'größe "1".txt'), [(5, 5)])
            body = server.seen[1].body
            self.assertEqual(len(server.seen), 2)
            self.assertIsNone(server.seen[1].headers["authorization"])
        self.assertIn('filename="größe %221%22.txt"'.encode(), body)
        self.assertLess(body.index(b"secret"), body.index(b"bytes"))

    def test_continues_a_large_upload_where_the_service_has_it(self) -> None:
        content = os.urandom(9_000_000)
        got = bytearray()

        def answer(exchange: Exchange, count: int) -> None:
            if exchange.command == "POST":
                return exchange.reply(201, headers={"location": "/tus/1"})
            if count == 2:
                # Part of it arrives, then the connection is lost.
                got.extend(exchange.body[:1_000_000])
                return exchange.drop()
            if exchange.command == "PATCH":
                assert int(exchange.headers["upload-offset"]) == len(got)
                got.extend(exchange.body)
            exchange.reply(204 if exchange.command == "PATCH" else 200, headers={"upload-offset": str(len(got))})

        sources: list[Source] = [content, io.BytesIO(content)]
        for source in sources:
            got.clear()
            with Server(answer) as server:
                sent = upload(server.url, source, "large.bin")
                commands = [one.command for one in server.seen]
            self.assertEqual(bytes(got), content)
            self.assertEqual(commands, ["POST", "PATCH", "HEAD", "PATCH"])
            self.assertEqual(sent, [(1_000_000, 9_000_000), (9_000_000, 9_000_000)])

    def test_sends_a_stream_as_it_is_read(self) -> None:
        def chunks() -> Iterator[bytes]:
            for _ in range(3):
                yield b"x" * 3_000_000

        sizes: list[int] = []

        def answer(exchange: Exchange, _: int) -> None:
            if exchange.command == "POST":
                return exchange.reply(201, headers={"location": "/tus/1"})
            sizes.append(len(exchange.body))
            exchange.reply(204, headers={"upload-offset": str(sum(sizes))})

        with Server(answer) as server:
            upload(server.url, lathe.SizedStream(chunks(), 9_000_000))
            self.assertEqual(sizes, [8_388_608, 611_392])
            with self.assertRaisesRegex(lathe.LatheError, "ended after 3 of 4 bytes"):
                upload(server.url, lathe.SizedStream(io.BytesIO(b"abc"), 4))


class DownloadTest(unittest.TestCase):
    content = os.urandom(300_000)

    def answer(self, exchange: Exchange, count: int) -> None:
        if count == 1:
            exchange.reply(200, self.content[:100_000], {"content-length": str(len(self.content))})
            return exchange.drop()
        start = int(exchange.headers["range"].removeprefix("bytes=").removesuffix("-"))
        exchange.reply(206, self.content[start:])

    def open(self, url: str, name: str = "../photo.webp") -> ResultFile:
        file = TaskFile(filename=name, size=len(self.content), sha256="", url=f"{url}/files/1")
        transport = Transport(base_url=url, key="k")
        self.addCleanup(transport.close)
        return ResultFile(transport, file)

    def test_continues_a_download_and_writes_the_file_when_it_is_complete(self) -> None:
        with Server(self.answer) as server, tempfile.TemporaryDirectory() as folder:
            path = self.open(server.url).save(folder)
            self.assertEqual(path, Path(folder, "photo.webp"))
            self.assertEqual(path.read_bytes(), self.content)
            self.assertEqual(os.listdir(folder), ["photo.webp"])
            self.assertEqual(server.seen[1].headers["range"], "bytes=100000-")
            self.assertIsNone(server.seen[0].headers["authorization"])

    def test_leaves_nothing_behind_when_it_fails(self) -> None:
        with Server(lambda exchange, _: exchange.reply(410)) as server, tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(lathe.NotFoundError):
                self.open(server.url).save(folder)
            self.assertEqual(os.listdir(folder), [])

    def test_refuses_to_begin_anew_in_the_middle(self) -> None:
        def answer(exchange: Exchange, _: int) -> None:
            exchange.reply(200, self.content[:1000], {"content-length": "300000"})
            exchange.drop()

        with Server(answer) as server, self.assertRaisesRegex(lathe.LatheError, "cannot continue"):
            self.open(server.url).bytes()
