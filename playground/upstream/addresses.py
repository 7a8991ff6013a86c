"""Which addresses may be called: an address as typed goes in, a Target or checked IP addresses come out.

`parse` is for forms and client.py; `resolve` is called by network.py right before it connects, and the connection goes
to what it returned: there is no second look-up between check and connection.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

import idna

from playground.upstream.errors import UpstreamError

Lookup = Callable[[str, int], Awaitable[list[str]]]
"""(name, port) -> IP addresses as text; raises OSError when the name has none."""

LONGEST_URL: Final = 8192


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be called beside public addresses."""

    allow_loopback: bool = True
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """An address that may be called. `host` is lower-case ASCII without brackets, `rest` path and query."""

    scheme: str
    host: str
    port: int
    rest: str

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them: a port only when it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.rest}"


def parse(text: str, rules: Rules) -> Target:
    """The address as typed, checked as far as possible without a network. Raises UpstreamError (forbidden)."""
    text = text.strip()
    if len(text) > LONGEST_URL:
        raise _forbidden(f"The address is longer than {LONGEST_URL} characters.")
    if re.search(r"[\x00-\x20\x7f\\]", text):
        raise _forbidden("The address contains a space, a backslash or a control character; remove it.")
    parts = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^#]*)(#.*)?", text)
    if not parts or parts[1].lower() not in _PORTS:
        raise _forbidden("An address begins with http:// or https://; other schemes are not called.")
    scheme, authority, rest = parts[1].lower(), parts[2], parts[3]
    if "@" in authority:
        raise _forbidden("The address contains a user name or password; send it as a header instead.")
    if not rest.startswith("/"):
        rest = f"/{rest}"
    host, colon, port = _split(authority)
    if colon and not re.fullmatch(r"[0-9]{1,5}", port):
        raise _forbidden("The port is not a number from 1 to 65535.")
    number = int(port) if colon else _PORTS[scheme]
    check_port(number)
    host = _canonical(host)
    literal = _literal(host)
    if literal is not None:
        check_address(literal, rules)
    return Target(scheme, host, number, rest)


async def resolve(host: str, port: int, rules: Rules, lookup: Lookup) -> list[str]:
    """The IP addresses of `host` that may be called, in the order to try them.

    Raises UpstreamError: forbidden (none of them may be called), unresolved.
    """
    check_port(port)
    host = _canonical(host)
    literal = _literal(host)
    if literal is not None:
        check_address(literal, rules)
        return [str(literal)]
    try:
        found = await lookup(host, port)
    except (OSError, UnicodeError):
        raise UpstreamError("unresolved", f"The name {host} has no address.") from None
    allowed: list[str] = []
    refused: UpstreamError | None = None
    for address in dict.fromkeys(found):
        try:
            check_address(ip_address(address), rules, name=host)
            allowed.append(address)
        except UpstreamError as error:
            refused = refused or error
    if not allowed:
        raise refused or UpstreamError("unresolved", f"The name {host} has no address.")
    return allowed


