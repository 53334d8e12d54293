"""A sandbox for tests: an exchange whose clock you move and whose faults you plant.

`Sandbox.start()` runs `bellwether sandbox` until it is closed. With pytest, the fixture `sandbox` does that, and the
mark `fault` plants a fault in one line: see `bellwether_exchange.pytest_plugin`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import httpx

from .retry import Retry
from .sync import Client
from .text import moment

EXECUTABLE_VARIABLE = "BELLWETHER"
PATIENCE_SECONDS = 120.0
_LOG_CHARACTERS = 4000


class SandboxError(Exception):
    """The sandbox did not start, or refused a request."""


@dataclass(frozen=True)
class SandboxUser:
    """A user of the sandbox, with its key."""

    id: str
    tag: str
    email: str
    public_key: str
    secret_key: str


class Clock:
    """The clock of a sandbox. It stands unless you move it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def now(self) -> datetime:
        """Where the clock stands."""
        return _time(self._sandbox.request("GET", "/clock")["now"])

    @property
    def is_deterministic(self) -> bool:
        """Whether everything so far follows from the seed and the requests: not if the clock has run at a speed."""
        return bool(self._sandbox.request("GET", "/clock")["deterministic"])

    def advance(self, seconds: float) -> datetime:
        """Moves the clock. Everything that is due happens before this returns."""
        millis = round(seconds * 1000)
        return _time(self._sandbox.request("POST", "/clock/advance", {"millis": millis})["now"])

    def jump_to_close(self, event: str) -> datetime:
        """Moves the clock to the closing date of an event, given by slug or id."""
        return _time(self._sandbox.request("POST", "/clock/jump", {"event": event})["now"])

    def run(self, speed: int) -> None:
        """Lets the clock run: so many seconds of the venue in a second of the machine. Not deterministic."""
        self._sandbox.request("POST", "/clock/run", {"speed": speed})

    def freeze(self) -> datetime:
        """Stops a clock that runs."""
        return _time(self._sandbox.request("POST", "/clock/stop")["now"])


class Fault:
    """A planted fault. In a `with` block it is removed at the end."""

    def __init__(self, sandbox: Sandbox, fault_id: int) -> None:
        self._sandbox = sandbox
        self.id = fault_id

    @property
    def fired(self) -> int:
        """How often it has happened."""
        return int(self._find()["fired"])

    @property
    def seen(self) -> int:
        """How many requests or messages have matched."""
        return int(self._find()["seen"])

    def remove(self) -> None:
        """Removes the fault."""
        self._sandbox.request("DELETE", f"/faults/{self.id}")

    def _find(self) -> dict[str, Any]:
        for fault in self._sandbox.request("GET", "/faults")["faults"]:
            if fault["id"] == self.id:
                return dict(fault)
        raise SandboxError(f"fault {self.id} is removed")

    def __enter__(self) -> Fault:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()


