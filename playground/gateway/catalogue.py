"""The scripted models: name, native format, owner, prices; and the content types of answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

EVENT_STREAM = "text/event-stream; charset=utf-8"
JSON = "application/json"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Model:
    """Prices are whole micros (a millionth of a US dollar) for a million tokens.

    A model with an `address` is routed there: the base address of a real upstream, which calls it `upstream_name` and
    wants the key that stands in the environment as `key_env`. `usage_always`: the gateway asks the model for usage
    itself, so a chat stream ends with a usage chunk unasked.
    """

    name: str
    native_format: str
    owned_by: str
    usage_always: bool
    input: int
    cached: int
    output: int
    address: str = ""
    key_env: str = ""
    upstream_name: str = ""

    def listed(self) -> dict[str, Any]:
        """As GET /v1/models shows it."""
        return {
            "id": self.name,
            "object": "model",
            "owned_by": self.owned_by,
            "native_format": self.native_format,
            "prices": {
                "currency": "USD",
                "unit": "micros per million tokens",
                "input": self.input,
                "cached": self.cached,
                "output": self.output,
            },
        }


MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model("z-ai/glm-5.2", "chat", "z-ai", False, 600_000, 110_000, 2_200_000),
        Model("claude-sonnet-5", "messages", "anthropic", True, 3_000_000, 300_000, 15_000_000),
        Model("gpt-5.2", "responses", "openai", True, 1_750_000, 175_000, 14_000_000),
    )
}
