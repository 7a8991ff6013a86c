"""Fixtures for all rooms."""

import hypothesis
import pytest

from tests.support.available import check_needs

pytest_plugins = ["tests.support.daphne", "tests.support.database", "tests.support.sessions"]

# Machines are noisy: an example that takes long is no failure. Health checks still say when examples are wasted.
hypothesis.settings.register_profile("playground", deadline=None)
hypothesis.settings.load_profile("playground")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    check_needs(items)
