"""The address and the keys of a client, from the environment or from a demo's file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from .errors import BellwetherError


@dataclass(frozen=True)
class Settings:
    """Where the exchange is, and as whom to act."""

    base_url: str
    public_key: str | None = None
    secret_key: str | None = field(default=None, repr=False)


def from_env() -> Settings:
    """`BASE_URL`, `PUBLIC_KEY` and `SECRET_KEY`; without them, the demo's file that `DEMO` names."""
    base_url = os.environ.get("BASE_URL")
    if base_url:
        return Settings(base_url, os.environ.get("PUBLIC_KEY"), os.environ.get("SECRET_KEY"))
    return from_demo(os.environ.get("DEMO", "data/demo.json"), int(os.environ.get("USER_NUMBER", "1")))


def from_demo(file: str | Path, user: int) -> Settings:
    """A user of `bellwether demo`, counted from 1; the demo writes the file when it has started."""
    path = Path(file)
    if not path.exists():
        raise BellwetherError(f"{path} does not exist: start `bellwether demo`, or set BASE_URL")
    demo = json.loads(path.read_text(encoding="utf-8"))
    account = demo["users"][user - 1]
    return Settings(demo["baseUrl"], account["publicKey"], account["secretKey"])