class Sandbox:
    """A sandbox that runs. Close it when you are done, or use it in a `with` block."""

    def __init__(self, base_url: str, sandbox_url: str, admin_url: str = "", operator_token: str = "") -> None:
        self.base_url = base_url
        self.sandbox_url = sandbox_url
        self.admin_url = admin_url
        self.operator_token = operator_token
        self.clock = Clock(self)
        self._http = httpx.Client(timeout=PATIENCE_SECONDS, trust_env=False)
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._log: IO[bytes] | None = None
        self._closing = ExitStack()

    @classmethod
    def start(
        cls,
        *,
        seed: int = 1,
        folder: Path | None = None,
        executable: str | Path | None = None,
        flags: Sequence[str] = ("--no-limits",),
        journal: Path | str | None = None,
        from_: datetime | str | None = None,
        speed: int | None = None,
    ) -> Sandbox:
        """Starts `bellwether sandbox` on free ports, in a folder of its own unless you name one.

        The executable is `executable`, else the file that `BELLWETHER` names, else `bellwether` on the path. With
        `journal`, the data folder of an exchange, it relives that exchange from the time `from_` on. With `speed` the
        clock runs from the start.
        """
        program = find_executable(executable)
        temporary = None if folder else tempfile.TemporaryDirectory(prefix="bellwether-sandbox-")
        place = folder or Path(temporary.name if temporary else ".")
        command = [program, "sandbox", "--data", str(place), "--seed", str(seed)]
        for listener in ("--listen", "--admin-listen", "--sandbox-listen"):
            command += [listener, "127.0.0.1:0"]
        begin = None if from_ is None else moment(from_)
        for flag, value in (("--journal", journal), ("--from", begin), ("--speed", speed)):
            command += [] if value is None else [flag, str(value)]
        addresses = place / "sandbox-addresses.json"
        addresses.unlink(missing_ok=True)
        closing = ExitStack()
        log = closing.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (the stack closes it)
        process = None
        try:
            process = subprocess.Popen([*command, *flags], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            deadline = time.monotonic() + PATIENCE_SECONDS
            while (found := _read(addresses)) is None:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SandboxError(f"the sandbox did not start:\n{_end_of(log)}")
                time.sleep(0.01)
        except BaseException as error:
            if process is not None:
                process.kill()
                process.wait()
            closing.close()
            if temporary is not None:
                temporary.cleanup()
            if isinstance(error, OSError):
                raise SandboxError(f"{program} cannot be started: {error}") from error
            raise
        sandbox = cls(found["baseUrl"], found["sandboxUrl"], found["adminUrl"], found["operatorToken"])
        sandbox._process, sandbox._folder = process, temporary
        sandbox._log, sandbox._closing = log, closing
        return sandbox

    def close(self) -> None:
        """Stops a sandbox that this object has started. It is gone afterwards, also if it did not stop well."""
        self._http.close()
        try:
            if self._process is not None and self._process.poll() is None:
                self._process.send_signal(signal.SIGTERM)
                code = self._process.wait(PATIENCE_SECONDS)
                if code != 0:
                    raise SandboxError(f"the sandbox ended with exit code {code}:\n{_end_of(self._log)}")
        except subprocess.TimeoutExpired:
            raise SandboxError(f"the sandbox did not stop and was killed:\n{_end_of(self._log)}") from None
        finally:
            if self._process is not None and self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._closing.close()
            if self._folder is not None:
                self._folder.cleanup()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Users and clients

    def user(self, tag: str | None = None, *, password: str | None = None, **money: float) -> SandboxUser:
        """Makes a user with a key and money: 10,000 USD and 1,000,000 NGN, or what you say, as in `USD=50`."""
        wish: dict[str, Any] = {**money}
        wish.update({name: value for name, value in (("tag", tag), ("password", password)) if value is not None})
        made = self.request("POST", "/users", wish)
        return SandboxUser(made["userId"], made["tag"], made["email"], made["publicKey"], made["secretKey"])

    def client(self, user: SandboxUser | str | None = None, *, retry: Retry | None = None) -> Client:
        """A client of a user. Without a user, or with a tag, it makes one."""
        known = user if isinstance(user, SandboxUser) else self.user(user)
        return Client(self.base_url, known.public_key, known.secret_key, retry=retry)

    def credit(self, user: SandboxUser | str, amount: float, currency: str = "USD") -> None:
        """Credits money."""
        name = user.id if isinstance(user, SandboxUser) else user
        self.request("POST", "/credit", {"user": name, "amount": amount, "currency": currency})

    # The market

    def fill(self, order_id: str, quantity: float | None = None) -> None:
        """Lets a counterparty trade with a resting order, completely or by `quantity`."""
        wish = {"orderId": order_id} if quantity is None else {"orderId": order_id, "quantity": quantity}
        self.request("POST", "/fill", wish)

    def set_price(self, market_id: str, price: float, currency: str = "USD") -> None:
        """Lets a counterparty trade a book to a price."""
        self.request("POST", "/price", {"marketId": market_id, "price": price, "currency": currency})

    def set_asset_price(self, symbol: str, value: float | None) -> None:
        """Sets the price of an asset, which then stays. Without a value it walks again."""
        wish = {"symbol": symbol} if value is None else {"symbol": symbol, "value": value}
        self.request("POST", "/price", wish)

    def resolve(self, event: str, winner: str | None = None) -> None:
        """Ends an event: the market `winner` as YES, all others as NO."""
        wish = {"event": event} if winner is None else {"event": event, "winner": winner}
        self.request("POST", "/resolve", wish)

    def trader(self, behaviour: str, market_id: str, **settings: Any) -> str:
        """Adds a virtual trader (maker, noise, informed or toxic), and returns its name."""
        made = self.request("POST", "/traders", {"behaviour": behaviour, "marketId": market_id, **settings})
        return str(made["name"])

    # Faults

    def fault(self, kind: str, **conditions: Any) -> Fault:
        """Plants a fault, such as `fault("lost-answer", method="POST", path="*/orders")`."""
        wish = {_camel(name): value for name, value in conditions.items()}
        return Fault(self, int(self.request("POST", "/faults", {"fault": kind, **wish})["id"]))

    # Snapshots

    def snapshot(self, name: str | None = None) -> str:
        """Takes a snapshot of the whole venue, and returns its name."""
        return str(self.request("POST", "/snapshots", {} if name is None else {"name": name})["name"])

    def return_to(self, snapshot: str) -> None:
        """Returns to a snapshot."""
        self.request("POST", f"/snapshots/{snapshot}/return")

    def reset(self) -> None:
        """Begins again, without faults."""
        self.request("POST", "/reset")

    @contextmanager
    def rewound(self) -> Iterator[Sandbox]:
        """Returns to the present state at the end of a `with` block."""
        name = self.snapshot()
        try:
            yield self
        finally:
            self.return_to(name)

    def past(self) -> dict[str, Any]:
        """The progress of a relived journal: `commands`, `refused`, `checkpoints`, `differing`, `ended`, `failure`."""
        return self.request("GET", "/past")

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Sends a request to the sandbox's own API."""
        answer = self._http.request(method, f"{self.sandbox_url}/sandbox/v1{path}", json=body)
        if answer.status_code >= 400:
            raise SandboxError(f"{method} {path}: {answer.status_code} {answer.text}")
        return dict(answer.json())


def find_executable(named: str | Path | None = None) -> str:
    """The path of the executable."""
    found = named or os.environ.get(EXECUTABLE_VARIABLE) or shutil.which("bellwether")
    if not found:
        raise SandboxError(f"no bellwether on the path: set {EXECUTABLE_VARIABLE} to the path of the executable")
    return str(found)


def _end_of(log: IO[bytes] | None) -> str:
    """The end of what the process has printed."""
    if log is None or log.closed:
        return ""
    log.seek(0)
    return log.read().decode(errors="replace")[-_LOG_CHARACTERS:]


def _read(file: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
