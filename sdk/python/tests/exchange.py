"""A real exchange for a test: the executable in a folder of its own, on free ports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXECUTABLE_VARIABLE = "BELLWETHER"
PATIENCE_SECONDS = 120.0
PER_SECOND = 1_000_000
"""More than a test sends, so that rate limits do not interfere."""


def executable() -> Path:
    """The executable under test."""
    named = os.environ.get(EXECUTABLE_VARIABLE)
    if not named:
        raise RuntimeError(f"set {EXECUTABLE_VARIABLE} to the path of the bellwether executable")
    return Path(named).resolve(strict=True)


@dataclass
class Exchange:
    """A running demo without bots: nothing happens unless a test does it."""

    folder: Path
    process: subprocess.Popen[bytes]
    record: dict[str, Any]

    @property
    def base_url(self) -> str:
        return str(self.record["baseUrl"])

    @property
    def demo_file(self) -> Path:
        return self.folder / "demo.json"

    def keys(self, user: int) -> tuple[str, str]:
        """The public and the secret key of the n-th person, from 1."""
        account = self.record["users"][user - 1]
        return account["publicKey"], account["secretKey"]

    def stop(self) -> None:
        """Stops it in order. Its exit code says whether the replayed journal has the digest of the served state."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_SECONDS)
        assert code == 0, f"exit code {code}:\n{self.log()}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)

    def log(self) -> str:
        return (self.folder.parent / f"{self.folder.name}.log").read_text(encoding="utf-8", errors="replace")


def start(
    folder: Path, listen: str = "127.0.0.1:0", per_second: int = PER_SECOND, flags: Sequence[str] = ()
) -> Exchange:
    """Starts the executable and waits for its record."""
    record = folder / "demo.json"
    record.unlink(missing_ok=True)
    command = [str(executable()), "demo", "--no-bots", "--listen", listen, "--admin-listen", "127.0.0.1:0"]
    command += ["--data", str(folder), "--low-disk-mib", "0", *flags]
    for limit in ("read", "write", "public"):
        command += [f"--{limit}-per-second", str(per_second)]
    with (folder.parent / f"{folder.name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    exchange = Exchange(folder, process, {})
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not record.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise RuntimeError(f"the exchange did not start:\n{exchange.log()}")
        time.sleep(0.01)
    exchange.record = json.loads(record.read_text(encoding="utf-8"))
    return exchange
