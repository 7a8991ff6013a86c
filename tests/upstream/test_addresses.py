import socket

import pytest

from playground.upstream.addresses import Rules, parse, resolve, system_lookup
from playground.upstream.errors import UpstreamError

LOCAL = Rules(allow_loopback=True, allow_private=False)
OPEN = Rules(allow_loopback=True, allow_private=True)
CLOSED = Rules(allow_loopback=False, allow_private=False)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        (" HTTPS://API.Example.COM:443/v1?a=b#c ", "https://api.example.com/v1?a=b"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/"),
        ("http://localhost:80/v1/", "http://localhost/v1/"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        ("https://b\u00fccher.example/v1", "https://xn--bcher-kva.example/v1"),
        ("https://\uff41pi.example\u3002com?x", "https://api.example.com/?x"),
        ("http://my_host.internal.:8080", "http://my_host.internal.:8080/"),
        ("http://[2606:4700::1111]", "http://[2606:4700::1111]/"),
    ],
)
def test_an_address_has_one_spelling(typed: str, url: str) -> None:
    assert parse(typed, LOCAL).url == url


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "begins with http"),
        ("api.example.com/v1", "begins with http"),
        ("ftp://example.com", "begins with http"),
        ("file:///etc/passwd", "begins with http"),
        ("javascript:alert(1)", "begins with http"),
        ("http:/example.com", "begins with http"),
        ("http://", "has no host"),
        ("http:///v1", "has no host"),
        ("http://user@example.com", "user name or password"),
        ("http://user:secret@example.com", "user name or password"),
        ("http://127.0.0.1:80@example.com", "user name or password"),
        ("http://example.com\\@127.0.0.1", "backslash"),
        ("http://exa mple.com", "space"),
        ("http://example.com/\r\nX: y", "control"),
        ("http://example.com/\t", "http://example.com/"),
        ("http://example.com:0", "1 to 65535"),
        ("http://example.com:65536", "1 to 65535"),
        ("http://example.com:", "1 to 65535"),
        ("http://example.com:8o", "1 to 65535"),
        ("http://example.com:-1", "1 to 65535"),
        ("http://example.com:\uff18\uff10", "1 to 65535"),
        ("http://example.com:22", "another protocol"),
        ("http://127.0.0.1:6379/", "another protocol"),
        ("http://0x7f.1/", "four decimal numbers"),
        ("http://0x7f000001/", "four decimal numbers"),
        ("http://2130706433/", "four decimal numbers"),
        ("http://0177.0.0.1/", "four decimal numbers"),
        ("http://127.1/", "four decimal numbers"),
        ("http://127.0.0.1.5/", "four decimal numbers"),
        ("http://256.0.0.1/", "four decimal numbers"),
        ("http://\uff12130706433/", "four decimal numbers"),
        ("http://0/", "four decimal numbers"),
        ("http://0.0.0.0/", "unspecified"),
        ("http://[::]/", "unspecified"),
        ("http://169.254.169.254/latest", "credentials"),
        ("http://[fd00:ec2::254]/", "credentials"),
        ("http://169.254.1.1/", "link-local"),
        ("http://[fe80::1]/", "link-local"),
        ("http://[fe80::1%25eth0]/", "no IPv6 address"),
        ("http://224.0.0.1/", "multicast"),
        ("http://[ff02::1]/", "multicast"),
        ("http://255.255.255.255/", "no address of a host"),
        ("http://10.0.0.1/", "PLAYGROUND_ALLOW_PRIVATE"),
        ("http://172.31.0.1/", "private"),
        ("http://192.168.1.1/", "private"),
        ("http://100.64.0.1/", "private"),
        ("http://[fc00::1]/", "private"),
        ("http://[::ffff:127.0.0.1]/", "wraps an IPv4"),
        ("http://[::ffff:8.8.8.8]/", "wraps an IPv4"),
        ("http://[::127.0.0.1]/", "wraps an IPv4"),
        ("http://[2002:7f00:1::]/", "wraps an IPv4"),
        ("http://[64:ff9b::10.0.0.1]/", "private"),
        ("http://[64:ff9b::a9fe:a9fe]/", "credentials"),
        ("http://[::1/", "between"),
        ("http://[::1]x/", "between"),
        ("http://[1.2.3.4]/", "between"),
        ("http://-a.example/", "no valid host name"),
        ("http://a..example/", "no valid host name"),
        ("http://ex%61mple.com/", "no valid host name"),
        ("http://example.com%00.evil/", "no valid host name"),
        ("http://" + "a" * 64 + ".example/", "no valid host name"),
        ("http://\u200b.example/", "host"),
        ("http://example.com/" + "a" * 9000, "longer than"),
    ],
)
def test_what_may_not_be_called_is_refused_with_a_sentence(typed: str, words: str) -> None:
    if words.startswith("http://"):
        assert parse(typed, LOCAL).url == words
        return
    with pytest.raises(UpstreamError) as raised:
        parse(typed, LOCAL)
    assert raised.value.how == "forbidden"
    assert words in raised.value.detail
    assert raised.value.detail.endswith(".")
    assert "secret" not in raised.value.detail


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "[::1]"])
def test_this_machine_is_called_where_the_rules_say_so(address: str) -> None:
    assert parse(f"http://{address}:8000/", LOCAL)
    with pytest.raises(UpstreamError, match="this machine itself"):
        parse(f"http://{address}:8000/", CLOSED)


