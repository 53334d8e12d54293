"""The pytest plugin: a sandbox for each test, and faults as marks.

It is active wherever the package is installed. `sandbox` starts one process for the whole run and resets it before each
test, so that every test begins alike. `frozen_clock` is its clock. A mark plants a fault before the test begins:

    @pytest.mark.fault("lost-answer", method="POST", path="*/orders")
    def test_my_bot(sandbox): ...
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .testing import Clock, Sandbox


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of the sandbox."""
    group = parser.getgroup("bellwether")
    group.addoption("--sandbox-seed", type=int, default=1, help="the seed of the sandbox")
    group.addoption("--bellwether", default=None, help="the path of the bellwether executable")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark."""
    config.addinivalue_line("markers", "fault(kind, **conditions): plants a fault in the sandbox before the test")


@pytest.fixture(scope="session")
def sandbox_process(pytestconfig: pytest.Config) -> Iterator[Sandbox]:
    """One sandbox for the whole run. Use `sandbox`, which begins alike for every test."""
    seed, executable = pytestconfig.getoption("--sandbox-seed"), pytestconfig.getoption("--bellwether")
    with Sandbox.start(seed=int(seed), executable=executable) as running:
        yield running


@pytest.fixture
def sandbox(sandbox_process: Sandbox, request: pytest.FixtureRequest) -> Sandbox:
    """A sandbox as it begins, with the faults that the test's marks plant."""
    sandbox_process.reset()
    for mark in reversed(list(request.node.iter_markers("fault"))):
        sandbox_process.fault(*mark.args, **mark.kwargs)
    return sandbox_process


@pytest.fixture
def frozen_clock(sandbox: Sandbox) -> Clock:
    """The sandbox's clock, which stands until the test moves it."""
    sandbox.clock.freeze()
    return sandbox.clock