async def system_lookup(host: str, port: int) -> list[str]:
    """The system's own resolver. In a thread that nobody waits for: a slow name server must not hold up Ctrl+C."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str], error: Exception | None) -> None:
        if not answer.done():
            answer.set_result(found) if error is None else answer.set_exception(error)

    def look() -> None:
        found: list[str] = []
        failure: Exception | None = None
        try:
            found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError) as error:
            failure = error
        with suppress(RuntimeError):  # the event loop may be closed by now
            loop.call_soon_threadsafe(settle, found, failure)

    threading.Thread(target=look, name=f"look up {host}", daemon=True).start()
    return await answer


def check_port(port: int) -> None:
    """Raises UpstreamError when no HTTP server is called at that port."""
    if not 1 <= port <= 65535:
        raise _forbidden("The port is not a number from 1 to 65535.")
    if port in _OTHER_PROTOCOLS:
        raise _forbidden(f"Port {port} belongs to another protocol than HTTP and is not called.")


def check_address(address: IPv4Address | IPv6Address, rules: Rules, *, name: str = "") -> None:
    """Raises UpstreamError (forbidden) with the reason when that IP address may not be called."""
    judged = _inside_nat64(address)
    said = f"{name} has the address {address}, which" if name else f"{address}"
    for network, kind, reason in _SPECIAL:
        if judged.version != network.version or judged not in network:
            continue
        if (kind == "loopback" and rules.allow_loopback) or (kind == "private" and rules.allow_private):
            return
        raise _forbidden(f"{said} {reason}.")


def _forbidden(detail: str) -> UpstreamError:
    return UpstreamError("forbidden", detail)


def _split(authority: str) -> tuple[str, str, str]:
    """(host, ":" or "", port)."""
    if authority.startswith("["):
        parts = re.fullmatch(r"\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)\](?:(:)(.*))?", authority)
        if not parts:
            raise _forbidden("The address between [ and ] is no IPv6 address (without a zone).")
        return parts[1], parts[2] or "", parts[3] or ""
    return authority.partition(":")


def _canonical(host: str) -> str:
    """The host as it goes to the resolver and into the Host header: lower-case ASCII."""
    if ":" in host:
        try:
            return str(IPv6Address(host))
        except ValueError:
            raise _forbidden("The address between [ and ] is no IPv6 address.") from None
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except UnicodeError:
            raise _forbidden("The host name contains characters that no host name may have.") from None
    host = host.lower()
    name = host.removesuffix(".")
    if not name or len(name) > 253 or not all(_LABEL.fullmatch(label) for label in name.split(".")):
        raise _forbidden("The address has no valid host name." if host else "The address has no host.")
    # What ends in a number is read as an IPv4 address by resolvers, in all its spellings (0x7f.1, 2130706433, 0177.1).
    if re.fullmatch(r"[0-9]+|0x[0-9a-f]*", name.rpartition(".")[2]):
        try:
            return str(IPv4Address(name))
        except ValueError:
            raise _forbidden("Write an IPv4 address as four decimal numbers, such as 127.0.0.1.") from None
    return host


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _inside_nat64(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """On networks that are IPv6 only, public IPv4 hosts have an address in 64:ff9b::/96: judge what it stands for."""
    if address.version == 6 and address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


_PORTS: Final = {"http": 80, "https": 443}
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NAT64: Final = ip_network("64:ff9b::/96")

# fmt: off
_OTHER_PROTOCOLS: Final = frozenset((
    7, 9, 13, 19, 20, 21, 22, 23, 25, 37, 53, 69, 79, 110, 111, 119, 123, 135, 137, 139, 143, 161, 179, 389, 445, 465,
    512, 513, 514, 515, 548, 554, 587, 631, 636, 873, 990, 993, 995, 1433, 2049, 3306, 5432, 6379, 11211, 27017,
))
# fmt: on

_METADATA = "hands out the credentials of a cloud machine and is never called"
_LINK = "is link-local and is never called"
_PRIVATE = "is private; the setting PLAYGROUND_ALLOW_PRIVATE=1 allows private addresses"
_LOOPBACK = "is this machine itself; the setting PLAYGROUND_ALLOW_LOOPBACK=1 allows that"
_WRAPPED = "wraps an IPv4 address; write that address itself"
_UNUSABLE = "is no address of a host that can be called"

# The first network that holds an address decides; what is in none is public. IANA special-purpose registries:
# https://www.iana.org/assignments/iana-ipv4-special-registry/ and .../iana-ipv6-special-registry/
_SPECIAL: Final = tuple(
    (ip_network(network), kind, reason)
    for network, kind, reason in (
        ("169.254.169.254/32", "never", _METADATA),
        ("169.254.170.2/32", "never", _METADATA),
        ("100.100.100.200/32", "never", _METADATA),
        ("168.63.129.16/32", "never", _METADATA),
        ("192.0.0.192/32", "never", _METADATA),
        ("fd00:ec2::/32", "never", _METADATA),
        ("169.254.0.0/16", "never", _LINK),
        ("fe80::/10", "never", _LINK),
        ("127.0.0.0/8", "loopback", _LOOPBACK),
        ("::1/128", "loopback", _LOOPBACK),
        ("0.0.0.0/8", "never", "is the unspecified address; write 127.0.0.1 for this machine"),
        ("::/128", "never", "is the unspecified address; write [::1] for this machine"),
        ("10.0.0.0/8", "private", _PRIVATE),
        ("172.16.0.0/12", "private", _PRIVATE),
        ("192.168.0.0/16", "private", _PRIVATE),
        ("100.64.0.0/10", "private", _PRIVATE),
        ("fc00::/7", "private", _PRIVATE),
        ("224.0.0.0/4", "never", "is a multicast address"),
        ("ff00::/8", "never", "is a multicast address"),
        ("192.0.0.0/24", "never", _UNUSABLE),
        ("192.0.2.0/24", "never", _UNUSABLE),
        ("192.88.99.0/24", "never", _UNUSABLE),
        ("198.18.0.0/15", "never", _UNUSABLE),
        ("198.51.100.0/24", "never", _UNUSABLE),
        ("203.0.113.0/24", "never", _UNUSABLE),
        ("240.0.0.0/4", "never", _UNUSABLE),
        ("::ffff:0:0/96", "never", _WRAPPED),
        ("::ffff:0:0:0/96", "never", _WRAPPED),
        ("::/96", "never", _WRAPPED),
        ("64:ff9b:1::/48", "never", _WRAPPED),
        ("2001::/32", "never", _WRAPPED),
        ("2002::/16", "never", _WRAPPED),
        ("100::/64", "never", _UNUSABLE),
        ("2001:db8::/32", "never", _UNUSABLE),
        ("3fff::/20", "never", _UNUSABLE),
        ("fec0::/10", "never", _UNUSABLE),
    )
)
