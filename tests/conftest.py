"""Fixtures for all rooms."""

import pytest

from tests.support.available import check_needs

pytest_plugins = ["tests.support.daphne", "tests.support.database", "tests.support.sessions"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    check_needs(items)
