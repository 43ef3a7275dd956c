import base64
import hashlib
import hmac
import json
import unittest
from datetime import UTC, datetime

import lathe

from . import samples

now = 1_767_268_800
secret, other = "whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==", "whsec_YW5vdGhlciBzZWNyZXQgb2YgaXQ="
body = json.dumps(samples.event(9, "job.completed", {"job": samples.job()}))


def signed(by: str, at: int = now, text: str = body) -> dict[str, str]:
    mac = hmac.new(base64.b64decode(by[6:]), f"msg_1.{at}.{text}".encode(), hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(mac).decode()}"
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": signature}


class WebhooksTest(unittest.TestCase):
    def test_returns_the_event_of_a_delivery_that_is_signed_with_the_secret(self) -> None:
        texts: list[str | bytes] = [body, body.encode()]
        for text in texts:
            event = lathe.unwrap(text, signed(secret), secret, now=now)
            assert event.data.job
            self.assertEqual((event.type, event.seq, event.data.task), ("job.completed", 9, None))
            self.assertEqual(event.data.job.created_at, datetime(2026, 1, 1, 12, tzinfo=UTC))

    def test_accepts_either_of_two_secrets_and_either_of_two_signatures(self) -> None:
        headers = signed(other)
        self.assertEqual(lathe.unwrap(body, headers, [secret, other], now=now).seq, 9)
        both = {**headers, "webhook-signature": f"v1,AAAA {headers['webhook-signature']}"}
        self.assertEqual(lathe.unwrap(body, both, other, now=now).seq, 9)

    def test_rejects_everything_else(self) -> None:
        wrong: dict[str, tuple[str, dict[str, str]]] = {
            "another secret": (body, signed(other)),
            "a changed body": (f"{body} ", signed(secret)),
            "an old one": (body, signed(secret, now - 301)),
            "one from the future": (body, signed(secret, now + 301)),
            "no signature": (body, {}),
            "a time that is none": (body, {**signed(secret), "webhook-timestamp": "x"}),
            "not a number": (body, {**signed(secret), "webhook-timestamp": "nan"}),
            "a broken signature": (body, {**signed(secret), "webhook-signature": "v1,%"}),
        }
        for name, (text, headers) in wrong.items():
            with self.subTest(name), self.assertRaises(lathe.WebhookError):
                lathe.unwrap(text, headers, secret, now=now)
