#!/usr/bin/env python3
"""Signs a request and sends it, until there is an answer. Standard library only.

    signed_request.py [--print-signature] METHOD PATH [BODY]

Keys and address come from data/demo.json (DEMO=file chooses another, USER_NUMBER=n the n-th user, from 1), or from
BASE_URL, PUBLIC_KEY and SECRET_KEY. IDEMPOTENCY_KEY names a write, TIMESTAMP replaces the clock.
--print-signature prints X-Signature and sends nothing.
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

ATTEMPTS = 5


def sign(secret_key: str, timestamp: str, method: str, path: str, body: bytes) -> str:
    """The value of X-Signature. The body must be sent as exactly these bytes."""
    body_hash = hashlib.sha256(body).hexdigest() if body else ""
    payload = f"{timestamp}.{method}.{path.split('?')[0]}.{body_hash}"
    code = hmac.new(secret_key.encode(), payload.encode(), hashlib.sha256).digest()
    return base64.b64encode(code).decode()


def send(account: dict, method: str, path: str, body: bytes, idempotency_key: str):
    """One attempt: status, headers and body of whatever came back."""
    timestamp = os.environ.get("TIMESTAMP") or str(int(time.time()))
    headers = {
        "X-Public-Key": account["publicKey"],
        "X-Timestamp": timestamp,
        "X-Signature": sign(account["secretKey"], timestamp, method, path, body),
        "Idempotency-Key": idempotency_key,
        "Content-Type": "application/json",
    }
    request = urllib.request.Request(
        account["baseUrl"] + path, data=body or None, headers=headers, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def send_until_answered(account: dict, method: str, path: str, body: bytes):
    """Repeats what is safe to repeat. The same Idempotency-Key each time: however often it arrives, it happens once."""
    idempotency_key = os.environ.get("IDEMPOTENCY_KEY") or str(uuid.uuid4())
    for attempt in range(1, ATTEMPTS + 1):
        try:
            status, headers, answer = send(account, method, path, body, idempotency_key)
        except (OSError, http.client.HTTPException) as lost:
            # No answer says nothing about what happened.
            if attempt == ATTEMPTS:
                sys.exit(f"no answer ({lost}); ask again with IDEMPOTENCY_KEY={idempotency_key}")
            time.sleep(1)
            continue
        # In flight, too often, not available: none of these is the last word.
        if status in (409, 429, 503) and attempt < ATTEMPTS:
            time.sleep(int(headers.get("Retry-After", "1")))
            continue
        return status, answer


def account_of_this_run() -> dict:
    """From the environment, or else from the demo's file."""
    account = {"baseUrl": "BASE_URL", "publicKey": "PUBLIC_KEY", "secretKey": "SECRET_KEY"}
    account = {key: os.environ.get(name) for key, name in account.items()}
    file = os.environ.get("DEMO", "data/demo.json")
    if not all(account.values()) and os.path.exists(file):
        with open(file, encoding="utf-8") as text:
            demo = json.load(text)
        user = demo["users"][int(os.environ.get("USER_NUMBER", "1")) - 1]
        account = {key: value or user.get(key) or demo.get(key) for key, value in account.items()}
    return account


def main() -> None:
    arguments = sys.argv[1:]
    prints_signature = arguments[:1] == ["--print-signature"]
    if prints_signature:
        arguments = arguments[1:]
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    method, path = arguments[:2]
    # The bytes as they were typed, whatever the locale.
    body = os.fsencode(arguments[2]) if len(arguments) == 3 else b""
    account = account_of_this_run()
    needed = ["secretKey"] if prints_signature else ["baseUrl", "publicKey", "secretKey"]
    if missing := [key for key in needed if not account[key]]:
        sys.exit(f"no {', '.join(missing)}: neither in the environment nor in the demo's file")
    if prints_signature:
        timestamp = os.environ.get("TIMESTAMP") or str(int(time.time()))
        print(sign(account["secretKey"], timestamp, method, path, body))
        return
    status, answer = send_until_answered(account, method, path, body)
    print(answer.decode())
    if status >= 400:
        sys.exit(1)


if __name__ == "__main__":
    main()
