import asyncio
import datetime
import ipaddress
import ssl
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from playground.reads import Read
from playground.upstream.addresses import Rules
from playground.upstream.answer import Timeouts
from playground.upstream.calls import Call
from playground.upstream.client import Upstream
from playground.upstream.errors import UpstreamError
from playground.upstream.network import Backend, Stream
from tests.support.raw_server import CHUNKED_HEAD, LAST_CHUNK, Peer, chunk, serving

QUICK = Timeouts(connect=10, first_byte=10, idle=10)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and self-signed certificate for tls.example and 127.0.0.1 in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tls.example")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("tls.example"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def server(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


async def local(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.fixture
def trusting(certificate: Path) -> Upstream:
    return Upstream(Rules(), trust=ssl.create_default_context(cafile=str(certificate)), lookup=local)


def call(port: int, host: str = "tls.example") -> Call:
    return Call("POST", f"https://{host}:{port}/v1/messages", (), b"{}")


async def collect(upstream: Upstream, call: Call, timeouts: Timeouts, take: Callable[[Read], object]) -> None:
    async with upstream.open(call, timeouts) as answer:
        async for read in answer:
            take(read)


async def failure(upstream: Upstream, call: Call, timeouts: Timeouts = QUICK) -> UpstreamError:
    with pytest.raises(UpstreamError) as raised:
        await collect(upstream, call, timeouts, lambda _: None)
    await upstream.aclose()
    return raised.value


async def test_a_stream_over_tls_is_read_like_any_other(trusting: Upstream, server: ssl.SSLContext) -> None:
    asked: list[str | None] = []
    server.sni_callback = lambda _socket, name, _context: asked.append(name)
    large = b"x" * 1_500_000
    requests = 0

    async def script(peer: Peer) -> None:
        nonlocal requests
        while True:
            assert b"Host: tls.example" in await peer.request()
            requests += 1
            await peer.send(CHUNKED_HEAD)
            await peer.send(b"".join(chunk(b"%d" % number) for number in range(10)))
            await peer.send(chunk(large) + LAST_CHUNK)

    async with serving(script, tls=server) as port:
        for _ in range(2):
            async with trusting.open(call(port), QUICK) as answer:
                reads = [read async for read in answer]
            assert b"".join(read.body for read in reads) == b"0123456789" + large
        await trusting.aclose()
    assert requests == 2
    assert asked == ["tls.example"]


async def test_ten_chunks_of_one_record_are_one_read(trusting: Upstream, server: ssl.SSLContext) -> None:
    go_on = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        await go_on.wait()
        await peer.send(chunk(b"a") * 10)
        await peer.hang_up()

    async with serving(script, tls=server) as port:
        async with trusting.open(call(port), QUICK) as answer:
            go_on.set()
            assert (await anext(answer)).body == b"a" * 10
        await trusting.aclose()


async def test_a_large_request_goes_over_tls(trusting: Upstream, server: ssl.SSLContext) -> None:
    body = b"x" * 3_000_000

    async def script(peer: Peer) -> None:
        assert (await peer.request()).endswith(body)
        await peer.send(CHUNKED_HEAD + LAST_CHUNK)

    async with serving(script, tls=server) as port:
        async with trusting.open(Call("POST", f"https://tls.example:{port}/", (), body), QUICK) as answer:
            assert answer.status == 200
        await trusting.aclose()


async def test_a_slow_reader_slows_down_an_upstream_over_tls(trusting: Upstream, server: ssl.SSLContext) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD)
        for _ in range(200):
            await peer.send(chunk(b"x" * 65536))
        await peer.send(LAST_CHUNK)

    async with serving(script, tls=server) as port:
        async with trusting.open(call(port), QUICK) as answer:
            total = len((await anext(answer)).body)
            before, still = -1, 0
            while still < 50:
                await asyncio.sleep(0)
                before, still = answer.received, still + 1 if answer.received == before else 0
            assert answer.received < 1024 * 1024
            async for read in answer:
                total += len(read.body)
        assert total == 200 * 65536
        await trusting.aclose()


