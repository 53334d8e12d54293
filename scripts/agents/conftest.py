"""Fixtures: the planted question exists in all tests."""

import pytest

import venue


@pytest.fixture(scope="session", autouse=True)
def planted_question():
    venue.plant()
