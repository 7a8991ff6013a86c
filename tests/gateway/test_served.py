"""A real daphne answers."""

import json
from urllib.request import urlopen

from tests.support.daphne import Daphne


def test_the_models_are_listed_with_their_native_format(daphne: Daphne) -> None:
    with urlopen(f"{daphne.url}/v1/models", timeout=10) as answer:
        listed = json.load(answer)
    assert [(model["id"], model["native_format"]) for model in listed["data"]] == [
        ("z-ai/glm-5.2", "chat"),
        ("claude-sonnet-5", "messages"),
        ("gpt-5.2", "responses"),
    ]
