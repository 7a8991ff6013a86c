"""What the scripted models say. Everything here is true of the stream that carries it."""

from __future__ import annotations

from collections.abc import Iterator

from playground.gateway import tokens

HOW_A_STREAM_READS = """\
A streamed answer is a long HTTP response that is read while it is written. The server sends its head at once, then \
one small **event** after another; a client never has to wait for the last word to show the first.

Three things are worth watching in this one:

1. The *opening*: who speaks, and under which id. It carries no text.
2. The *fragments*: a few letters each. They end wherever a token ends, even inside a word, so they are joined as \
they come, with nothing in between.
3. The *ending*: why the model stopped, what it took, and a mark that nothing follows. A connection that closes \
without that mark was cut, however complete the text may look.

That is all. Tools, reasoning and searches only add more kinds of fragments.
"""

AFTER_REASONING = """\
What you read above was reasoning, and this is the answer. They arrive in **separate parts**, so a page can fold one \
away and show the other.

Note what came right before this sentence: some formats close the thought with a signature or hand over an encrypted \
copy. A client that continues the conversation sends it back unchanged; nobody but the vendor can check it.
"""


def reasoning(prompt: str) -> str:
    asked = f"The question is \u201c{shortened(prompt, 80)}\u201d. " if prompt else ""
    return (
        f"{asked}Before I answer I should decide how much to say. The reader sees these lines grow beside the raw "
        "events, so short sentences serve best. First I name what reasoning is on the wire, then what follows it, and "
        "then I stop."
    )


SEARCH_QUERY = "server-sent events specification, how a stream is parsed"

SOURCES: tuple[dict[str, str], ...] = (
    {
        "url": "https://html.spec.whatwg.org/multipage/server-sent-events.html",
        "title": "HTML Standard: Server-sent events",
        "encrypted_content": "c2NyaXB0ZWQ6IHRoZSBIVE1MIHN0YW5kYXJk",
        "page_age": "",
    },
    {
        "url": "https://www.rfc-editor.org/rfc/rfc9112.html",
        "title": "RFC 9112: HTTP/1.1",
        "encrypted_content": "c2NyaXB0ZWQ6IEhUVFAvMS4x",
        "page_age": "",
    },
)

SEARCHED = """\
I looked it up rather than guess. A line that starts with a colon is a comment and is ignored. A blank line \
dispatches the event that the lines before it made; at the end of the stream an event without its blank line is \
thrown away.

One layer below, HTTP may cut the body anywhere: chunk borders mean nothing to the events they carry. So a parser \
keeps what is unfinished and goes on with the next read.
"""

# (source, sentence of SEARCHED)
CITED = (
    (0, "A line that starts with a colon is a comment and is ignored."),
    (1, "HTTP may cut the body anywhere: chunk borders mean nothing to the events they carry."),
)

MANY_SCRIPTS = """\
Every character here but the plain ones takes two to four bytes, and each was cut in two on its way to you.

- Accents: caf\u00e9, na\u00efve, \u0141\u00f3d\u017a, and e\u0301, which is one letter made of two code points.
- Greek and Cyrillic: \u03c1\u03bf\u03ae, \u043f\u043e\u0442\u043e\u043a.
- From right to left: \u05d6\u05e8\u05dd, \u062a\u064a\u0627\u0631.
- Wide: \u6d41\u308c, \u4fe1\u53f7, \ud750\ub984.
- Beyond 16 bits: \U0001d54a\U0001d54a\U0001d53c, \U0001f30a, \U0001f9f5.
- Joined: \U0001f469\U0001f3fd\u200d\U0001f52c is four code points, \U0001f1f3\U0001f1f4 is two.

If you see \u201creplacement\u201d diamonds in this list, something on the way decoded each read by itself.
"""

BEFORE_ERROR = """\
So far this is an ordinary answer: the status was 200, the first events came on time, and nothing hints at trouble. \
But the status was sent before the model had said a word, so it cannot tell how this sentence will
"""

UNTIL_CUT = """\
A connection can end at any byte. No error object announces it, no finish reason comes, and the last event may stop in \
the middle of its JSON. The rule of the standard is simple: what has no blank line behind it was never an event. Keep \
what was whole, say that the rest is missing, and do not guess what the model wanted to say; for instance, this \
sentence goes on for a while, and it is most unlikely that you get to see its very last words, which are these.
"""

KEPT_ALIVE = """\
Between these words the server also sends signs of life. In two of the formats they are *comments*: lines that start \
with a colon, which the standard tells clients to ignore. In the third they are `ping` events with nothing in them. \
Either way proxies see traffic and keep the connection, and the answer does not change by a letter.
"""