@pytest.mark.parametrize("address", ["10.1.2.3", "172.16.0.1", "192.168.0.9", "100.100.0.1", "[fd12:3456::1]"])
def test_private_addresses_are_called_where_the_rules_say_so(address: str) -> None:
    assert parse(f"http://{address}/", OPEN)


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "100.100.100.200", "[fd00:ec2::254]", "169.254.0.1", "224.0.0.1"]
)
def test_some_addresses_are_never_called(address: str) -> None:
    with pytest.raises(UpstreamError):
        parse(f"http://{address}/", OPEN)


async def resolved(addresses: list[str], rules: Rules = LOCAL, host: str = "some.example") -> list[str]:
    async def lookup(name: str, port: int) -> list[str]:
        return addresses

    return await resolve(host, 443, rules, lookup)


async def test_every_address_of_a_name_is_checked_and_only_good_ones_are_tried() -> None:
    assert await resolved(["10.0.0.1", "8.8.8.8", "8.8.8.8", "fe80::1%eth0", "2606:4700::1111"]) == [
        "8.8.8.8",
        "2606:4700::1111",
    ]


@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "0.0.0.0", "::ffff:a00:1", "fe80::1%eth0"])
async def test_a_name_with_bad_addresses_alone_is_refused(address: str) -> None:
    with pytest.raises(UpstreamError) as raised:
        await resolved([address])
    assert raised.value.how == "forbidden"
    assert raised.value.detail.startswith(f"some.example has the address {address}, which ")


async def test_a_name_for_this_machine_is_refused_where_loopback_is() -> None:
    assert await resolved(["::1", "127.0.0.1"], host="localhost") == ["::1", "127.0.0.1"]
    with pytest.raises(UpstreamError, match="this machine"):
        await resolved(["127.0.0.1"], CLOSED, host="localhost")


async def test_a_name_without_addresses_is_unresolved() -> None:
    with pytest.raises(UpstreamError) as raised:
        await resolved([])
    assert raised.value.how == "unresolved"


@pytest.mark.parametrize("host", ["127.1", "0x7f.1", "169.254.169.254", "::ffff:127.0.0.1", "bad host"])
async def test_a_literal_is_checked_again_where_the_connection_is_made(host: str) -> None:
    async def never(name: str, port: int) -> list[str]:
        raise AssertionError("not looked up")

    with pytest.raises(UpstreamError):
        await resolve(host, 80, LOCAL, never)


@pytest.mark.parametrize("error", [socket.gaierror(-2, "x"), UnicodeError("x"), OSError("x")])
async def test_a_look_up_that_fails_is_unresolved(error: Exception) -> None:
    async def lookup(name: str, port: int) -> list[str]:
        raise error

    with pytest.raises(UpstreamError) as raised:
        await resolve("some.example", 80, LOCAL, lookup)
    assert raised.value.how == "unresolved"


async def test_the_system_knows_this_machine() -> None:
    assert "127.0.0.1" in await system_lookup("localhost", 80)


async def test_the_system_says_when_it_knows_no_such_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UpstreamError) as raised:
        await resolve("no-such-name.example", 80, LOCAL, system_lookup)
    assert raised.value.how == "unresolved"
