"""A decoder fed by hand: events go in, what was said comes out."""

import json

from playground.sse.rows import Row
from playground.transcript import Transcript, said


def event(number, value, name=""):
    """An event row; `value` is its data, or the JSON value of it."""
    text = value if isinstance(value, str) else json.dumps(value)
    return Row(number, "event", 0, len(text), 1, None, name, text)


def line(number, text):
    return Row(number, "ignored", 0, len(text), 1, None, text.partition(":")[0], text)


class Reading:
    """`updates` and `operations` of every row so far, the transcript, and what was said by now."""

    def __init__(self, decoder):
        self.decoder = decoder
        self.transcript = Transcript()
        self.updates = []
        self.operations = []
        self.events = 0

    def feed(self, *values, name=""):
        """One event for each value; answers with the updates of the last one."""
        updates = []
        for value in values:
            self.events += 1
            updates = list(self.decoder.event(event(self.events, value, name)))
            self._apply(updates)
        return updates

    def line(self, text):
        self._apply(list(self.decoder.line(line(self.events, text))))

    def document(self, value):
        self._apply(list(self.decoder.document(value)))
        return self

    def end(self):
        self._apply(list(self.decoder.end()))
        return self

    def _apply(self, updates):
        self.updates += updates
        self.operations += self.transcript.apply(self.events, updates)

    @property
    def said(self):
        return said(self.transcript, events=self.events, complete=self.decoder.complete)

    @property
    def parts(self):
        return self.said["parts"]
