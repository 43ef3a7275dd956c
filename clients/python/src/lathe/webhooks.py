"""Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence

from .decode import decode
from .errors import WebhookError
from .generated.types import ApiEvent

_window = 300


def unwrap(
    body: str | bytes, headers: Mapping[str, str], secrets: str | Sequence[str], *, now: float | None = None
) -> ApiEvent:
    """Verifies a delivery and returns its event.

    `body` is the request body as it arrived. While a secret is being replaced, pass both: one of them must have signed it.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not id or not timestamp or not signatures:
        raise WebhookError("A header of the signature is missing.")
    if not _is_recent(timestamp, time.time() if now is None else now):
        raise WebhookError("The delivery is older than 5 minutes, or its time is in the future.")
    text = body.encode() if isinstance(body, str) else body
    signed = f"{id}.{timestamp}.".encode() + text
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = hmac.new(_from_base64(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
        for signature in signatures.split(" "):
            if signature.startswith("v1,") and hmac.compare_digest(_from_base64(signature[3:]), expected):
                return decode(ApiEvent, json.loads(text))
    raise WebhookError("The signature does not match the secret.")


def _is_recent(timestamp: str, now: float) -> bool:
    try:
        return abs(now - float(timestamp)) <= _window
    except ValueError:
        return False


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
