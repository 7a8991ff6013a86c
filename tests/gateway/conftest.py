"""The gateway is served alone here: it needs nothing of the rest of the playground."""

from collections.abc import Iterator

import pytest

from tests.support.daphne import GATEWAY_ALONE, Daphne


@pytest.fixture(scope="session")
def daphne(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daphne]:
    server = Daphne(tmp_path_factory.mktemp("gateway"), application=GATEWAY_ALONE)
    yield server
    server.stop()
