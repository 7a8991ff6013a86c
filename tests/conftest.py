"""Fixtures for all rooms."""

pytest_plugins = ["tests.support.daphne"]
