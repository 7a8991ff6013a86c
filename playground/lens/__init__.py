"""Updates -> proper events of a format. The list of writers; adding one costs one line here and one file beside it."""

from __future__ import annotations

from playground.lens.chat import ChatWriter
from playground.lens.interface import Writer
from playground.lens.messages import MessagesWriter
from playground.lens.responses import ResponsesWriter

WRITERS: dict[str, type[Writer]] = {writer.name: writer for writer in (ChatWriter, MessagesWriter, ResponsesWriter)}
