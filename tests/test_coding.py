from __future__ import annotations

import gzip
import random
import re
import zlib
from collections.abc import Callable, Iterable
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.coding import Coding
from tests.support import streams

STREAM = streams.body("ref-chat-text")


def raw_deflate(body: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(body) + compressor.flush()


def flushed_gzip(body: bytes) -> bytes:
    """As a server sends a stream: every event can be decoded as soon as it came."""
    compressor = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    pieces = [
        compressor.compress(event) + compressor.flush(zlib.Z_SYNC_FLUSH)
        for event in re.findall(rb".*?\n\n|.+", body, re.DOTALL)
    ]
    return b"".join(pieces) + compressor.flush()


def brotli(body: bytes) -> bytes:
    return bytes(pytest.importorskip("brotli").compress(body))


def zstd(body: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(body))


ENCODERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "br": ("br", brotli),
    "zstd": ("zstd", zstd),
}


def decoded(header: str, pieces: Iterable[bytes], limit: int = 1 << 30) -> tuple[bytes, list[str]]:
    coding = Coding(header, limit)
    body = b"".join([coding.feed(piece) for piece in pieces]) + coding.end()
    return body, coding.notes


def decoded_alike(header: str, raw: bytes, limit: int = 1 << 30) -> tuple[bytes, list[str]]:
    """Decoded whole; a byte a read and random cuts must give the same bytes and the same notes."""
    answer = decoded(header, [raw], limit)
    assert decoded(header, streams.bytewise(raw), limit) == answer
    for seed in range(5):
        assert decoded(header, streams.cut_at_random(raw, seed), limit) == answer
    return answer


@pytest.mark.parametrize("header", ["", "identity", " , identity"])
def test_a_body_without_coding_passes_as_it_came(header: str) -> None:
    assert decoded_alike(header, STREAM) == (STREAM, [])
    coding = Coding(header)
    assert coding.feed(STREAM) is STREAM


@pytest.mark.parametrize("name", ENCODERS)
def test_a_coded_body_is_decoded_however_it_is_cut(name: str) -> None:
    header, encode = ENCODERS[name]
    assert decoded_alike(header, encode(STREAM)) == (STREAM, [])
    assert decoded_alike(header, encode(b"")) == (b"", [])


def test_an_event_is_decoded_with_the_read_that_brought_it() -> None:
    compressor = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    coding = Coding("gzip")
    for event in (b"data: 1\n\n", b"data: 2\n\n"):
        assert coding.feed(compressor.compress(event) + compressor.flush(zlib.Z_SYNC_FLUSH)) == event


def test_gzip_members_follow_each_other() -> None:
    raw = gzip.compress(b"data: 1\n\n") + gzip.compress(b"") + b"\0\0" + gzip.compress(b"data: 2\n\n") + b"\0" * 9
    assert decoded_alike("gzip", raw) == (b"data: 1\n\ndata: 2\n\n", [])


def test_zstd_frames_follow_each_other() -> None:
    assert decoded_alike("zstd", zstd(b"data: 1\n\n") + zstd(b"data: 2\n\n")) == (b"data: 1\n\ndata: 2\n\n", [])


def test_several_codings_are_undone_from_the_last_to_the_first() -> None:
    raw = gzip.compress(zlib.compress(raw_deflate(STREAM)))
    assert decoded_alike("deflate, identity,deflate, gzip", raw) == (STREAM, [])


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_a_coding_that_no_header_names_is_undone_and_said(name: str) -> None:
    body, notes = decoded_alike("", ENCODERS[name][1](STREAM))
    assert body == STREAM
    assert notes == [f"The body is {name}, although no content-encoding says so; it was undone."]


