"""docs/gateway.md says what the gateway has."""

from __future__ import annotations

from pathlib import Path

import pytest

from playground.gateway.catalogue import MODELS
from playground.gateway.scenarios import SCENARIOS
from playground.gateway.urls import urlpatterns

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "gateway.md").read_text()


def test_every_scenario_stands_in_the_table_in_its_order() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `") and line.count("|") == 3]
    wanted = [f"| `{scenario.name}` | {scenario.look_for} |" for scenario in SCENARIOS.values()]
    assert [row for row in rows if row in wanted] == wanted


@pytest.mark.parametrize("name", MODELS)
def test_every_model_stands_with_its_prices(name: str) -> None:
    model = MODELS[name]
    prices = " | ".join(f"{price:,}" for price in (model.input, model.cached, model.output))
    assert f"| `{name}` | {model.native_format} | {prices} |" in PAGE


def test_every_address_is_named() -> None:
    paths = [str(pattern.pattern) for pattern in urlpatterns]
    assert paths
    assert [path for path in paths if f"/v1/{path}" not in PAGE and "<" not in path] == []
