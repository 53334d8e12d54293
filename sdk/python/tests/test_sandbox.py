"""The sandbox, its pytest plugin, and the tutorial about it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from bellwether_exchange import NotFound, testing
from bellwether_exchange.testing import Clock, Sandbox, SandboxError

from .exchange import executable
from .test_documents import ROOT, blocks


def test_a_sandbox_begins_alike_for_each_test(sandbox: Sandbox) -> None:
    first = sandbox.user("ada")
    sandbox.reset()
    assert sandbox.user("ada") == first
    assert first.public_key.startswith("pk_test_")


def test_the_clock_stands_until_it_is_moved(sandbox: Sandbox, frozen_clock: Clock) -> None:
    begin = frozen_clock.now
    assert frozen_clock.advance(90) - begin == timedelta(seconds=90)
    closed = frozen_clock.jump_to_close("rain-tomorrow")
    assert closed - begin == timedelta(days=1)
    assert frozen_clock.is_deterministic
    frozen_clock.run(60)
    assert not frozen_clock.is_deterministic
    assert frozen_clock.freeze() == frozen_clock.now


@pytest.mark.fault("lost-answer", method="POST", path="*/orders")
def test_a_retry_after_a_lost_answer_never_doubles_an_order(sandbox: Sandbox) -> None:
    with sandbox.client("ada") as client:
        market = client.event("rain-tomorrow").market
        order = market.yes.buy(quantity=10, price="0.40")
        assert [found.id for found in client.orders(status="open")] == [order.id]


def test_a_fault_is_counted_and_removed(sandbox: Sandbox) -> None:
    with sandbox.client("ada") as client, sandbox.fault("503", path="/v1/pm/orders", count=1) as fault:
        assert list(client.orders()) == []
        assert (fault.fired, fault.seen) == (1, 2)
    with pytest.raises(SandboxError, match="removed"):
        _ = fault.fired


def test_orders_are_filled_and_events_end_on_request(sandbox: Sandbox) -> None:
    with sandbox.client("ada") as client:
        market = client.event("rain-tomorrow").market
        order = market.yes.buy(quantity=10, price="0.40")
        sandbox.fill(order.id, 4)
        assert client.order(order.id).filled_size == 4
        with sandbox.rewound():
            sandbox.resolve("rain-tomorrow", market.id)
            assert client.event("rain-tomorrow").status == "resolved"
        assert client.event("rain-tomorrow").status == "open"


def test_a_wrong_request_says_why(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match="400"):
        sandbox.fault("explode")
    with sandbox.client("ada") as client, pytest.raises(NotFound):
        client.event("no-such-event")


def test_the_tutorial_works_word_for_word(tmp_path: Path) -> None:
    page = ROOT / "docs" / "bots" / "never-doubles.md"
    seen = []
    for block in blocks(page):
        if block.kind == "python":
            name = block.text.splitlines()[0].removeprefix("# ")
            assert re.fullmatch(r"[a-z_]+\.py", name)
            (tmp_path / name).write_text(block.text, encoding="utf-8")
        elif block.kind == "sh":
            tools = tmp_path / "tools"
            tools.mkdir(exist_ok=True)
            for tool, text in (("pytest", f'exec {sys.executable} -m pytest "$@"'), ("pip", "exit 0")):
                (tools / tool).write_text(f"#!/bin/sh\n{text}\n")
                (tools / tool).chmod(0o755)
            variables = {"BELLWETHER": str(executable()), "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
            command = ["sh", "-c", block.text]
            done = subprocess.run(
                command,
                cwd=tmp_path,
                env={**os.environ, **variables},
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            seen.append((done.returncode, done.stdout))
    codes = [code for code, _ in seen]
    assert codes == [0, 1, 0], seen
    assert "the bot placed 2 orders" in seen[1][1], seen


def test_a_missing_executable_is_an_error_of_the_sandbox(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="cannot be started"):
        Sandbox.start(executable=tmp_path / "missing")


def test_a_sandbox_that_does_not_start_quotes_its_log_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"(?s)did not start.*--speed"):
        Sandbox.start(executable=executable(), folder=tmp_path, flags=["--speed", "never"])


def test_a_sandbox_that_does_not_stop_is_killed_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Sandbox.start(executable=executable())
    process, folder = sandbox._process, sandbox._folder
    assert process is not None
    assert folder is not None
    monkeypatch.setattr(testing, "PATIENCE_SECONDS", 0.1)
    # A stopped process does not handle a signal to end.
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(SandboxError, match="was killed"):
        sandbox.close()
    assert process.poll() is not None
    assert not Path(folder.name).exists()


def test_a_journal_is_relived(tmp_path: Path) -> None:
    with Sandbox.start(executable=executable(), folder=tmp_path / "original", seed=7) as original:
        with original.client("ada") as ada:
            market = ada.event("rain-tomorrow").market
        original.trader("maker", str(market.id))
        original.clock.advance(120)
    begin = datetime(2026, 1, 5, 12, 1, tzinfo=timezone.utc)
    with Sandbox.start(executable=executable(), journal=tmp_path / "original", from_=begin) as relived:
        assert relived.clock.now == begin
        assert not relived.past()["ended"]
        relived.clock.advance(120)
        report = relived.past()
        assert report["ended"]
        assert (report["refused"], report["differing"]) == (0, 0)
