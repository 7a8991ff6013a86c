"""Updates -> Chat Completions: the role chunk, deltas, the finish chunk, the usage chunk when asked for, [DONE].

Reasoning is told as `reasoning_details`, a search as `web_search` on a chunk, other extra objects likewise.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from playground.lens import finish, freeform, searches, usage
from playground.lens.errors import Fault
from playground.lens.interface import DONE, Writer
from playground.transcript import Part

_TEXT_FIELD: Final = {"text": "content", "refusal": "refusal"}


class ChatWriter(Writer):
    name: ClassVar[str] = "chat"
    keep_alive: ClassVar[bytes] = b": keep-alive\n\n"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._head: dict[str, Any] = {}
        self._indexes: dict[int, int] = {}  # part number -> index of its tool call or reasoning detail
        self._details = 0
        self._named: set[int] = set()  # reasoning parts whose first detail was sent
        self._citations: list[dict[str, Any]] = []
        self._finished = False
        self._others: set[str] = set()  # choices but the first that have their finish

    def _start(self) -> None:
        self._head = {
            "id": f"chatcmpl-{self.id}",
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
        }
        self._delta({"role": "assistant", "content": ""})

    def _delta(self, delta: dict[str, Any], reason: str | None = None, choice: int = 0) -> None:
        choices = [{"index": choice, "delta": delta, "finish_reason": reason}]
        chunk = {**self._head, "choices": choices}
        if self._extras:
            chunk |= self._take_extras()
        self._send("", chunk)

    def _open(self, part: Part) -> None:
        kind = part.kind
        if kind == "reasoning":
            self._indexes[part.number] = self._details
            self._details += 1
            self._set(part, "encrypted", part.fields.get("encrypted"))
            self._set(part, "signature", part.fields.get("signature"))
        elif kind == "tool_call":
            self._indexes[part.number] = self._calls - 1
            call: dict[str, Any] = {
                "index": self._calls - 1,
                "id": part.fields.get("id") or f"call_{self.id}{self._calls}",
                "type": "function",
                "function": {"name": part.fields.get("name") or "", "arguments": ""},
            }
            self._delta({"tool_calls": [call]}, choice=self._choice(part))
        elif kind == "server_tool":
            self._searched(part)
        elif kind == "citation":
            self._citations.append(self._annotation(part))
        elif kind in {"image", "audio"}:
            self._lose(kind, "Chat has no agreed place for it.")

    def _grow(self, part: Part, field: str, text: str) -> None:
        kind = part.kind
        if kind in _TEXT_FIELD:
            self._delta({_TEXT_FIELD[kind]: text}, choice=self._choice(part))
        elif kind == "reasoning":
            if part.fields.get("summary"):
                self._detail(part, "reasoning.summary", {"summary": text})
            else:
                self._detail(part, "reasoning.text", {"text": text})
        elif kind == "tool_call" and field in {"arguments", "input"}:
            fragment = {"index": self._indexes[part.number], "function": {"arguments": text}}
            self._delta({"tool_calls": [fragment]}, choice=self._choice(part))

    def _set(self, part: Part, field: str, value: Any) -> None:
        if part.kind == "reasoning" and value:
            if field == "encrypted":
                self._detail(part, "reasoning.encrypted", {"data": value})
            elif field == "signature":
                self._detail(part, "reasoning.text", {"signature": value})
        elif part.kind == "tool_call" and field in {"id", "name"}:
            self._lose("tool_call", f"Its {field} came or changed after the call had begun.")
        elif part.kind == "server_tool" and field in {"found", "action"}:
            self._searched(part)

    def _detail(self, part: Part, type: str, fields: dict[str, Any]) -> None:
        """One fragment. What names the detail goes with its first one alone: clients append strings that repeat."""
        detail: dict[str, Any] = {"type": type, **fields, "index": self._indexes[part.number]}
        if part.number not in self._named:
            self._named.add(part.number)
            detail |= {name: part.fields[name] for name in ("id", "format") if part.fields.get(name)}
        self._delta({"reasoning_details": [detail]})

    def _searched(self, part: Part) -> None:
        """A server-side search has a field of its own; of other server tools nothing can be said."""
        found = searches.found(part)
        if part.fields.get("name") != "web_search":
            self._lose("server_tool", "Chat cannot tell what a tool of the server did.")
        elif found is not None:
            results = [{"url": one.get("url"), "title": one.get("title")} for one in found]
            self._extras["web_search"] = {"queries": [searches.query(part)], "results": results}

    def _close(self, part: Part) -> None:
        """Chat ends no part of a choice by itself."""

    def _settle(self) -> None:
        fields = self.transcript.lane.fields
        if fields.get("finish") is not None and not self._finished and self.finish_class != finish.FAILED:
            self._finish_choice()
        for field, reason in fields.items():
            choice = field.removeprefix("finish:")
            if choice != field and choice not in self._others:
                self._others.add(choice)
                self._delta({}, reason, int(choice))
        if self._extras and self._started:
            self._delta({})

    def _finish_choice(self) -> None:
        if self._citations:
            # All in one chunk: openai-python's accumulator cannot join lists whose entries have no index.
            self._delta({"annotations": self._citations})
        self._finished = True
        self._delta({}, self._reason())

    def _annotation(self, part: Part) -> dict[str, Any]:
        start, end = searches.span(part, self.transcript, whole=True)
        citation = {"url": part.fields.get("url"), "title": part.fields.get("title")}
        return {"type": "url_citation", "url_citation": {**citation, "start_index": start, "end_index": end}}

    def _reason(self) -> str:
        if self.finish_class in finish.UNSAID["chat"]:
            self._lose("finish", f"{self.transcript.lane.fields.get('finish')!r} has no word of its own.")
        return finish.WORDS[self.finish_class].chat

    def _finish(self) -> None:
        if not self._finished:
            self._finish_choice()
        counts = self.transcript.lane.fields.get("usage")
        if counts and self._usage:
            self._send("", {**self._head, "choices": [], "usage": usage.chat(counts)})
        self._send("", DONE)

    def _error(self, fault: Fault) -> None:
        if not self._head:
            self._start_silently()
        choices = [{"index": 0, "delta": {}, "finish_reason": "error"}]
        self._send("", {**self._head, "choices": choices, **self._take_extras(), "error": error_object(fault)})

    def _start_silently(self) -> None:
        """The head of a chunk without its role chunk: the stream has nothing but an error."""
        self._start()
        self._events.pop()

    def _after_error(self) -> None:
        self._send("", DONE)

    def _choice(self, part: Part) -> int:
        choice = part.fields.get("choice")
        return choice if isinstance(choice, int) else 0

    def whole(self) -> dict[str, Any]:
        parts = [part for part in self.transcript if not part.fields.get("choice")]
        message: dict[str, Any] = {
            "role": "assistant",
            "content": _joined(parts, "text") or None,
            "refusal": _joined(parts, "refusal") or None,
        }
        if details := [_whole_detail(part, index) for index, part in enumerate(_of(parts, "reasoning"))]:
            message["reasoning_details"] = [detail for both in details for detail in both]
        if self._citations:
            message["annotations"] = self._citations
        if calls := _of(parts, "tool_call"):
            message["tool_calls"] = [
                {
                    "id": part.fields.get("id") or f"call_{self.id}{index}",
                    "type": "function",
                    "function": {"name": part.fields.get("name") or "", "arguments": freeform.arguments_of(part)},
                }
                for index, part in enumerate(calls, 1)
            ]
        elif message["content"] is None and message["refusal"] is None:
            message["content"] = ""
        answer: dict[str, Any] = {
            **self._head,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": self._reason()}],
            "usage": usage.chat(self.transcript.lane.fields.get("usage") or {}),
        }
        for part in self.transcript:
            if part.kind == "server_tool":
                self._searched(part)
                answer |= self._take_extras()
        return answer | self._all_extras()


def error_object(fault: Fault) -> dict[str, Any]:
    """The error as Chat and Responses nest it."""
    type_, code = fault.kind.chat
    return {
        "message": fault.message,
        "type": fault.type or type_,
        "param": fault.param,
        "code": code if fault.code is None else fault.code,
    }


def _of(parts: list[Part], kind: str) -> list[Part]:
    return [part for part in parts if part.kind == kind]


def _joined(parts: list[Part], kind: str) -> str:
    return "".join(part.joined() for part in _of(parts, kind))


def _whole_detail(part: Part, index: int) -> list[dict[str, Any]]:
    names = {name: part.fields[name] for name in ("id", "format") if part.fields.get(name)}
    details: list[dict[str, Any]] = []
    text, signature = part.joined(), part.fields.get("signature")
    if part.fields.get("summary"):
        details.append({"type": "reasoning.summary", "summary": text, **names, "index": index})
    elif text or signature:
        detail = {"type": "reasoning.text", "text": text, **names, "index": index}
        details.append(detail | ({"signature": signature} if signature else {}))
    if part.fields.get("encrypted"):
        details.append({"type": "reasoning.encrypted", "data": part.fields["encrypted"], **names, "index": index})
    return details
