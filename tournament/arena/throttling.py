"""How often one address or account may try something, counted in the cache that all web processes share."""

from __future__ import annotations

import hashlib
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from django.conf import settings
from django.core.cache import cache

from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.languages import ngettext

if TYPE_CHECKING:
    from django.http import HttpRequest

MINUTE: Final = 60


class Throttle(NamedTuple):
    """At most so many failures of one kind in so many seconds."""

    name: str
    limit: int
    seconds: int

    def is_over(self, who: str) -> bool:
        """Returns whether somebody failed too often."""
        return int(cache.get(self._key(who), 0)) >= self.limit

    def require(self, who: str) -> None:
        """Raises `RefusedError` for somebody who failed too often."""
        if self.is_over(who):
            text = ngettext(
                "Too many wrong tries. Wait {count} minute, then try again.",
                "Too many wrong tries. Wait {count} minutes, then try again.",
                max(1, self.seconds // MINUTE),
            )
            raise RefusedError(RefusalKind.QUOTA, text)

    def note(self, who: str) -> None:
        """Counts a failure; the count begins anew when its time has passed since the first."""
        key = self._key(who)
        if not cache.add(key, 1, self.seconds):
            try:
                cache.incr(key)
            except ValueError:  # its time passed just now
                cache.set(key, 1, self.seconds)

    def _key(self, who: str) -> str:
        return f"throttle-{hashlib.sha256(f'{self.name} {who}'.encode()).hexdigest()}"


def client_address(request: HttpRequest) -> str:
    """Returns the address that a request came from, as the declared number of proxies says it.

    Each proxy adds the address that it saw behind those that it was told; what stands before may be made up. An address
    of IPv6 counts with its whole network of 64 bits, of which one person has all.
    """
    seen = str(request.META.get("REMOTE_ADDR", ""))
    proxies: int = settings.ARENA.proxies
    if proxies:
        told = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
        if len(told) >= proxies:
            seen = told[-proxies]
    try:
        address = ip_address(seen)
    except ValueError:
        return "unknown"
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{ip_address(int(address) >> 64 << 64)}/64" if not address.is_loopback else str(address)
