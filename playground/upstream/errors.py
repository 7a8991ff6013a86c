"""Why a call came to nothing, as a value: raised in this room, turned into an End by relay/run.py."""

from __future__ import annotations

from playground.reads import How


class UpstreamError(Exception):
    """`how` is the word of reads.How, `detail` one plain sentence without a secret in it, `time` when it happened
    (microseconds since the request was written, None when it never was)."""

    def __init__(self, how: How, detail: str, time: int | None = None) -> None:
        super().__init__(detail)
        self.how: How = how
        self.detail = detail
        self.time = time
