"""Addresses and time zones that a host sets: whether they can be, and the socket that listens."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tournament.arena.operating.settings_file import ArenaFile, SignIn
from tournament.errors import ConfigurationError, UsageError


class Listening(NamedTuple):
    """Where the web process listens."""

    host: str
    port: int

    def __str__(self) -> str:
        """Returns it as `arena.yaml` says it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_listening(text: str, *, where: object) -> Listening:
    """Reads an address and a port, such as `127.0.0.1:8765`. Raises `ConfigurationError`, which names `where`."""
    try:
        parts = urlsplit(f"//{text}")
        if parts.hostname and parts.port is not None and parts.netloc == text:
            return Listening(parts.hostname, parts.port)
    except ValueError:
        pass
    raise ConfigurationError(
        f"{where}: listen: expected an address and a port, such as 127.0.0.1:8765, found {text}. Write such a one."
    )


def open_listener(listening: Listening) -> socket.socket:
    """Returns a socket that listens. Raises `UsageError` where the address is taken or not of this machine."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        return socket.create_server((listening.host, listening.port), family=family)
    except OSError as error:
        raise UsageError(
            f"{listening} cannot be listened on: {error.strerror or error}. "
            "Stop what uses it, or write another address as `listen` into arena.yaml."
        ) from None


def check_settings(arena: ArenaFile, *, where: object) -> None:
    """Raises `ConfigurationError`, which names `where`, for settings that have the right types and cannot be."""
    parse_listening(arena.listen, where=where)
    address = urlsplit(arena.address)
    if address.scheme not in ("http", "https") or not address.hostname or address.path.strip("/"):
        raise ConfigurationError(
            f"{where}: address: expected a URL such as https://arena.example.org, found {arena.address}. "
            "Write where people reach the site, without a path."
        )
    check_sign_in(arena.sign_in, where=where)
    try:
        ZoneInfo(arena.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigurationError(
            f"{where}: time_zone: expected a time zone such as Europe/Warsaw, found {arena.time_zone}. Write one."
        ) from None


def check_sign_in(servers: Sequence[SignIn], *, where: object) -> None:
    """Raises `ConfigurationError`, which names `where`, for servers at which nobody can sign in safely."""
    for number, one in enumerate(servers, 1):
        for key, text in (("id", one.id), ("client", one.client)):
            if text in (getattr(earlier, key) for earlier in servers[: number - 1]):
                raise ConfigurationError(
                    f"{where}: sign_in: entry {number}: the {key} {text} is there already, and tells servers apart. "
                    f"Give each {'an' if key == 'id' else 'a'} {key} of its own."
                )
        for place, address in (("server", one.server), ("page", one.page)):
            if address is not None and not is_safe(address):
                raise ConfigurationError(
                    f"{where}: sign_in: {one.id}: {place}: expected a URL such as https://login.example.org, "
                    f"found {address}. Write one with https: what people type there must not be read on the way."
                )


def is_safe(text: str) -> bool:
    """Returns whether a text is a URL with HTTPS, or one on this machine; without a user, a query, or blanks."""
    try:
        url = urlsplit(text)
        host = url.hostname or ""
    except ValueError:
        return False
    is_plain = not (url.query or url.fragment or url.username) and text.isprintable() and not set(text) & set(" ;,'\"")
    return is_plain and bool(host) and (url.scheme == "https" or (url.scheme == "http" and is_loopback(host)))


def is_issuer(told: str, *, server: str) -> bool:
    """Returns whether a server calls itself what the host set as `server`; a stroke at the end makes no difference."""
    return told.rstrip("/") == server.rstrip("/")


def is_loopback(host: str) -> bool:
    """Returns whether a host is this machine itself."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