ON_THE_HOUSE = """\
This call is covered by the free plan. The gateway says so in an extra object, `free_tier`, that none of the vendors \
knows. A careful client keeps what it does not understand: it neither drops the event nor fails on it.
"""

AGENT_STEPS = (
    "I cannot know this by heart, so I ask a tool first and go on when it has answered.",
    "That is half of it. One more question to the tools, then I have what I need.",
)

REFUSED = """\
I won't help with that one. This is a refusal: in some formats it has a field or a part of its own beside the text, in \
another only the stop reason tells it from an answer. A client that looks at the text alone shows it as if it were one.
"""

TOO_LONG = """\
This answer runs into a limit before it is done. Every event is whole and the stream ends as it should, with all the \
marks; only the finish reason says that more would have come. Whoever does not look at it believes that the model \
wanted to stop right in the middle of a
"""

SLOW_START = """\
Between your request and the first byte of this answer there was a long silence: the model waited for its turn, then \
it read. From here on everything is quick. The time to the first token and the pace afterwards are two numbers; an \
average of both says nothing about either.
"""

STALLED = """\
This sentence begins at an even pace, and then, somewhere around here, the stream goes silent for a good while without \
any sign of life. The connection is open and nothing is broken. A client needs a limit for such silences that is \
longer than a model's pause and shorter than a person's patience.
"""

BURST = """\
All of this arrived in one piece. The events were written one after the other, but something on the way collected \
them and let go only when the last one was there: a proxy that buffers, a compression that waits, a cache. The text is \
the same; what is lost is that somebody could have read it while it was written.
"""

NO_END = """\
This answer says why it stopped, and then the closing mark is missing. The connection is closed in good order, so \
nothing below HTTP looks wrong. The text is probably whole. Probably: a client that wants to be sure has to look for \
the mark, and to decide what it makes of its absence.
"""

NO_FINISH = """\
This answer ends with the closing mark of its format, and yet nobody says why it ended. It may be whole, it may have \
hit a limit, it may have been filtered. A client that takes a missing reason for a natural stop guesses.
"""

BAD_JSON = """\
One of the events of this answer stops in the middle of its JSON, although its lines and its blank line are as they \
should be. The words in it are lost; those before and behind it are not. A client may give up here, or go on and say \
that something is missing. It should not do neither.
"""

WHOLE = """\
You asked for a stream and got one JSON document: the content type says so, and the first byte does. Some gateways do \
this when they have the answer in a cache, some when they don't know the option. The answer is all there.
"""

OTHER_LINE_ENDS = """\
The lines of this stream end with a carriage return and a line feed, which the standard allows as it allows either of \
them alone. Sometimes the two are cut apart: one read ends with the first, the next one begins with the second. That \
is one line end, not two, and must not dispatch an event before its time.
"""

COUNTED_ALONG = """\
While you read this, usage comes again and again: every time the count so far. The last one is the count. Whoever adds \
them up bills the prompt a hundred times and the answer many times over.
"""

PAGE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>502 Bad Gateway</title></head>
<body>
<h1>502 Bad Gateway</h1>
<p>The server in front of the model answers with a page that nobody asked for, and with status 200.</p>
</body>
</html>
"""

_CHAPTERS = (
    "A river is measured at one place. So is a stream of events: stand at the socket, note when each read arrives, and "
    "the rest can be worked out later. ",
    "Fragments that share a read arrived together, however far apart they were written. A proxy that collects before "
    "it forwards turns an even flow into bursts. ",
    "The first token tells how long the model read; the gaps tell how fast it writes. Between the two there is often "
    "one long pause, and it is not the network. ",
    "Whoever joins fragments must not add to them. A space belongs to the token that begins with it, and a line break "
    "may be a token of its own. ",
    "Counting characters is not counting tokens, and counting events is neither. Usage at the end is the only count "
    "that is billed. ",
    "When a reader falls behind, somebody has to wait or somebody has to remember. Memory runs out first. ",
)


def long(count: int) -> str:
    """An answer of about so many tokens, in numbered paragraphs."""
    paragraphs: list[str] = []
    total = 0
    while total < count:
        number = len(paragraphs)
        paragraph = f"**{number + 1}.** {_CHAPTERS[number % len(_CHAPTERS)].strip()}\n\n"
        total += tokens.count(paragraph)
        paragraphs.append(paragraph)
    return "".join(paragraphs)


def flood(count: int, batch: int) -> Iterator[list[str]]:
    """So many fragments of running text, in batches."""
    pieces = [piece for chapter in _CHAPTERS for piece in tokens.split(chapter)]
    for start in range(0, count, batch):
        yield [pieces[number % len(pieces)] for number in range(start, min(start + batch, count))]


def shortened(text: str, length: int) -> str:
    """On one line, and not longer than that."""
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "\u2026"
