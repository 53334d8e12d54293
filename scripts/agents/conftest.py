"""Fixtures: the questions of the tests exist in all of them."""

import pytest

import venue


@pytest.fixture(scope="session", autouse=True)
def questions():
    venue.plant()
    venue.open_pool_with_fee()
