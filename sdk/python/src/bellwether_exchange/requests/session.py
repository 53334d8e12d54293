"""Login and API keys. These are never repeated after an unknown outcome: each may have been executed."""

from __future__ import annotations

from collections.abc import Mapping

from ..numbers import encode
from ..retry import Repeat
from ..text import part
from .base import Access, Request


def login(email: str, password: str) -> Request:
    """Begins a session."""
    body = encode({"email": email, "password": password})
    return Request("POST", "/v1/user/login", body=body, repeat=Repeat.NEVER)


def create_key(session: Mapping[str, str], name: str) -> Request:
    """Creates an API key."""
    return _session("POST", "/v1/user/me/api-keys", session, encode({"name": name}))


def rotate_key(session: Mapping[str, str], key_id: str) -> Request:
    """Replaces a key's secret. The old one stops working at once."""
    return _session("POST", f"/v1/user/me/api-keys/{part(key_id)}/rotate", session, None)


def revoke_key(session: Mapping[str, str], key_id: str) -> Request:
    """Ends a key."""
    return _session("DELETE", f"/v1/user/me/api-keys/{part(key_id)}", session, None)


def _session(method: str, path: str, session: Mapping[str, str], body: bytes | None) -> Request:
    headers = {"x-auth-token": session["token"], "x-device-id": session["deviceId"]}
    return Request(method, path, body=body, access=Access.SESSION, repeat=Repeat.NEVER, headers=headers)
