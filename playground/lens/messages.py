"""Updates -> Messages: message_start, blocks one after the other, message_delta, message_stop.

The finish is held until usage came with or after it, or until the end: Messages tells both in one event.
"""

from __future__ import annotations

from typing import Any, ClassVar

from playground.formats.interface import compact, parse
from playground.lens import finish, freeform, searches, usage
from playground.lens.errors import Fault
from playground.lens.interface import Writer
from playground.transcript import Part


class MessagesWriter(Writer):
    name: ClassVar[str] = "messages"
    keep_alive: ClassVar[bytes] = b'event: ping\ndata: {"type":"ping"}\n\n'

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._blocks: dict[int, int] = {}  # part number -> index of its block
        self._count = 0
        self._block: Part | None = None  # the part whose block is open
        self._told: tuple[Any, Any] | None = None  # the finish and usage that message_delta told
        self._usage_at_finish: Any = None

    def _message(self, content: list[dict[str, Any]], counts: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": f"msg_{self.id}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage.messages(counts),
        }

    def _start(self) -> None:
        counts = self.transcript.lane.fields.get("usage")
        if counts is None:
            self._lose(
                "usage", "The prompt's tokens are not known at message_start, which says 0; message_delta has them."
            )
        self._emit("message_start", message=self._message([], {"output": 1, **(counts or {})}))

    def _emit(self, type: str, **fields: Any) -> None:
        event = {"type": type, **fields}
        if self._extras:
            event |= self._take_extras()
        self._events.append((type, event))

    def _open(self, part: Part) -> None:
        kind = part.kind
        if part.fields.get("choice"):
            self._lose("choice", "Messages has one answer; only the first choice is told.")
        elif kind == "citation":
            self._cite(part)
        elif kind in {"image", "audio"}:
            self._lose(kind, "Messages cannot answer with it.")
        elif kind != "tool_call" or _callable(part):
            self._begin_block(part)

    def _begin_block(self, part: Part) -> None:
        """Open the part's block, the one before it closed."""
        self._stop_block()
        kind, fields = part.kind, part.fields
        if kind == "reasoning":
            if fields.get("encrypted") and not part.joined():
                block = {"type": "redacted_thinking", "data": fields["encrypted"]}
            else:
                block = {"type": "thinking", "thinking": "", "signature": ""}
            if fields.get("summary"):
                self._lose("reasoning", "Messages does not tell a summary from the reasoning itself.")
        elif kind == "tool_call":
            block = {"type": "tool_use", "id": self._call_id(part), "name": fields.get("name") or "", "input": {}}
        elif kind == "server_tool":
            block = {"type": "server_tool_use", "id": fields.get("id"), "name": fields.get("name"), "input": {}}
        else:
            if kind == "refusal":
                self._lose("refusal", "Messages tells a refusal as text and by its stop reason.")
            block = {"type": "text", "text": ""}
        self._block = part
        self._blocks[part.number] = self._count
        self._count += 1
        self._emit("content_block_start", index=self._blocks[part.number], content_block=block)
        if kind == "reasoning" and fields.get("signature"):
            self._set(part, "signature", fields["signature"])

    def _call_id(self, part: Part) -> str:
        if not part.fields.get("id"):
            self._lose("tool_call", "The call came without an id and got one.")
        return str(part.fields.get("id") or f"toolu_{self.id}{self._calls}")

    def _grow(self, part: Part, field: str, text: str) -> None:
        kind = part.kind
        if part.number not in self._blocks:
            if part.fields.get("choice") or kind in {"image", "audio", "citation"}:
                return
            self._begin_block(part)
        if kind in {"text", "refusal"}:
            delta = {"type": "text_delta", "text": text}
        elif kind == "reasoning":
            delta = {"type": "thinking_delta", "thinking": text}
        elif field in {"arguments", "input"}:
            delta = {"type": "input_json_delta", "partial_json": text}
        else:
            return
        if part is not self._block:
            self._lose("order", "Fragments of parts that alternate: some come after their block was stopped.")
        self._emit("content_block_delta", index=self._blocks[part.number], delta=delta)

    def _set(self, part: Part, field: str, value: Any) -> None:
        if part.kind == "tool_call" and field in {"id", "name"}:
            if part.number not in self._blocks and _callable(part):
                self._begin_block(part)
            elif part.number in self._blocks:
                self._lose("tool_call", f"Its {field} changed after the call had begun.")
        elif part.kind == "reasoning" and field == "signature" and value and part.number in self._blocks:
            delta = {"type": "signature_delta", "signature": value}
            self._emit("content_block_delta", index=self._blocks[part.number], delta=delta)
        elif part.kind == "reasoning" and field == "encrypted" and value and part.joined():
            self._lose("reasoning", "Encrypted reasoning of another vendor has no place beside its text.")
        elif part.kind == "server_tool" and field == "query" and part is self._block and not part.joined("input"):
            self._grow(part, "input", compact({"query": value}))
        elif part.kind == "server_tool" and field in {"found", "action"}:
            found = searches.found(part)
            if found is None:
                return
            self._stop_block()
            content = [_result(one) for one in found]
            block = {"type": "web_search_tool_result", "tool_use_id": part.fields.get("id"), "content": content}
            self._emit("content_block_start", index=self._count, content_block=block)
            self._emit("content_block_stop", index=self._count)
            self._count += 1

    def _cite(self, part: Part) -> None:
        text = self._block
        if text is None or text.kind != "text":
            self._lose("citation", "A citation whose text was over already.")
            return
        delta = {"type": "citations_delta", "citation": _citation(part, text)}
        self._emit("content_block_delta", index=self._blocks[text.number], delta=delta)

    def _close(self, part: Part) -> None:
        if part.kind == "tool_call" and part.number not in self._blocks:
            self._begin_block(part)
        if part is self._block:
            self._stop_block()

    def _stop_block(self) -> None:
        if self._block is not None:
            self._emit("content_block_stop", index=self._blocks[self._block.number])
            self._block = None

    def _settle(self) -> None:
        fields = self.transcript.lane.fields
        if fields.get("finish") is None or self.finish_class == finish.FAILED:
            self._usage_at_finish = fields.get("usage")
        elif fields.get("usage") is not self._usage_at_finish:
            self._delta()
            self._usage_at_finish = fields["usage"]

    def _delta(self) -> None:
        """Tell finish and usage; again only if they changed."""
        for part in self.transcript:
            if part.kind == "tool_call" and part.number not in self._blocks and not part.fields.get("choice"):
                self._begin_block(part)
        self._stop_block()
        fields = self.transcript.lane.fields
        told = (self._stop_reason(), fields.get("usage"))
        if told != self._told:
            self._told = told
            delta = {"stop_reason": told[0], "stop_sequence": fields.get("stop_sequence")}
            if fields.get("stop_details"):
                delta["stop_details"] = fields["stop_details"]
            self._emit("message_delta", delta=delta, usage=usage.messages(told[1] or {}))

    def _stop_reason(self) -> str:
        name = self.finish_class
        if name in finish.UNSAID["messages"]:
            self._lose("finish", f"{self.transcript.lane.fields.get('finish')!r} has no word of its own.")
        if name == finish.NATURAL and any(part.kind == "refusal" for part in self.transcript):
            name = finish.FILTERED
        return finish.WORDS[name].messages

    def _finish(self) -> None:
        self._delta()
        self._emit("message_stop")

    def _error(self, fault: Fault) -> None:
        self._emit("error", **error_document(fault))

    def whole(self) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        for part in self.transcript:
            if not part.fields.get("choice"):
                content += _whole_block(part, self)
        fields = self.transcript.lane.fields
        return {
            **self._message(content, fields.get("usage") or {}),
            "stop_reason": self._stop_reason(),
            "stop_sequence": fields.get("stop_sequence"),
            **({"stop_details": fields["stop_details"]} if fields.get("stop_details") else {}),
            **self._all_extras(),
        }