async def test_a_certificate_that_nobody_vouches_for(server: ssl.SSLContext) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()

    async with serving(script, tls=server) as port:
        error = await failure(Upstream(Rules(), lookup=local), call(port))
    assert (error.how, error.time) == ("tls", None)
    assert error.detail.startswith("The certificate of tls.example is not trusted: self-signed certificate")


async def test_a_certificate_for_another_name(trusting: Upstream, server: ssl.SSLContext) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()

    async with serving(script, tls=server) as port:
        error = await failure(trusting, call(port, "other.example"))
    assert error.how == "tls"
    assert "other.example" in error.detail


async def test_https_where_plain_http_is_spoken(trusting: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await peer.hang_up()

    async with serving(script) as port:
        error = await failure(trusting, call(port))
    assert error.how == "tls"
    assert "http://" in error.detail


async def test_a_handshake_that_is_broken_off(trusting: Upstream) -> None:
    async def script(peer: Peer) -> None:
        peer.close()

    async with serving(script) as port:
        error = await failure(trusting, call(port))
    assert error.how == "tls"


async def test_a_handshake_that_never_ends(trusting: Upstream) -> None:
    async def script(peer: Peer) -> None:
        await peer.hang_up()

    async with serving(script) as port:
        error = await failure(trusting, call(port), Timeouts(connect=0.05))
    assert error.how == "connect-timeout"


@pytest.mark.parametrize("head", [CHUNKED_HEAD, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
@pytest.mark.parametrize("abruptly", [True, False])
async def test_a_connection_that_ends_inside_the_answer(
    trusting: Upstream, server: ssl.SSLContext, head: bytes, abruptly: bool
) -> None:
    read = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(head + b"5\r\nabc")
        await read.wait()
        if abruptly:
            peer.reset()
        else:
            peer.close()

    async with serving(script, tls=server) as port:
        with pytest.raises(UpstreamError) as raised:
            await collect(trusting, call(port), QUICK, lambda _: read.set())
    assert raised.value.how == "reset"
    await trusting.aclose()


async def test_stopping_closes_a_connection_over_tls(trusting: Upstream, server: ssl.SSLContext) -> None:
    closed = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(CHUNKED_HEAD + chunk(b"x"))
        await peer.hang_up()
        closed.set()

    async with serving(script, tls=server) as port:
        async with trusting.open(call(port), QUICK) as answer:
            await anext(answer)
            answer.fail("stopped", "Stopped.")
        await asyncio.wait_for(closed.wait(), 10)
    await trusting.aclose()


async def test_a_body_without_a_length_ends_with_the_connection(trusting: Upstream, server: ssl.SSLContext) -> None:
    async def script(peer: Peer) -> None:
        await peer.request()
        await peer.send(b"HTTP/1.1 200 OK\r\n\r\nabc")
        peer.close()

    async with serving(script, tls=server) as port:
        async with trusting.open(call(port), QUICK) as answer:
            assert [read.body async for read in answer] == [b"abc"]
        await trusting.aclose()


@pytest.mark.parametrize("closing", [True, False])
async def test_what_came_before_tls_is_never_taken_for_an_answer(closing: bool) -> None:
    async def script(peer: Peer) -> None:
        if not closing:
            await peer.send(CHUNKED_HEAD + chunk(b"data: false\n\n") + LAST_CHUNK)
            await peer.hang_up()

    async with serving(script) as port:
        backend = Backend(Rules(), local, time.monotonic_ns, None)
        stream = await backend.connect_tcp("tls.example", port, timeout=2)
        assert isinstance(stream, Stream)
        await stream.wire.arrival()
        with pytest.raises(UpstreamError) as raised:
            await stream.start_tls(ssl.create_default_context())
    assert raised.value.how == "tls"
