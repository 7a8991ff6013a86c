from collections.abc import AsyncIterator

import pytest

from playground.upstream.addresses import Rules
from playground.upstream.client import Upstream


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    client = Upstream(Rules(allow_loopback=True))
    yield client
    await client.aclose()
