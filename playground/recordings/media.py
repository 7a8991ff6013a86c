"""Images and audio out of a stream: the bytes of a part, and what their first bytes say they are.

Called by web/parts.py and by the exported page, which carries them.
"""

from __future__ import annotations

import base64
import binascii
from urllib.parse import unquote_to_bytes

from playground.transcript import HEAVY, Part

_KINDS: tuple[tuple[bytes, int, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF8", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"ftypavif", 4, "image/avif"),
    (b"WAVE", 8, "audio/wav"),
    (b"ID3", 0, "audio/mpeg"),
    (b"\xff\xfb", 0, "audio/mpeg"),
    (b"\xff\xf3", 0, "audio/mpeg"),
    (b"\xff\xf1", 0, "audio/aac"),
    (b"OggS", 0, "audio/ogg"),
    (b"fLaC", 0, "audio/flac"),
)


def media_type(content: bytes) -> str:
    for mark, offset, kind in _KINDS:
        if content.startswith(mark, offset):
            return kind
    return "application/octet-stream"


def content_of(part: Part) -> bytes | None:
    """The bytes of a part: grown base64, or a data: address."""
    text = part.joined(HEAVY)
    if not text:
        url = part.fields.get("url")
        if not isinstance(url, str) or not url.startswith("data:"):
            return None
        head, _, text = url.partition(",")
        if not head.endswith(";base64"):
            return unquote_to_bytes(text)
    try:
        return base64.b64decode("".join(text.split()) + "==", altchars=b"-_" if "-" in text or "_" in text else None)
    except (binascii.Error, ValueError):
        return None
