"""What an event changes, keyed by the vendor's own part id. Made by the decoders, folded by transcript.py.

Updates are plain tuples, because some 200,000 of them are made in a second. A key is anything hashable that names a
part for as long as the stream lasts; the key LANE names the lane's own fields.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, Literal

Key = Hashable
LANE: Final = None
"""The key of what belongs to the whole answer: id, model, role, usage, finish, complete and the like."""

END: Final = "END"
"""Where a new part stands when nothing says otherwise: behind all others."""

PartKind = Literal[
    "text", "reasoning", "refusal", "tool_call", "server_tool", "citation", "image", "audio", "extra", "error"
]

# ("open", key, kind, fields, after): a new part with its first fields. It stands right behind the part `after`; END is
# the end of the list, LANE its front. A key opened again names the new part from then on.
Open = tuple[Literal["open"], Key, PartKind, dict[str, Any], Key]
# ("append", key, field, text): text grows. Fields that grow: text, arguments, input, transcript, data (base64).
Append = tuple[Literal["append"], Key, str, str]
# ("set", key, field, value): a field gets a value; the earlier one is kept by whoever steps back.
Set = tuple[Literal["set"], Key, str, Any]
# ("final", key, field, text): a final value of a field that grew. Equal to what stands: a link between row and part.
# Empty where something stands: ignored, but linked. Else it replaces.
Final_ = tuple[Literal["final"], Key, str, str]
# ("link", key): the event speaks of the part and changes nothing (a repeated value, a state, a stop of a stop).
Link = tuple[Literal["link"], Key]
# ("close", key): nothing more is expected for the part.
Close = tuple[Literal["close"], Key]
# ("reset",): the body turned out to be something else; all that was said before is taken back.
Reset = tuple[Literal["reset"]]

Update = Open | Append | Set | Final_ | Link | Close | Reset

GROWING: Final = frozenset({"text", "arguments", "input", "transcript", "data"})

# What the field `status` of a part says when the part no longer counts.
ABANDONED: Final = "abandoned"  # belongs to a message that was given up
SUPERSEDED: Final = "superseded"  # replaced by the final form of its item
