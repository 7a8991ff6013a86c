"""The test database: SQLite in a file, because runs write from a thread of their own, else one of this process."""

from __future__ import annotations

import os

import pytest
from django.db import connections


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    settings = connections["default"].settings_dict
    if settings["ENGINE"].endswith("sqlite3"):
        settings["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
    else:
        settings["TEST"]["NAME"] = f"test_playground_{os.getpid()}"
