"""One choice of a chat completion: its deltas go in, updates of its parts come out. Called by chat.py.

Fragments run on: text, reasoning and refusal continue the running part of their kind, or begin a new one. Tool calls,
reasoning details with an index and the audio have a key of their own, under which they go on wherever they come again.
"""

from __future__ import annotations

from typing import Any, Final

from playground.formats.chat_calls import Calls, label
from playground.formats.citations import citation
from playground.formats.typed import listed
from playground.formats.updates import END, Key, PartKind, Update

REASONING_FIELDS: Final = ("reasoning_content", "reasoning")

# The fields of a reasoning detail that describe its part, and the part's field for each; all are set once.
_DETAIL_FIELDS: Final = {
    "type": "type",
    "format": "format",
    "id": "id",
    "signature": "signature",
    "data": "encrypted",
}


class Choice:
    """`kind` and `key` are those of the running part, None when none runs. `finish` is None until a reason came."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.kind: PartKind | None = None
        self.key: Key = None
        self.finish: str | None = None
        self.has_role = False
        self.calls = Calls(self._begin)
        self._details: dict[Any, Key] = {}
        self._described: dict[Key, set[str]] = {}  # of each reasoning part: the fields of details that it has
        self._plain_detail: tuple[Key, ...] = ()  # a part, and the names of the details that only let it grow
        self._last_reasoning: Key = None
        self._audio: Key = None
        self._audio_has_id = False
        self._opened = 0
        self._open: list[Key] = []

    def delta(self, delta: dict[str, Any], updates: list[Update]) -> None:
        """All that a delta, or the message of a whole answer, says."""
        get = delta.get
        self._reason(delta, updates)
        content = get("content")
        if isinstance(content, str):
            self._fragment("text", content, updates)
        elif isinstance(content, list):
            for part in content:
                self._content(part, updates)
        if isinstance(refusal := get("refusal"), str):
            self._fragment("refusal", refusal, updates)
        if isinstance(legacy := get("function_call"), dict) and self.calls.legacy(legacy, updates):
            self.kind = None
        if calls := get("tool_calls"):
            for entry in listed(calls):
                self.calls.entry(entry, updates)
                self.kind = None
        if isinstance(audio := get("audio"), dict):
            self._sound(audio, updates)
        if images := get("images"):
            for image in listed(images):
                self._image(image, updates)
        if annotations := get("annotations"):
            for annotation in listed(annotations):
                self._begin("citation", citation(annotation), updates)

    def common(self, delta: dict[str, Any]) -> tuple[Update, ...] | None:
        """The same for a delta that only lets one open part grow; None when it is, or may be, anything else."""
        if len(delta) == 1 and "tool_calls" in delta:
            return self._common_call(delta["tool_calls"])
        if "reasoning_details" in delta:
            return self._common_detail(delta)
        found = ""
        grown: Any = None
        for name, value in delta.items():
            if value and not (name == "role" and self.has_role):
                if found:
                    return None
                found = name
                grown = value
        if found == "content":
            if self.kind != "text":
                return None
        elif self.kind == "reasoning" and found in REASONING_FIELDS:
            self._last_reasoning = self.key
        else:
            return self._common_call(grown) if found == "tool_calls" else None
        return (("append", self.key, "text", grown),) if isinstance(grown, str) else None

    def _common_call(self, entries: Any) -> tuple[Update, ...] | None:
        (entry,) = entries
        if len(entry) != 2 and (len(entry) != 3 or entry["type"] != "function"):
            return None
        function = entry["function"]
        call = self.calls.by_index[entry["index"]]
        arguments = function["arguments"]
        if len(function) != 1 or not arguments or type(arguments) is not str:
            return None
        self.kind = None
        return (("append", call.key, "arguments", arguments),)

    def _common_detail(self, delta: dict[str, Any]) -> tuple[Update, ...] | None:
        (entry,) = delta["reasoning_details"]
        key = self._details[entry["index"]]
        if self._plain_detail != (key, *entry) and not self._learn_detail(key, entry):
            return None
        for name, value in delta.items():
            if value and name != "reasoning_details" and name not in REASONING_FIELDS:
                return None
        text = entry["text"] if "text" in entry else entry["summary"]
        if not text or type(text) is not str:
            return None
        self.kind = "reasoning"
        self.key = self._last_reasoning = key
        return (("append", key, "text", text),)

    def _learn_detail(self, key: Key, entry: dict[str, Any]) -> bool:
        """Whether nothing but text can be new in a detail with these names, for good: its part has all the others."""
        names = {_DETAIL_FIELDS.get(name, name) for name in entry} - {"index"}
        plain = len(names & {"text", "summary"}) == 1 and names - {"text"} <= self._described[key]
        if plain:
            self._plain_detail = (key, *entry)
        return plain

    def close(self) -> list[Update]:
        """Nothing more is expected for any of the parts."""
        closes: list[Update] = [("close", key) for key in self._open]
        self._open.clear()
        return closes

    def _begin(self, kind: PartKind, fields: dict[str, Any], updates: list[Update]) -> Key:
        self._opened += 1
        key = f"{kind} {self.index}.{self._opened}"  # a string keeps its hash
        if self.index:
            fields["choice"] = self.index
        updates.append(("open", key, kind, fields, END))
        self._open.append(key)
        return key

    def _fragment(self, kind: PartKind, text: str, updates: list[Update]) -> None:
        if self.kind == kind:
            updates.append(("append", self.key, "text", text) if text else ("link", self.key))
        elif text:
            self.key = self._begin(kind, {"text": text}, updates)
            self.kind = kind
        if kind == "reasoning" and text:
            self._last_reasoning = self.key

    # Reasoning: one channel a delta.

    def _reason(self, delta: dict[str, Any], updates: list[Update]) -> None:
        details = listed(delta.get("reasoning_details"))
        if not any(map(_detail_text, details)):
            spoken = [text for name in REASONING_FIELDS if isinstance(text := delta.get(name), str)]
            if spoken:
                self._fragment("reasoning", spoken[0] or spoken[-1], updates)
        for detail in details:
            self._detail(detail, updates)

    def _detail(self, detail: dict[str, Any], updates: list[Update]) -> None:
        text = _detail_text(detail)
        fields = _detail_fields(detail)
        index = detail.get("index")
        if not isinstance(index, int | float | str):
            self._detail_without_index(text, fields, updates)
            return
        key = self._details.get(index)
        if key is None:
            key = self._details[index] = self._begin("reasoning", {"index": index, **fields}, updates)
            self._described[key] = set(fields)
            if text:
                updates.append(("append", key, "text", text))
        else:
            self._describe(key, text, fields, updates)
        self._last_reasoning = key
        if text:
            self.kind, self.key = "reasoning", key

    def _detail_without_index(self, text: str, fields: dict[str, Any], updates: list[Update]) -> None:
        """It goes to the running reasoning. A signature that comes late belongs to the reasoning before it."""
        if self.kind == "reasoning":
            self._last_reasoning = self.key
            self._describe(self.key, text, fields, updates)
        elif text:
            self._fragment("reasoning", text, updates)
            self._describe(self.key, "", fields, updates)
        elif self._last_reasoning is not None and "encrypted" not in fields:
            self._describe(self._last_reasoning, "", fields, updates)
        elif "signature" in fields or "encrypted" in fields:
            self._last_reasoning = self._begin("reasoning", dict(fields), updates)
            self._described[self._last_reasoning] = set(fields)

    def _describe(self, key: Key, text: str, fields: dict[str, Any], updates: list[Update]) -> None:
        """What a detail adds to its part: text that grows it, and the fields that it does not have yet."""
        before = len(updates)
        if text:
            updates.append(("append", key, "text", text))
        known = self._described.setdefault(key, set())
        for field, value in fields.items():
            if field not in known:
                known.add(field)
                updates.append(("set", key, field, value))
        if len(updates) == before:
            updates.append(("link", key))

    def _content(self, part: Any, updates: list[Update]) -> None:
        """One entry of a list as content (Mistral): text, or thinking that holds texts."""
        if isinstance(part, str):
            self._fragment("text", part, updates)
        elif isinstance(part, dict) and part.get("type") == "thinking":
            self._fragment("reasoning", _joined_text(part.get("thinking")), updates)
            signature = part.get("signature")
            if isinstance(signature, str) and signature:
                self._detail_without_index("", {"signature": signature}, updates)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            self._fragment("text", part["text"], updates)

    # Audio, images, citations.

    def _sound(self, audio: dict[str, Any], updates: list[Update]) -> None:
        grown = {
            field: value for field in ("transcript", "data") if isinstance(value := audio.get(field), str) and value
        }
        id = label(audio.get("id"))
        if self._audio is None:
            if not grown and not id:
                return
            self._audio = self._begin("audio", {}, updates)
        before = len(updates)
        if id and not self._audio_has_id:
            self._audio_has_id = True
            updates.append(("set", self._audio, "id", id))
        for field, value in grown.items():
            updates.append(("append", self._audio, field, value))
        if audio.get("expires_at") is not None:
            updates.append(("set", self._audio, "expires_at", audio["expires_at"]))
        if len(updates) == before:
            updates.append(("link", self._audio))
        if grown:
            self.kind = None

    def _image(self, image: dict[str, Any], updates: list[Update]) -> None:
        self.kind = None
        fields: dict[str, Any] = {}
        if id := label(image.get("id")):
            fields["id"] = id
        address = image.get("image_url", image.get("url"))
        if isinstance(address, dict):
            address = address.get("url")
        if isinstance(address, str):
            if address[:5].lower() == "data:":
                head, _, fields["data"] = address.partition(",")
                fields["media"] = head[5:].partition(";")[0]
            else:
                fields["url"] = address
        elif isinstance(image.get("b64_json"), str):
            fields["data"] = image["b64_json"]
        self._begin("image", fields, updates)


def _detail_text(detail: dict[str, Any]) -> str:
    text, summary = detail.get("text"), detail.get("summary")
    return (text if isinstance(text, str) else "") + (summary if isinstance(summary, str) else "")


def _detail_fields(detail: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {
        field: value for name, field in _DETAIL_FIELDS.items() if isinstance(value := detail.get(name), str) and value
    }
    summary = detail.get("summary")
    if isinstance(summary, str) and summary:
        fields["summary"] = True
    return fields


def _joined_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    entries = value if isinstance(value, list) else []
    texts = [entry.get("text") if isinstance(entry, dict) else entry for entry in entries]
    return "".join(text for text in texts if isinstance(text, str))