@pytest.mark.parametrize("header", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
@pytest.mark.parametrize("body", [STREAM, b"[]", b"(", b"\n"])
def test_a_plain_body_under_a_coding_header_is_shown_and_said(header: str, body: bytes) -> None:
    shown, notes = decoded_alike(header, body)
    assert shown == body
    coding = header.split(",")[0]
    note = f"The content-encoding says {coding}, but the body is not; it is shown as it came."
    assert notes == [note] * (header.count(",") + 1)


def test_gzip_that_a_text_layer_destroyed_is_shown_as_it_came() -> None:
    raw = streams.body("http-gzip-mangled")
    assert decoded_alike("gzip", raw)[0] == raw
    assert decoded_alike("", raw) == (raw, [])


def test_an_unknown_coding_is_shown_as_it_came_and_said() -> None:
    body, notes = decoded_alike("aes128gcm", STREAM)
    assert body == STREAM
    assert notes == ["The body is encoded as aes128gcm, which is not known here; it is shown as it came."]


@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_a_coding_whose_package_is_missing_is_said_with_what_to_do(
    coding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = {"br": "brotli", "zstd": "zstandard"}[coding]

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("playground.coding.engines.import_module", missing)
    raw = b"\x28\xb5\x2f\xfd" + bytes(range(30))
    body, [note] = decoded_alike(coding, raw)
    assert body == raw
    assert f"pip install {package}" in note


def test_a_header_that_names_very_many_codings_is_not_followed() -> None:
    body, [note] = decoded_alike("gzip," * 1000, STREAM)
    assert body == STREAM
    assert "1000 times" in note


def test_an_empty_body_has_no_notes() -> None:
    for header in ("", "gzip", "deflate", "br", "zstd"):
        assert decoded(header, []) == (b"", [])
        assert decoded(header, [b""]) == (b"", [])


@pytest.mark.parametrize("name", ["gzip", "zlib", "raw deflate"])
def test_a_body_that_breaks_off_keeps_what_was_decoded(name: str) -> None:
    header, encode = ENCODERS[name]
    body = random.Random(1).randbytes(40_000)
    shown, [note] = decoded_alike(header, encode(body)[:30_000])
    assert len(shown) > 20_000
    assert body.startswith(shown)
    assert note == f"The {header} body breaks off before its end."


def test_a_stream_cut_between_two_flushes_keeps_every_event_that_came_whole() -> None:
    first = b"data: 1\n\ndata: 2\n\n"
    whole = flushed_gzip(first + b"data: 3\n\n")
    behind_the_second = whole.index(b"\0\0\xff\xff", whole.index(b"\0\0\xff\xff") + 1) + 4
    shown, notes = decoded_alike("gzip", whole[:behind_the_second])
    assert shown == first
    assert notes == ["The gzip body breaks off before its end."]


def test_damage_in_the_middle_keeps_the_same_bytes_for_any_cutting() -> None:
    raw = bytearray(flushed_gzip(STREAM * 20))
    raw[len(raw) // 2] ^= 0xFF
    shown, notes = decoded_alike("gzip", bytes(raw))
    assert len(shown) > len(STREAM)
    assert notes == ["The gzip body is damaged; what was decoded until there is shown."]


def test_a_wrong_checksum_is_said_and_costs_nothing() -> None:
    raw = gzip.compress(STREAM)
    shown, notes = decoded_alike("gzip", raw[:-8] + b"wrong!!!")
    assert shown == STREAM
    assert notes == ["The gzip body is damaged; what was decoded until there is shown."]


@pytest.mark.parametrize("name", ["gzip", "zlib", "raw deflate", "br"])
def test_bytes_behind_the_end_are_left_out_and_said(name: str) -> None:
    header, encode = ENCODERS[name]
    shown, [note] = decoded(header, [encode(STREAM), b"data: more\n\n"])
    assert shown == STREAM
    assert note == f"Bytes stand behind the end of the {header} body; they are left out."


@pytest.mark.parametrize("name", ["gzip", "zlib", "br", "zstd"])
def test_a_body_that_explodes_stops_at_the_limit(name: str) -> None:
    header, encode = ENCODERS[name]
    raw = encode(b"0" * 3_000_000)
    shown, [note] = decoded_alike(header, raw, limit=1_234_567)
    assert shown == b"0" * 1_234_567
    assert note == "The body decodes to more than 1,234,567 bytes; the rest is left out."
    assert decoded_alike(header, raw, limit=3_000_000) == (b"0" * 3_000_000, [])


def test_a_body_that_explodes_twice_stops_at_the_limit_of_its_outer_coding() -> None:
    raw = gzip.compress(gzip.compress(b"0" * 100_000_000))
    shown, notes = decoded("gzip, gzip", [raw], limit=50_000)
    assert len(shown) <= 50_000
    assert any("more than 50,000 bytes" in note for note in notes)


def test_very_many_members_in_one_read_are_decoded() -> None:
    assert decoded("gzip", [gzip.compress(b"x", mtime=0) * 20_000]) == (b"x" * 20_000, [])


def test_decoding_takes_one_bite_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    engines = import_module("playground.coding.engines")
    undo = engines.Inflate.undo

    def watched(self: object, raw: bytes, room: int) -> object:
        taken.append(len(raw))
        return undo(self, raw, room)

    monkeypatch.setattr(engines.Inflate, "undo", watched)
    raw = gzip.compress(random.Random(1).randbytes(1_000_000))
    assert len(decoded("gzip", [raw])[0]) == 1_000_000
    assert sum(taken) == len(raw)
    assert max(taken) <= engines.Inflate.bite


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["", "gzip", "deflate", "br", "zstd", "gzip, deflate", "x, gzip"]), st.binary(max_size=300))
def test_no_bytes_whatever_raise(header: str, raw: bytes) -> None:
    decoded(header, streams.bytewise(raw))
    decoded(header, [raw])


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["gzip", "zlib", "raw deflate"]),
    st.binary(max_size=2000),
    st.integers(0, 2**32),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=3),
)
def test_damaged_bodies_decode_alike_for_any_cutting(
    name: str, body: bytes, seed: int, changes: list[tuple[int, int]]
) -> None:
    header, encode = ENCODERS[name]
    raw = bytearray(encode(body + STREAM))
    for at, byte in changes:
        raw[at % len(raw)] = byte
    damaged = bytes(raw)
    assert decoded(header, streams.cut_at_random(damaged, seed)) == decoded(header, [damaged])
    assert decoded(header, streams.bytewise(damaged)) == decoded(header, [damaged])


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["br", "zstd"]), st.binary(max_size=500), st.integers(0, 500), st.integers(0, 255))
def test_damage_in_borrowed_codings_never_raises(name: str, body: bytes, at: int, byte: int) -> None:
    header, encode = ENCODERS[name]
    raw = bytearray(encode(body + STREAM))
    raw[at % len(raw)] = byte
    decoded(header, [bytes(raw)])
    decoded(header, streams.bytewise(bytes(raw)))
