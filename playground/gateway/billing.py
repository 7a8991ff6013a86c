"""What an answer costs: tokens and prices -> whole micros, rounded half up. Asked by the sources of calls.

Paid is what was said, to the end or not. An answer that is nothing but an error costs nothing, nor does one that the
free plan covers.
"""

from __future__ import annotations

from playground.formats.updates import GROWING
from playground.gateway import tokens
from playground.gateway.catalogue import Model
from playground.gateway.ledger import Bill
from playground.lens.usage import prompt_of
from playground.transcript import HEAVY, Transcript

NOTHING = Bill(0, 0, 0)
_MILLION = 1_000_000


def bill_of(model: Model, transcript: Transcript, prompt: int) -> Bill:
    """What it came to so far. `prompt` is our own count of the prompt's tokens, for as long as the model tells none."""
    usage = transcript.lane.fields.get("usage") or {}
    said = any(part.kind not in {"error", "extra"} for part in transcript)
    if transcript.failed and not said and not usage:
        return NOTHING
    told = usage.get("output") or 0
    output = told if transcript.lane.fields.get("finish") and told else max(told if said else 0, _spoken(transcript))
    input, cached = prompt_of(usage) or prompt, usage.get("cached") or 0
    if any(part.kind == "extra" and part.fields.get("name") == "free_tier" for part in transcript):
        return Bill(input, output, 0)
    return Bill(input, output, micros(model, input, cached, output))


def micros(model: Model, input: int, cached: int, output: int) -> int:
    """The price of so many tokens; `cached` are those of the input that a cache had."""
    fresh = max(0, input - cached)
    return (fresh * model.input + cached * model.cached + output * model.output + _MILLION // 2) // _MILLION


def _spoken(transcript: Transcript) -> int:
    """Tokens of all that grew, by our own count."""
    fields = GROWING - {HEAVY}
    return sum(tokens.count(part.joined(field)) for part in transcript for field in part.pieces if field in fields)
