import pytest

from playground.upstream.addresses import Rules, parse
from playground.upstream.calls import Call, call_for, check_headers, join, models_call, usage_call
from playground.upstream.errors import UpstreamError

RULES = Rules()


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://api.example.com", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/v1", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/v1/", "https://api.example.com/v1/chat/completions"),
        (" https://api.example.com/v1//#x", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/v1?a=b/c", "https://api.example.com/v1/chat/completions?a=b/c"),
        ("https://api.example.com?a=b", "https://api.example.com/v1/chat/completions?a=b"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/chat/completions/", "https://api.example.com/chat/completions"),
        ("https://api.example.com/v1/messages", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/v1/responses?a=b", "https://api.example.com/v1/chat/completions?a=b"),
        ("https://api.example.com/v1beta/openai", "https://api.example.com/v1beta/openai/chat/completions"),
        ("https://api.example.com/api/paas/v4", "https://api.example.com/api/paas/v4/chat/completions"),
        ("https://api.example.com/api", "https://api.example.com/api/v1/chat/completions"),
        (
            "https://x.example.com/openai/deployments/d?api-version=1",
            "https://x.example.com/openai/deployments/d/chat/completions?api-version=1",
        ),
        ("http://v1:8000", "http://v1:8000/v1/chat/completions"),
    ],
)
def test_a_base_url_is_joined_to_the_formats_path(base: str, url: str) -> None:
    assert join(base, "chat") == url


def test_every_format_has_its_path() -> None:
    assert join("http://h", "messages") == "http://h/v1/messages"
    assert join("http://h/v1", "responses") == "http://h/v1/responses"


@pytest.mark.parametrize("format", ["chat", "responses"])
def test_the_key_is_a_bearer_token(format: str) -> None:
    call = call_for(format, "http://h/v1", b"{}", key=" sk-1 \n")
    assert ("Authorization", "Bearer sk-1") in call.headers
    assert ("Content-Type", "application/json") in call.headers
    assert ("Accept-Encoding", "identity") in call.headers
    assert (call.method, call.body) == ("POST", b"{}")


def test_messages_has_a_key_header_and_a_version() -> None:
    call = call_for("messages", "http://h/v1", b"{}", key="sk-1")
    assert ("x-api-key", "sk-1") in call.headers
    assert ("anthropic-version", "2023-06-01") in call.headers
    assert "authorization" not in {name.lower() for name, _ in call.headers}


def test_without_a_key_there_is_no_key_header() -> None:
    names = {name.lower() for name, _ in call_for("messages", "http://h", b"").headers}
    assert "x-api-key" not in names
    assert "anthropic-version" in names


def test_the_persons_own_headers_win_whatever_their_case() -> None:
    own = (("ANTHROPIC-Version", "2024"), ("accept-encoding", "gzip"), ("X-A", "1"), ("authorization", "Bearer me"))
    call = call_for("messages", "http://h", b"", key="sk-1", headers=own)
    assert call.headers[-4:] == own
    names = [name.lower() for name, _ in call.headers]
    assert names.count("anthropic-version") == names.count("accept-encoding") == names.count("authorization") == 1
    assert "x-api-key" not in names


def test_models_are_asked_for_beside_the_formats_path() -> None:
    for format in ("chat", "messages", "responses"):
        assert models_call(format, "http://h?a=b", key="k").url == "http://h/v1/models?a=b"
    call = models_call("messages", "http://h/v1/chat/completions", key="k")
    assert (call.method, call.url, call.body) == ("GET", "http://h/v1/models", b"")
    assert ("x-api-key", "k") in call.headers


def test_the_ledger_is_asked_for_one_request_beside_the_formats_path() -> None:
    for format in ("chat", "messages", "responses"):
        call = usage_call(format, "http://h/v1", "req_1&a=b", key="k")
        assert (call.method, call.url, call.body) == ("GET", "http://h/v1/usage?request_id=req_1%26a%3Db", b"")
        assert usage_call(format, "http://h?a=b", "r").url == "http://h/v1/usage?a=b&request_id=r"
    assert ("x-api-key", "k") in usage_call("messages", "http://h", "r", key="k").headers


def sent(call: Call) -> tuple[tuple[str, str], ...]:
    return call.sent_headers(parse(call.url, RULES))


def test_headers_are_sent_in_order_with_their_duplicates() -> None:
    headers = (("X-B", "1"), ("x-a", " 2\t"), ("X-B", "3"))
    assert sent(Call("POST", "http://h:8000/", headers, b"abc")) == (
        ("Host", "h:8000"),
        ("X-B", "1"),
        ("x-a", "2"),
        ("X-B", "3"),
        ("Content-Length", "3"),
    )


def test_what_belongs_to_a_connection_is_not_passed_on() -> None:
    headers = (
        ("host", "evil"),
        ("Content-Length", "99"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "keep-alive, X-Hop"),
        ("x-hop", "1"),
        ("Keep-Alive", "5"),
        ("TE", "trailers"),
        ("Upgrade", "h2c"),
        ("Expect", "100-continue"),
        ("X-End", "1"),
    )
    assert sent(Call("GET", "http://h/", headers)) == (("Host", "h"), ("X-End", "1"))


def test_an_empty_post_says_that_it_is_empty() -> None:
    assert ("Content-Length", "0") in sent(Call("POST", "http://h/", ()))


@pytest.mark.parametrize("method", ["", "GET /", "GE\r\nT", "CONNECT", "connect", "G\u00c9T"])
def test_a_method_that_cannot_be_sent_is_refused(method: str) -> None:
    with pytest.raises(UpstreamError, match="method"):
        sent(Call(method, "http://h/", ()))


@pytest.mark.parametrize("name", ["", "X Y", "X:", "X\r\nY", "X\n", "\u00c9", "a" * 70 + "\n"])
def test_a_header_name_that_cannot_be_sent_is_refused(name: str) -> None:
    with pytest.raises(UpstreamError) as raised:
        check_headers([(name, "value")])
    assert raised.value.how == "forbidden"
    assert raised.value.detail.isprintable()


@pytest.mark.parametrize("value", ["a\r\nB: c", "a\nb", "a\rb", "a\x00b", "\x7f", "\ud800"])
def test_a_header_value_with_a_line_break_is_refused_and_not_repeated(value: str) -> None:
    with pytest.raises(UpstreamError, match="X-Token") as raised:
        check_headers([("X-Token", value)])
    assert value not in raised.value.detail


@pytest.mark.parametrize("key", ["sk\r\nX: y", "sk\u2013bad", "s\x00k"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(UpstreamError, match="copy it again") as raised:
        call_for("chat", "http://h", b"", key=key)
    assert "sk" not in raised.value.detail
