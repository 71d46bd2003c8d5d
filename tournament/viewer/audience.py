"""Who looks at a game: somebody from whom nothing is hidden, the public, or one seat."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Audience(Struct, frozen=True, kw_only=True):
    """Who looks at a game, and so what may be shown."""

    seat: int | None = None
    """The seat that looks; None for the public, and where all is shown."""

    sees_all: bool = False
    """Whether nothing is hidden."""

    @property
    def id(self) -> str:
        """How pages and links name it: `all`, `public`, `seat0`."""
        if self.sees_all:
            return "all"
        return "public" if self.seat is None else f"seat{self.seat}"

    @property
    def name(self) -> str:
        """How people read it: `all cards`, `public`, `seat 0`."""
        if self.sees_all:
            return "all cards"
        return "public" if self.seat is None else f"seat {self.seat}"

    def may_see(self, seat: int) -> bool:
        """Returns whether what only this seat knows may be shown."""
        return self.sees_all or self.seat == seat


ALL: Final = Audience(sees_all=True)
PUBLIC: Final = Audience()


def audiences_of(players: int) -> tuple[Audience, ...]:
    """Returns every audience of a game: all, the public, each seat."""
    return (ALL, PUBLIC, *(Audience(seat=seat) for seat in range(players)))
