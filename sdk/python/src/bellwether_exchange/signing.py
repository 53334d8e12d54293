"""Signatures of requests and of stream messages: HMAC-SHA256 over time, method, path and body hash."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field

USER_STREAM = "/ws/v1/user"


@dataclass(frozen=True)
class Credentials:
    """An API key. The public key reads the account; only the secret key can change it."""

    public_key: str
    secret_key: str | None = field(default=None, repr=False)


def body_hash(body: bytes | None) -> str:
    """Lower-case hex of the body's SHA-256; empty without a body."""
    return hashlib.sha256(body).hexdigest() if body else ""


def sign(secret_key: str, timestamp: int, method: str, path: str, body: bytes | None) -> str:
    """The value of `X-Signature`. The request must carry exactly these bytes and this path, without a query."""
    return _code(secret_key, f"{timestamp}.{method}.{path}.{body_hash(body)}")


def sign_cancel_on_disconnect(secret_key: str, timestamp: int, is_enabled: bool, client_id: str) -> str:
    """The proof that arms or disarms one stream connection, named by the `clientId` of its greeting."""
    text = f"cancelOnDisconnect.{'true' if is_enabled else 'false'}.{client_id}"
    return _code(secret_key, f"{timestamp}.WS.{USER_STREAM}.{body_hash(text.encode())}")


def _code(secret_key: str, payload: str) -> str:
    code = hmac.new(secret_key.encode(), payload.encode(), hashlib.sha256).digest()
    return base64.b64encode(code).decode()
