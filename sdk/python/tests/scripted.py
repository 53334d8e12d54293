"""A server that answers with a script: what arrives is recorded, what goes back is planned."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Reply: TypeAlias = "tuple[int, Any] | str"
"""A status and a body; or "drop": the connection ends without an answer; or "cut": in the middle of one."""


@dataclass
class Seen:
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Scripted:
    """The server. Use it in a `with` block."""

    replies: Sequence[Reply]
    headers: Mapping[str, str] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)

    def __enter__(self) -> Scripted:
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("Content-Length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                script.seen.append(Seen(self.command, self.path, headers, self.rfile.read(length)))
                reply = script.replies[min(len(script.seen), len(script.replies)) - 1]
                self.close_connection = isinstance(reply, str)
                if reply == "drop":
                    return
                status, payload = (200, {}) if isinstance(reply, str) else reply
                body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) + (5 if reply == "cut" else 0)))
                for name, value in script.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = answer  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Tests read `seen` instead."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
