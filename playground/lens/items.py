"""The items of a Responses answer: how each kind of part opens, grows, closes and stands in the output.

Used by lens/responses.py alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from playground.lens import freeform, searches
from playground.transcript import Part

Events = Iterable[tuple[str, dict[str, Any]]]


class Item:
    """One output item, made of one part. Texts are messages of their own, since a source tells no item borders."""

    prefix: ClassVar[str]

    def __init__(self, part: Part, index: int, stem: str) -> None:
        self.part = part
        self.index = index
        self.id = f"{self.prefix}_{stem}{index:02d}"
        self.closed = False
        self.status = "incomplete"  # until output_item.done says otherwise
        self.place = {"item_id": self.id, "output_index": index}
        self.inner: dict[str, Any] = {}
        self.logprobs: dict[str, Any] = {}
        self.annotations: list[dict[str, Any]] = []

    def opening(self) -> Events:
        return ()

    def closing(self) -> Events:
        return ()

    def delta_type(self, field: str) -> str | None:
        """The event that tells what a field grows by, None when none does."""
        return None

    def value(self, status: str = "", *, empty: bool = False) -> dict[str, Any]:
        """The item as it stands; `empty` as it began."""
        raise NotImplementedError


class Message(Item):
    prefix = "msg"

    def __init__(self, part: Part, index: int, stem: str) -> None:
        super().__init__(part, index, stem)
        self.inner = {"content_index": 0}
        self._kind = "refusal" if part.kind == "refusal" else "output_text"
        self.logprobs = {} if part.kind == "refusal" else {"logprobs": []}

    def _content(self, text: str) -> dict[str, Any]:
        if self._kind == "refusal":
            return {"type": "refusal", "refusal": text}
        return {"type": "output_text", "text": text, "annotations": list(self.annotations), "logprobs": []}

    def opening(self) -> Events:
        yield "response.content_part.added", {**self.inner, "part": self._content("")}

    def closing(self) -> Events:
        text = self.part.joined()
        field = "refusal" if self._kind == "refusal" else "text"
        yield f"response.{self._kind}.done", {**self.inner, field: text, **self.logprobs}
        yield "response.content_part.done", {**self.inner, "part": self._content(text)}

    def delta_type(self, field: str) -> str | None:
        return f"response.{self._kind}.delta" if field == "text" else None

    def value(self, status: str = "", *, empty: bool = False) -> dict[str, Any]:
        content = [] if empty else [self._content(self.part.joined())]
        return {
            "id": self.id,
            "type": "message",
            "status": status or self.status,
            "role": "assistant",
            "content": content,
        }


class Reasoning(Item):
    """A summary where the source says that it is one, else the reasoning itself; its proof comes with the done item."""

    prefix = "rs"

    def __init__(self, part: Part, index: int, stem: str) -> None:
        super().__init__(part, index, stem)
        self._summary = bool(part.fields.get("summary"))
        self._hidden = bool(part.fields.get("encrypted")) and not self._summary
        self.inner = {"summary_index": 0} if self._summary else {"content_index": 0}
        self._text_event = "response.reasoning_summary_text" if self._summary else "response.reasoning_text"
        self._part_event = "response.reasoning_summary_part" if self._summary else "response.content_part"

    def _content(self, text: str) -> dict[str, Any]:
        return {"type": "summary_text" if self._summary else "reasoning_text", "text": text}

    def opening(self) -> Events:
        if not self._hidden:
            yield f"{self._part_event}.added", {**self.inner, "part": self._content("")}

    def closing(self) -> Events:
        if not self._hidden:
            text = self.part.joined()
            yield f"{self._text_event}.done", {**self.inner, "text": text}
            yield f"{self._part_event}.done", {**self.inner, "part": self._content(text)}

    def delta_type(self, field: str) -> str | None:
        return f"{self._text_event}.delta" if field == "text" else None

    def value(self, status: str = "", *, empty: bool = False) -> dict[str, Any]:
        told = [] if empty or self._hidden else [self._content(self.part.joined())]
        item: dict[str, Any] = {"id": self.id, "type": "reasoning", "summary": told if self._summary else []}
        if told and not self._summary:
            item["content"] = told
        if self.part.fields.get("encrypted") and not empty:
            item["encrypted_content"] = self.part.fields["encrypted"]
        return {**item, "status": status or self.status}


class FunctionCall(Item):
    prefix = "fc"

    def closing(self) -> Events:
        yield "response.function_call_arguments.done", {"arguments": self.part.joined("arguments")}

    def delta_type(self, field: str) -> str | None:
        return "response.function_call_arguments.delta" if field == "arguments" else None

    def value(self, status: str = "", *, empty: bool = False) -> dict[str, Any]:
        return {
            "id": self.id,
            "type": "function_call",
            "status": status or self.status,
            "call_id": self.part.fields.get("id") or f"call_{self.id}",
            "name": self.part.fields.get("name") or "",
            "arguments": "" if empty else self.part.joined("arguments"),
        }


class CustomCall(Item):
    """A call with free text."""

    prefix = "ctc"

    def closing(self) -> Events:
        yield "response.custom_tool_call_input.done", {"input": self.part.joined("arguments")}

    def delta_type(self, field: str) -> str | None:
        return "response.custom_tool_call_input.delta" if field == "arguments" else None

    def value(self, status: str = "", *, empty: bool = False) -> dict[str, Any]:
        return {
            "id": self.id,
            "type": "custom_tool_call",
            "status": status or self.status,
            "call_id": self.part.fields.get("id") or f"call_{self.id}",
            "name": self.part.fields.get("name") or "",
            "input": "" if empty else self.part.joined("arguments"),
        }


class WebSearch(Item):
    """Its states are events; what it looked for is told by the done item."""

    prefix = "ws"

    def opening(self) -> Events:
        yield "response.web_search_call.in_progress", {}
        if searches.query(self.part):
            yield "response.web_search_call.searching", {}

    def closing(self) -> Events:
        yield "response.web_search_call.completed", {}

    def value(self, status: str = "", *, empty: bool = False) -> dict[str, Any]:
        action: dict[str, Any] = {"type": "search", "query": searches.query(self.part)}
        found = searches.found(self.part)
        if found and not empty:
            action["sources"] = [{"type": "url", "url": one.get("url")} for one in found]
        return {"id": self.id, "type": "web_search_call", "status": status or self.status, "action": action}


_ITEMS: dict[str, type[Item]] = {
    "text": Message,
    "refusal": Message,
    "reasoning": Reasoning,
    "tool_call": FunctionCall,
    "server_tool": WebSearch,
}


def item_of(part: Part, index: int, stem: str) -> Item:
    kind = CustomCall if freeform.is_free(part) else _ITEMS[part.kind]
    return kind(part, index, stem)


def callable(part: Part) -> bool:
    """A call can be announced: its id and its name are known."""
    return bool(part.fields.get("id") and part.fields.get("name"))


def annotation_of(part: Part, span: tuple[int, int]) -> dict[str, Any]:
    """A citation as an annotation of the text."""
    return {
        "type": "url_citation",
        "url": part.fields.get("url"),
        "title": part.fields.get("title"),
        "start_index": span[0],
        "end_index": span[1],
    }
