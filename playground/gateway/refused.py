"""What the gateway refuses, and how each vendor says so.

The one exception of this room; views.py turns it into an answer.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Word(NamedTuple):
    """HTTP status for OpenAI's formats, `type` and `code` there; status and `type` of Anthropic's."""

    status: int
    type: str
    code: str | None
    messages_status: int
    messages_type: str


WORDS: dict[str, Word] = {
    "invalid": Word(400, "invalid_request_error", None, 400, "invalid_request_error"),
    "missing": Word(400, "invalid_request_error", "missing_required_parameter", 400, "invalid_request_error"),
    "wrong-type": Word(400, "invalid_request_error", "invalid_type", 400, "invalid_request_error"),
    "not-json": Word(400, "invalid_request_error", None, 400, "invalid_request_error"),
    "model": Word(404, "invalid_request_error", "model_not_found", 404, "not_found_error"),
    "address": Word(404, "invalid_request_error", "unknown_url", 404, "not_found_error"),
    "method": Word(405, "invalid_request_error", "method_not_supported", 405, "invalid_request_error"),
    "auth": Word(401, "authentication_error", "invalid_api_key", 401, "authentication_error"),
    "forbidden": Word(403, "permission_error", None, 403, "permission_error"),
    "payment": Word(402, "insufficient_quota", "insufficient_quota", 402, "billing_error"),
    "still-running": Word(409, "invalid_request_error", "idempotency_key_in_use", 409, "invalid_request_error"),
    "too-large": Word(413, "invalid_request_error", "request_too_large", 413, "request_too_large"),
    "media-type": Word(415, "invalid_request_error", "unsupported_media_type", 415, "invalid_request_error"),
    "reused": Word(422, "invalid_request_error", "idempotency_key_reused", 422, "invalid_request_error"),
    "unreachable": Word(502, "server_error", "upstream_unreachable", 502, "api_error"),
    "timeout": Word(504, "server_error", "timeout", 504, "timeout_error"),
    "overloaded": Word(503, "server_error", "overloaded", 529, "overloaded_error"),
    "rate-limit": Word(429, "rate_limit_error", "rate_limit_exceeded", 429, "rate_limit_error"),
    "failed": Word(500, "server_error", None, 500, "api_error"),
}

# The word for a whole answer that failed, by what Messages calls its error.
FAULT_WORDS = {
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate-limit",
    "authentication_error": "auth",
    "billing_error": "payment",
    "timeout_error": "timeout",
    "invalid_request_error": "invalid",
}


def word_of(status: int) -> str:
    """The word for an upstream's HTTP status."""
    for name, word in WORDS.items():
        if status in {word.status, word.messages_status} and name not in {"missing", "wrong-type", "not-json"}:
            return name
    return "invalid" if status < 500 else "failed"


class Refused(Exception):
    """`word` is a key of WORDS; `message` one sentence for a person; `param` the field it is about.

    `retry_after`: seconds after which it is worth trying again, where somebody knows. `details` is what a Messages
    client reads beside the sentence.
    """

    def __init__(
        self,
        word: str,
        message: str,
        param: str | None = None,
        retry_after: int | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.word = word
        self.message = message
        self.param = param
        self.retry_after = retry_after
        self.details = details

    def status(self, format: str) -> int:
        word = WORDS[self.word]
        return word.messages_status if format == "messages" else word.status

    def body(self, format: str, request_id: str) -> dict[str, Any]:
        """The error document in the vendor's shape."""
        word = WORDS[self.word]
        if format == "messages":
            message = f"{self.param}: {self.message}" if self.param else self.message
            return {
                "type": "error",
                "error": {"type": word.messages_type, "message": message} | self._details(),
                "request_id": request_id,
            }
        return {"error": {"message": self.message, "type": word.type, "param": self.param, "code": word.code}}

    def _details(self) -> dict[str, Any]:
        return {"details": self.details} if self.details else {}
