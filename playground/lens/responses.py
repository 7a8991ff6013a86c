"""Updates -> Responses: created, in_progress, items with their parts, each with its done, and the terminal response.

Every event has a sequence number from 0. An item's own `done` waits until it is known whether the answer was cut in
it: for the next item, the finish, or the end.
"""

from __future__ import annotations

from typing import Any, ClassVar

from playground.lens import finish, items, searches, usage
from playground.lens.chat import error_object
from playground.lens.errors import Fault
from playground.lens.interface import Writer
from playground.lens.items import Item
from playground.transcript import Part

# Fields of the request that the answer repeats, and what stands there when the request has none.
_REPEATED: dict[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
}


class ResponsesWriter(Writer):
    name: ClassVar[str] = "responses"
    keep_alive: ClassVar[bytes] = b": keep-alive\n\n"
    free_calls: ClassVar[bool] = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._sequence = 0
        self._items: dict[int, Item] = {}  # part number -> its item, in the order of output_index
        self._waiting: Item | None = None  # over, but for its output_item.done

    def _emit(self, type: str, **fields: Any) -> None:
        event = {"type": type, "sequence_number": self._sequence, **fields}
        if self._extras:
            event |= self._take_extras()
        self._sequence += 1
        self._send(type, event)

    def _response(self, status: str, **fields: Any) -> dict[str, Any]:
        repeated = {name: self._request.get(name, value) for name, value in _REPEATED.items()}
        return {
            "id": f"resp_{self.id}",
            "object": "response",
            "created_at": self.created,
            "status": status,
            "background": False,
            "error": None,
            "incomplete_details": None,
            "model": self.model,
            "output": [],
            **repeated,
            "usage": None,
            **fields,
        }

    def _start(self) -> None:
        self._emit("response.created", response=self._response("in_progress"))
        self._emit("response.in_progress", response=self._response("in_progress"))

    def _open(self, part: Part) -> None:
        if part.fields.get("choice"):
            self._lose("choice", "Responses has one answer; only the first choice is told.")
        elif part.kind == "citation":
            self._cite(part)
        elif part.kind in {"image", "audio"}:
            self._lose(part.kind, "It is not told as an item.")
        elif part.kind != "tool_call" or items.callable(part):
            self._begin_item(part)

    def _begin_item(self, part: Part) -> Item:
        self._done_waiting()
        if not self._overlapping:
            before = next(reversed(self._items.values()), None)
            if before is not None and before.part.kind != "tool_call":
                self._close(before.part)
                self._done_waiting()
        if part.kind == "tool_call" and not part.fields.get("id"):
            self._lose("tool_call", "The call came without an id and got one.")
        item = self._items[part.number] = items.item_of(part, len(self._items), self.id)
        self._emit("response.output_item.added", output_index=item.index, item=item.value("in_progress", empty=True))
        for type, fields in item.opening():
            self._emit(type, **item.place, **fields)
        if part.fields.get("signature"):
            self._set(part, "signature", part.fields["signature"])
        return item

    def _grow(self, part: Part, field: str, text: str) -> None:
        item = self._items.get(part.number)
        if item is None:
            if part.fields.get("choice") or part.kind in {"image", "audio", "citation"}:
                return
            item = self._begin_item(part)
        if type := item.delta_type(field):
            self._emit(type, **item.place, **item.inner, delta=text, **item.logprobs)

    def _set(self, part: Part, field: str, value: Any) -> None:
        if part.kind == "tool_call" and field in {"id", "name"}:
            if part.number not in self._items and items.callable(part):
                self._begin_item(part)
        elif part.kind == "reasoning" and field == "signature" and value:
            self._lose("signature", "The proof of another vendor's reasoning has no place here.")
        elif part.kind == "server_tool" and field == "query" and part.number in self._items:
            self._emit("response.web_search_call.searching", **self._items[part.number].place)

    def _replaced(self, part: Part, field: str) -> None:
        """Nothing is lost: the done events carry the final value."""

    def _cite(self, part: Part) -> None:
        text = next((item for item in reversed(self._items.values()) if item.part.kind == "text"), None)
        if text is None or text.closed:
            self._lose("citation", "A citation whose text was over already.")
            return
        annotation = items.annotation_of(part, searches.span(part, self.transcript, whole=False))
        self._emit(
            "response.output_text.annotation.added",
            **text.place,
            **text.inner,
            annotation_index=len(text.annotations),
            annotation=annotation,
        )
        text.annotations.append(annotation)

    def _close(self, part: Part) -> None:
        item = self._items.get(part.number)
        if item is None:
            if part.kind != "tool_call":
                return
            item = self._begin_item(part)
        if item.closed:
            return
        self._done_waiting()
        item.closed = True
        for type, fields in item.closing():
            self._emit(type, **item.place, **fields)
        self._waiting = item

    def _done_waiting(self) -> None:
        if self._waiting is not None:
            item, self._waiting = self._waiting, None
            item.status = "incomplete" if self._status[0] == "incomplete" else "completed"
            self._emit("response.output_item.done", output_index=item.index, item=item.value())

    @property
    def _status(self) -> tuple[str, str | None]:
        """The answer's status and the reason when it is incomplete; completed while no finish came."""
        return finish.WORDS.get(self.finish_class, finish.WORDS[finish.OTHER]).responses

    def _settle(self) -> None:
        if self.transcript.lane.fields.get("finish") is not None:
            self._done_waiting()

    def _finish(self) -> None:
        for part in list(self.transcript):
            if part.kind == "tool_call" and part.number not in self._items and not part.fields.get("choice"):
                self._begin_item(part)
        for item in list(self._items.values()):
            self._close(item.part)
        self._done_waiting()
        if self.finish_class in finish.UNSAID["responses"]:
            self._lose("finish", f"{self.transcript.lane.fields.get('finish')!r} has no word of its own.")
        answer = self.whole()
        self._emit(
            f"response.{answer['status']}" if answer["status"] != "cancelled" else "response.failed", response=answer
        )

    def _error(self, fault: Fault) -> None:
        """The error event, flat and nested as both are in use, then the terminal."""
        if not self._started:
            self._begin()
        error = error_object(fault)
        code = error["code"] if isinstance(error["code"], str) else error["type"]
        self._emit("error", code=code, message=fault.message, param=fault.param, error=error)
        failure = {"code": fault.kind.responses, "message": fault.message}
        self._emit("response.failed", response=self._response("failed", error=failure, output=self._output()))

    def _output(self) -> list[dict[str, Any]]:
        return [item.value() for item in self._items.values()]

    def whole(self) -> dict[str, Any]:
        status, reason = self._status
        counts = self.transcript.lane.fields.get("usage")
        return {
            **self._response(status, output=self._output(), usage=usage.responses(counts) if counts else None),
            "incomplete_details": {"reason": reason} if reason else None,
            **self._all_extras(),
        }
