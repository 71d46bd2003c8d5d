"""The hosts that a server listens on, the hosts and origins that requests to it may name, and who reaches it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import msgspec

from tournament.errors import UsageError

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")

_HOST_NAME: Final = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)
_PORT: Final = re.compile(r":\d+$")


class AllowedHosts(msgspec.Struct, frozen=True, kw_only=True):
    """The hosts that a request may name, so that no page elsewhere reads what is served here under its own name."""

    names: tuple[str, ...] = LOOPBACK
    any_address: bool = False
    """Whether it may name any address in digits, too: such a name cannot be pointed elsewhere."""

    def allow(self, header: str) -> bool:
        """Returns whether a request may have this `Host` header, with a port or without."""
        host = _PORT.sub("", header).lower()
        return host in self.names or (self.any_address and address_of(host) is not None)


def is_same_origin(origin: str | None, *, host: str) -> bool:
    """Returns whether a request with these headers `Origin` and `Host` comes from a page of the server itself.

    None, too: a browser names the origin of whatever another page posts.
    """
    return origin is None or origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def allowed_hosts(host: str, names: Iterable[str] = ()) -> AllowedHosts:
    """Returns the hosts that requests to a server on `host` may name, `names` among them.

    Raises `UsageError` for a name that is none.
    """
    for name in names:
        if _HOST_NAME.fullmatch(name) is None and address_of(name) is None:
            raise UsageError(
                "--allow-host is the name of a host, such as scores.example.org, without https:// and "
                f'without a port; found "{name}".'
            )
    given = [name.lower() for name in names]
    address = address_of(host)
    if is_every_address(host):
        return AllowedHosts(names=tuple(dict.fromkeys((*given, *LOOPBACK))), any_address=True)
    if address is None:
        return AllowedHosts(names=tuple(dict.fromkeys((host.lower(), *given, *LOOPBACK))))
    own = f"[{host.lower()}]" if address.version == 6 else host
    return AllowedHosts(names=tuple(dict.fromkeys((own, *given, *LOOPBACK))))


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Returns the address that a host is, in brackets or not; None for a name."""
    try:
        return ip_address(host[1:-1] if host[:1] == "[" else host)
    except ValueError:
        return None


def is_every_address(host: str) -> bool:
    """Returns whether a server on `host` listens on every address, however that is written: `0.0.0.0`, `0`, or nothing.

    Looks a name up as the system does; what is no host at all is none of them.
    """
    try:
        found = socket.getaddrinfo(host or "0.0.0.0", None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    addresses = [ip_address(place[0]) for *_, place in found]
    mapped = [address.ipv4_mapped if isinstance(address, IPv6Address) else None for address in addresses]
    return any((inner or address).is_unspecified for inner, address in zip(mapped, addresses, strict=True))


def is_loopback(host: str) -> bool:
    """Returns whether only this machine reaches a server on `host`; a name may stand for any address."""
    address = address_of(host)
    return host.lower() == "localhost" if address is None else address.is_loopback
