"""What curl prints, as versions 7 and 8 print it with -i and -v, to a terminal and into a file."""

from __future__ import annotations

import pytest

from playground.recordings.importing import ImportRefused
from tests.support.imported import imported

BODY = (
    b'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Low "}}]}\n\n'
    b'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"tide"}}]}\n\n'
    b"data: [DONE]\n\n"
)
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: r1\r\n\r\n"
SENT = (
    b"*   Trying 10.1.1.1:443...\n"
    b"* Connected to api.tide.example (10.1.1.1) port 443 (#0)\n"
    b"* SSL connection using TLSv1.3 / TLS_AES_128_GCM_SHA256\n"
    b"> POST /v1/chat/completions HTTP/1.1\r\n"
    b"> Host: api.tide.example\r\n"
    b"> Authorization: Bearer sk-of-nobody-1234567890\r\n"
    b"> Content-Type: application/json\r\n"
    b"> \r\n"
    b"} [52 bytes data]\n"
)
GOT = b"< HTTP/1.1 200 OK\r\n< content-type: text/event-stream\r\n< \r\n"
LEFT = b"* Connection #0 to host api.tide.example left intact\n"
METER = (
    b"  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
    b"                                 Dload  Upload   Total   Spent    Left  Speed\n"
)


def test_dash_i_gives_status_headers_and_body() -> None:
    found = imported(HEAD + BODY)
    head = found.heads[0].head
    assert (head.status, head.reason, head.header("x-request-id")) == (200, "OK", "r1")
    assert found.body == BODY
    assert "times" in found.notes
    assert "the request," in found.notes


def test_a_paste_that_lost_its_carriage_returns_is_read_as_well() -> None:
    found = imported(HEAD.replace(b"\r", b"") + BODY)
    assert (found.heads[0].head.status, found.body) == (200, BODY)


def test_http_2_has_a_status_without_a_reason() -> None:
    found = imported(b"HTTP/2 429 \r\nretry-after: 3\r\n\r\n" + b'{"error":{"message":"slow down"}}')
    head = found.heads[0].head
    assert (head.status, head.reason, head.header("retry-after")) == (429, "", "3")
    assert found.said()["errors"] == ["slow down"]


def test_the_last_of_several_header_blocks_is_the_answers() -> None:
    earlier = (
        b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: /v2\r\n\r\n"
    )
    found = imported(earlier + HEAD + BODY)
    assert found.body == BODY
    assert found.heads[0].head.headers == (("content-type", "text/event-stream"), ("x-request-id", "r1"))
    assert "200 Connection established, 100 Continue, 307 Temporary Redirect" in found.notes


def test_an_answer_without_a_body_is_an_answer() -> None:
    found = imported(b"HTTP/1.1 204 No Content\r\nserver: s\r\n\r\n")
    assert (found.heads[0].head.status, found.body) == (204, b"")


@pytest.mark.parametrize("before", [b"", METER], ids=["to a terminal", "with the meter"])
def test_dash_v_gives_the_request_too(before: bytes) -> None:
    found = imported(before + SENT + GOT + BODY + LEFT)
    head = found.heads[0].head
    assert (head.method, head.url) == ("POST", "https://api.tide.example/v1/chat/completions")
    assert found.header("Content-Type") == "application/json"
    assert head.status == 200
    assert found.body == BODY
    assert "the request's body" in found.notes


def test_lines_of_curl_in_the_midst_of_the_body_are_taken_out() -> None:
    first, second, done = BODY.split(b"\n\n", 2)
    amid = b"{ [108 bytes data]\n" + first + b"\n\n{ [5 bytes data]\n" + second + b"\n\n* STATE: PERFORMING\n" + done
    assert imported(SENT + GOT + amid + LEFT).body == BODY


def test_what_stands_right_behind_the_last_line_is_taken_off() -> None:
    body = b"data: one\n\ndata: [DONE]"
    assert imported(SENT + GOT + body + LEFT).body == body
    closing = b"* Closing connection 0\n"
    assert imported(SENT + GOT + body + closing).body == body


def test_the_meter_that_is_drawn_over_the_body_is_taken_out() -> None:
    """As curl 7.88 wrote it with `-v -N ... > file 2>&1`."""
    begin = b"\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0"
    amid = b"\r100   313    0   306  100     7   1012     23 --:--:-- --:--:-- --:--:--  1033"
    last = b"\r100   325    0   318  100     7    703     15 --:--:-- --:--:-- --:--:--   717\n"
    found = imported(METER + begin + SENT + GOT + b"data: one\n\n" + amid + b"data: [DONE]" + last + LEFT)
    assert found.body == b"data: one\n\ndata: [DONE]"


def test_dash_i_beside_dash_v_tells_the_head_twice() -> None:
    found = imported(SENT + GOT + b"{ [108 bytes data]\n" + HEAD + BODY + LEFT)
    assert found.body == BODY
    assert found.heads[0].head.header("x-request-id") == "r1"
    assert "Answers before" not in found.notes


def test_an_interim_answer_of_dash_v_is_named() -> None:
    found = imported(SENT + b"< HTTP/1.1 100 Continue\r\n} [7 bytes data]\n* We are completely uploaded\n" + GOT + BODY)
    assert "100 Continue" in found.notes
    assert found.heads[0].head.headers == (("content-type", "text/event-stream"),)


def test_a_content_coding_that_curl_undid_is_named_and_left_out() -> None:
    found = imported(HEAD.replace(b"x-request-id: r1", b"content-encoding: gzip") + BODY)
    assert found.heads[0].head.header("content-encoding") == ""
    assert "undone" in found.notes


def test_plain_http_and_an_address_without_a_host_are_not_embellished() -> None:
    plain = SENT.replace(b"port 443", b"port 8080").replace(
        b"* SSL connection using TLSv1.3 / TLS_AES_128_GCM_SHA256\n", b""
    )
    assert imported(plain + GOT + BODY).heads[0].head.url == "http://api.tide.example/v1/chat/completions"
    bare = b"".join(line for line in SENT.splitlines(keepends=True) if line.startswith(b">"))
    assert imported(bare + GOT + BODY).heads[0].head.url == "api.tide.example/v1/chat/completions"


def test_a_verbose_run_without_an_answer_says_what_to_do() -> None:
    with pytest.raises(ImportRefused, match="run curl with -N -i"):
        imported(SENT + b"* Recv failure: Connection reset by peer\n")