def error_document(fault: Fault) -> dict[str, Any]:
    """The error as Messages has it, in a stream and as a body; without its `type`: "error"."""
    return {"error": {"type": fault.kind.messages, "message": fault.message}}


def _callable(part: Part) -> bool:
    return bool(part.fields.get("id") and part.fields.get("name"))


def _result(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "web_search_result",
        "url": found.get("url"),
        "title": found.get("title") or "",
        "encrypted_content": found.get("encrypted_content") or "",
        "page_age": found.get("page_age"),
    }


def _citation(part: Part, text: Part) -> dict[str, Any]:
    fields = part.fields
    start, end = fields.get("start_index"), fields.get("end_index")
    cited = fields.get("cited_text")
    if cited is None:
        cited = text.joined()[start:end] if isinstance(start, int) and isinstance(end, int) else ""
    return {
        "type": "web_search_result_location",
        "url": fields.get("url"),
        "title": fields.get("title"),
        "cited_text": cited,
        "encrypted_index": fields.get("encrypted_index") or "",
    }


def _whole_block(part: Part, writer: MessagesWriter) -> list[dict[str, Any]]:
    fields = part.fields
    if part.kind in {"text", "refusal"}:
        return [{"type": "text", "text": part.joined(), **_cited(part, writer)}] if part.joined() else []
    if part.kind == "reasoning":
        if fields.get("encrypted") and not part.joined():
            return [{"type": "redacted_thinking", "data": fields["encrypted"]}]
        return [{"type": "thinking", "thinking": part.joined(), "signature": fields.get("signature") or ""}]
    if part.kind == "tool_call":
        value = parse(freeform.arguments_of(part) or "{}")
        arguments = value if isinstance(value, dict) else {}
        return [{"type": "tool_use", "id": fields.get("id"), "name": fields.get("name"), "input": arguments}]
    if part.kind == "server_tool":
        value = parse(part.joined("input") or compact({"query": searches.query(part)}))
        use = {"type": "server_tool_use", "id": fields.get("id"), "name": fields.get("name")}
        blocks: list[dict[str, Any]] = [{**use, "input": value if isinstance(value, dict) else {}}]
        found = searches.found(part)
        if found is not None:
            content = [_result(one) for one in found]
            blocks.append({"type": "web_search_tool_result", "tool_use_id": fields.get("id"), "content": content})
        return blocks
    return []


def _cited(text: Part, writer: MessagesWriter) -> dict[str, Any]:
    """The citations that stand right behind a text."""
    citations = []
    part = text.next
    while part is not None and part.kind == "citation":
        citations.append(_citation(part, text))
        part = part.next
    return {"citations": citations} if citations else {}
