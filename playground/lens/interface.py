"""What a format's writer offers: updates in, proper events of the format out, each as soon as it can be known.

Called by the gateway (scripted updates) and by whoever shows a stream as another format (a decoder's updates). What
the format has no place for is named in `lost`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from playground.formats.updates import GROWING, Update
from playground.lens import errors, finish, freeform
from playground.transcript import Part, Transcript

DONE: Final = "[DONE]"

VENDORS_OWN: Final = frozenset({"moderation", "metadata", "provider", "obfuscation", "system_fingerprint"})
"""Extra objects that mean something in the format they came in alone."""

# (event name, JSON object); the name is "" where the format sends none, and Chat's end is ("", DONE).
Event = tuple[str, dict[str, Any] | str]


class Loss(NamedTuple):
    """Something that the format cannot say: which element, and one sentence on what became of it."""

    element: str
    note: str


class Writer(ABC):
    """One answer in one format.

    `id` is the bare id, without the prefix that each format has; "" takes it from the updates, like `model` and
    `created` (seconds since 1970). `usage` False leaves out what only comes when asked for (Chat's usage chunk).
    `request` is the caller's body, of which Responses repeats some fields. `overlapping` says that the source closes
    each part itself and may have several open at once; otherwise a part that begins ends the one before it.
    """

    name: ClassVar[str]
    keep_alive: ClassVar[bytes]
    """What the format sends so that nobody thinks the connection dead, as bytes on the wire."""
    free_calls: ClassVar[bool] = False
    """A call may have free text for its arguments; otherwise it is told as a JSON object."""

    def __init__(
        self,
        *,
        id: str = "",
        model: str = "",
        created: int = 0,
        usage: bool = True,
        request: Mapping[str, Any] | None = None,
        overlapping: bool = False,
    ) -> None:
        self.lost: list[Loss] = []
        self.transcript = Transcript()
        self._given = {"id": id, "model": model, "created": created}
        self._usage = usage
        self._request: Mapping[str, Any] = request or {}
        self._overlapping = overlapping
        self._started = False
        self._over = False
        self.fault: errors.Fault | None = None
        self._calls = 0
        self._extras: dict[str, Any] = {}
        self._wrapped: set[int] = set()  # calls whose free text has begun as the string of a JSON object
        self._events: list[Event] = []

    def feed(self, updates: Iterable[Update]) -> list[Event]:
        """What the updates of one moment are on this format's wire. After an error or `end` nothing more comes."""
        events = self._events = []
        apply = self.transcript.apply
        update: Any
        for update in updates:
            if self._over:
                break
            verb = update[0]
            if verb == "append":
                apply(0, (update,))
                part = self.transcript.part(update[1])
                assert part is not None
                self._grew(part, update[2], update[3])
            elif verb == "open":
                apply(0, (update,))
                part = self.transcript.part(update[1])
                assert part is not None
                self._opened(part)
            elif verb == "set" or verb == "final":
                self._valued(update)
            elif verb == "close":
                part = self.transcript.part(update[1])
                assert part is not None
                if not part.closed:
                    apply(0, (update,))
                    if part.kind != "extra":
                        self._unwrap(part)
                        self._close(part)
            elif verb == "reset":
                apply(0, (update,))
                if self._started:
                    self._lose("reset", "The body turned out to be no stream; what was written cannot be taken back.")
        if not self._over:
            fields = self.transcript.lane.fields
            if not self._started and (fields.get("role") or fields.get("id")):
                self._begin()
            self._settle()
        return events

    def end(self, complete: bool = True) -> list[Event]:
        """The source is over. `complete` False: it ended before its own end, which is an error to the reader."""
        events = self._events = []
        if self._over:
            self._after_error()
        else:
            reason = self.transcript.lane.fields.get("finish")
            if finish.class_of(reason, calls=False) == finish.FAILED:
                self._fail({"message": f"The model's answer failed: {reason}."})
                self._after_error()
            elif not complete:
                self._fail({"message": "The stream ended before the answer did."})
                self._after_error()
            else:
                if not self._started:
                    self._begin()
                for part in self.transcript:
                    if not part.closed:
                        self._unwrap(part)
                self._finish()
        self._over = True
        return events

    @abstractmethod
    def whole(self) -> dict[str, Any]:
        """The same answer as one JSON document, after `end`."""

    # What each format does with it.

    @abstractmethod
    def _start(self) -> None:
        """The answer begins."""

    @abstractmethod
    def _open(self, part: Part) -> None:
        """A part begins; its growing fields come by `_grow`."""

    @abstractmethod
    def _grow(self, part: Part, field: str, text: str) -> None: ...

    @abstractmethod
    def _set(self, part: Part, field: str, value: Any) -> None: ...

    @abstractmethod
    def _close(self, part: Part) -> None:
        """Called once for a part."""

    @abstractmethod
    def _error(self, fault: errors.Fault) -> None:
        """The answer fails."""

    def _after_error(self) -> None:  # noqa: B027
        """What still comes at the end of a stream that failed; nothing in most formats."""

    @abstractmethod
    def _settle(self) -> None:
        """The updates of this moment are all there."""

    @abstractmethod
    def _finish(self) -> None:
        """All was said."""

    def _replaced(self, part: Part, field: str) -> None:
        """A final value took the place of what had been sent."""
        self._lose(part.kind, f"A final value replaced the {field} after it was sent; it cannot be called back.")

    # What they share.

    @property
    def id(self) -> str:
        """The bare id: as given, else the source's without its prefix."""
        return str(self._given["id"] or _bare(str(self.transcript.lane.fields.get("id") or "")))

    @property
    def model(self) -> str:
        return str(self._given["model"] or self.transcript.lane.fields.get("model") or "unknown")

    @property
    def created(self) -> int:
        created = self._given["created"] or self.transcript.lane.fields.get("created")
        return created if isinstance(created, int) else 0

    @property
    def finish_class(self) -> str:
        """What the finish means, by the words of lens/finish.py; NATURAL while none came."""
        fields = self.transcript.lane.fields
        return finish.class_of(fields.get("finish"), detail=fields.get("incomplete_reason"), calls=self._calls > 0)

    def _send(self, name: str, value: dict[str, Any] | str) -> None:
        self._events.append((name, value))

    def _take_extras(self) -> dict[str, Any]:
        """The extra objects that wait for an event to stand on."""
        extras, self._extras = self._extras, {}
        return extras

    def _lose(self, element: str, note: str) -> None:
        loss = Loss(element, note)
        if loss not in self.lost:
            self.lost.append(loss)

    def _begin(self) -> None:
        self._started = True
        self._start()

    def _opened(self, part: Part) -> None:
        if part.kind == "error":
            self._fail(part.fields)
            return
        if part.kind == "extra":
            self._keep_extra(part)
            return
        if not self._started:
            self._begin()
        if part.kind == "tool_call":
            self._calls += 1
        self._open(part)
        for field in list(part.pieces):
            self._grew(part, field, part.joined(field))

    def _grew(self, part: Part, field: str, text: str) -> None:
        if text:
            wraps = field == "arguments" and not self.free_calls and freeform.is_free(part)
            self._grow(part, field, self._opening(part) + freeform.piece(text) if wraps else text)

    def _opening(self, part: Part) -> str:
        """What stands before the next piece of free text: the beginning of its JSON object, once."""
        if part.number in self._wrapped:
            return ""
        self._wrapped.add(part.number)
        self._lose("tool_call", 'A call with free text: told as the JSON object {"input": text}.')
        return freeform.OPENING

    def _unwrap(self, part: Part) -> None:
        """The end of the JSON object that free text was told in."""
        if not self.free_calls and freeform.is_free(part):
            self._grow(part, "arguments", self._opening(part) + freeform.CLOSING)

    def _keep_extra(self, part: Part) -> None:
        name = str(part.fields.get("name"))
        if name in VENDORS_OWN:
            self._lose(name, "It belongs to the format it came in and is left out.")
        else:
            self._extras[name] = part.fields.get("value")

    def _all_extras(self) -> dict[str, Any]:
        """Every extra object of the answer, by name."""
        extras = {
            str(part.fields.get("name")): part.fields.get("value") for part in self.transcript if part.kind == "extra"
        }
        return {name: value for name, value in extras.items() if name not in VENDORS_OWN}

    def _valued(self, update: Any) -> None:
        _, key, field, value = update
        part = self.transcript.part(key)
        assert part is not None
        if part is self.transcript.lane:
            self.transcript.apply(0, (update,))
            return
        before = part.joined(field) if field in GROWING else ""
        self.transcript.apply(0, (update,))
        if part.kind == "extra":
            self._keep_extra(part)
            return
        if field not in GROWING:
            self._set(part, field, value)
            return
        now = part.joined(field)
        if now.startswith(before):
            self._grew(part, field, now[len(before) :])
        else:
            self._replaced(part, field)

    def _fail(self, error: Mapping[str, Any]) -> None:
        self.fault = errors.read(error)
        self._error(self.fault)
        self._over = True


def _bare(id: str) -> str:
    """A vendor's id without its prefix: chatcmpl-7fq2 -> 7fq2."""
    for prefix in ("chatcmpl-", "gen-", "msg_", "resp_"):
        if id.startswith(prefix):
            return id[len(prefix) :]
    return id
