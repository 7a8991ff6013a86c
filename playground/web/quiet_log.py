"""A log without the secrets of addresses: a link's token, the access token in a query. Named in settings."""

from __future__ import annotations

import logging
import re

_SECRETS = re.compile(r"(/s/|[?&]token=)[\w%-]+")


def without_tokens(text: str) -> str:
    return _SECRETS.sub(r"\1…", text)


class WithoutTokens(logging.Filter):
    """Lets every record through, its message without tokens."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if (quiet := without_tokens(message)) != message:
            record.msg, record.args = quiet, ()
        return True
