"""Documents and examples are run as they are written."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .exchange import PATIENCE_SECONDS, Exchange, executable

PACKAGE = Path(__file__).parent.parent
ROOT = PACKAGE.parent.parent
EXAMPLES = sorted((PACKAGE / "examples").glob("*.py"))
SECONDS = "2"


@dataclass(frozen=True)
class Block:
    """A fenced block of a document: the words after the fence, and its text."""

    kind: str
    text: str


def blocks(document: Path) -> list[Block]:
    """Every block of a document that names a language."""
    text = document.read_text(encoding="utf-8")
    return [Block(kind, body) for kind, body in re.findall(r"^```([a-z][a-z ]*)\n(.*?)^```$", text, re.M | re.S)]


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Runs a command and returns its output. A failure shows both outputs."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_runs(example: Path, exchange: Exchange, tmp_path: Path) -> None:
    assert run([sys.executable, str(example)], tmp_path, DEMO=str(exchange.demo_file))


@pytest.mark.parametrize("number", range(3))
def test_each_program_of_the_readme_runs(number: int, exchange: Exchange, tmp_path: Path) -> None:
    programs = [block.text for block in blocks(PACKAGE / "README.md") if block.kind == "python"]
    assert len(programs) == 3
    program = tmp_path / "program.py"
    program.write_text(programs[number], encoding="utf-8")
    output = run([sys.executable, "-W", "error", str(program), SECONDS], tmp_path, DEMO=str(exchange.demo_file))
    assert output.strip()


def test_the_readme_s_bot_has_30_lines() -> None:
    bot = next(block.text for block in blocks(PACKAGE / "README.md") if block.kind == "python")
    assert len([line for line in bot.splitlines() if line.strip()]) <= 30


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Path, dict[str, str], list[subprocess.Popen[bytes]]]]:
    """A folder like the repository's root, and the environment of a reader who has Python and the executable."""
    (tmp_path / "sdk").symlink_to(ROOT / "sdk")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "bellwether").symlink_to(executable())
    for name in ("python", "python3"):
        (tools / name).write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (tools / name).chmod(0o755)
    (tools / "pip").write_text(f'#!/bin/sh\nexec {sys.executable} -m pip "$@"\n')
    (tools / "pip").chmod(0o755)
    installed = tmp_path / "installed"
    variables = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        # The page's port may be taken on this machine.
        "BELLWETHER_LISTEN": "127.0.0.1:0",
        "BELLWETHER_ADMIN_LISTEN": "127.0.0.1:0",
        "BELLWETHER_LOW_DISK_MIB": "0",
        # The package is installed for this test alone; what it needs is there already.
        "PIP_TARGET": str(installed),
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PYTHONPATH": str(installed),
    }
    running: list[subprocess.Popen[bytes]] = []
    yield tmp_path, variables, running
    for process in running:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0


def test_the_ten_minutes_page_works_word_for_word(
    desk: tuple[Path, dict[str, str], list[subprocess.Popen[bytes]]],
) -> None:
    folder, variables, running = desk
    output = ""
    for block in blocks(ROOT / "docs" / "bots" / "python.md"):
        if block.kind == "sh background":
            with (folder / "demo.log").open("wb") as log:
                command = ["sh", "-c", f"exec {block.text}"]
                running.append(
                    subprocess.Popen(command, cwd=folder, env={**os.environ, **variables}, stdout=log, stderr=log)
                )
            wait_for(folder / "data" / "demo.json", running[-1])
        elif block.kind == "sh":
            output += run(["sh", "-e", "-c", block.text], folder, **variables)
        else:
            first = block.text.splitlines()[0]
            name = first.removeprefix("# ")
            assert re.fullmatch(r"[a-z]+\.py", name), f"a program's first line is its name, not {first}"
            (folder / name).write_text(block.text, encoding="utf-8")
    for expected in ("Rain in Lagos costs", "rests: True", "quotes at", "cancelled BUY", "realised:"):
        assert expected in output, output
    assert (folder / "installed" / "bellwether_exchange" / "py.typed").exists()


def wait_for(file: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not file.exists():
        assert process.poll() is None, "the demo ended"
        assert time.monotonic() < deadline, "the demo did not start in time"
        time.sleep(0.01)


@pytest.mark.parametrize("script", ["make_sync.py", "make_reference.py"])
def test_what_scripts_make_is_up_to_date(script: str) -> None:
    run([sys.executable, str(PACKAGE / "scripts" / script), "--check"], PACKAGE)
