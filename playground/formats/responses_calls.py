"""Items that are one part: calls, server tools, images, anything else. Their fields, read from the item.

Called by responses_parts.py.
"""

from __future__ import annotations

from typing import Any, Final

from playground.formats.interface import compact
from playground.formats.typed import mapping, string
from playground.formats.updates import ABANDONED, SUPERSEDED, PartKind

_CALLS: Final = {"function_call": "arguments", "custom_tool_call": "input"}
_SERVER_TOOLS: Final = {
    "web_search_call": "",
    "file_search_call": "",
    "code_interpreter_call": "code",
    "mcp_call": "arguments",
}
_IMAGE: Final = "image_generation_call"

SET_ONCE: Final = frozenset({"item_id", "custom"})
"""Fields whose first value stands: ids of items change from event to event on some gateways."""


def part_kind(kind: str) -> PartKind:
    if kind in _CALLS:
        return "tool_call"
    if kind in _SERVER_TOOLS:
        return "server_tool"
    return "image" if kind == _IMAGE else "extra"


def growing_field(kind: str) -> str:
    """The field of the part that deltas let grow."""
    if kind in _CALLS:
        return "arguments"
    return "data" if kind == _IMAGE else "input"


def grown(kind: str, item: dict[str, Any]) -> str | None:
    """The whole of the growing field as the item has it; None when it has none."""
    if kind == _IMAGE:
        result = item.get("result")
        return base64_text(result) if isinstance(result, str) and not _is_address(result) else None
    return text_of(item.get(_CALLS.get(kind) or _SERVER_TOOLS.get(kind) or ""))


def base64_text(image: str) -> str:
    """The base64 text of an image, of a data: URL what follows the comma."""
    return image.partition(",")[2] if image.startswith("data:") else image


def text_of(value: Any) -> str | None:
    """Arguments as text; an object, which some gateways send, as compact JSON."""
    if isinstance(value, str):
        return value
    return compact(value) if isinstance(value, dict | list) else None


def fields_of(kind: str, item: dict[str, Any]) -> dict[str, Any]:
    """All other fields of the part, as far as the item has them."""
    part = part_kind(kind)
    name = string(item.get("name"))
    fields: dict[str, Any] = {"item_id": string(item.get("id"))}
    if part == "tool_call":
        fields |= {"id": string(item.get("call_id")), "name": name, "namespace": string(item.get("namespace"))}
        fields["custom"] = True if kind == "custom_tool_call" else None
    elif part == "server_tool":
        fields |= {"name": name or kind.removesuffix("_call")} | _server_tool(item)
    elif part == "image":
        fields |= _image(item)
    else:
        fields |= {"name": kind or None, "value": item or None}
    status = string(item.get("status"))
    if status not in {ABANDONED, SUPERSEDED}:
        fields["status"] = status
    return {field: value for field, value in fields.items() if value is not None}


def _server_tool(item: dict[str, Any]) -> dict[str, Any]:
    action, results, error = mapping(item.get("action")), item.get("results"), item.get("error")
    return {
        "query": string(action.get("query")),
        "action": action or None,
        "queries": item.get("queries"),
        "results": len(results) if isinstance(results, list) else None,
        "error": string(mapping(error).get("code")) or string(mapping(error).get("type")) or string(error),
        "output": item.get("output") or item.get("outputs"),
        "server_label": string(item.get("server_label")),
    }


def _image(item: dict[str, Any]) -> dict[str, Any]:
    result = item.get("result")
    return {
        "url": result if isinstance(result, str) and _is_address(result) else None,
        "format": string(item.get("output_format")),
        "dimensions": string(item.get("size")),
        **{name: string(item.get(name)) for name in ("quality", "background", "revised_prompt")},
    }


def _is_address(image: str) -> bool:
    return image.startswith(("https://", "http://"))
