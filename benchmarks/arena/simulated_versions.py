"""A version of a simulated course: how it behaves, and what became of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from tournament.arena.scheduling.known import KnownGroup, KnownVersion
from tournament.arena.transitions import VERSION_TRANSITIONS, VersionState, may_follow

GROUPS: Final = (KnownGroup(name="cards-2p", players=2), KnownGroup(name="cards-3p", players=3))
GAME_MS: Final = 30.0
SLOW_GAME_MS: Final = 4_000.0


class Kind(StrEnum):
    """How a version behaves."""

    SOUND = "sound"
    SLOW = "slow"
    HANGS = "hangs"
    """In its check."""

    FAILS = "fails"
    """Its check, at once."""

    CRASHES = "crashes"
    """In a share of its games, and not in its check."""


@dataclass
class Version:
    """A version in the course, and what became of it."""

    number: int
    """Among all, house bots first."""

    name: str
    bot: str
    owner: str | None
    kind: Kind
    received: datetime
    state: VersionState = VersionState.RECEIVED
    since: datetime | None = None
    placed: bool = False
    withdrawals: int = 0
    deals: Counter[str] = field(default_factory=Counter)
    today: Counter[str] = field(default_factory=Counter)
    played_ms: dict[str, float] = field(default_factory=dict)
    rounds_when_waiting: int = 0
    waiting_with: int = 0
    checks_failed_by_machine: int = 0

    def move_to(self, state: VersionState) -> None:
        """Changes the state, as the table of states allows."""
        assert may_follow(VERSION_TRANSITIONS, self.state, state), (self.name, self.state, state)
        self.state = state

    @property
    def owners(self) -> frozenset[str]:
        """Who owns it: nobody owns a house bot."""
        return frozenset() if self.owner is None else frozenset({self.owner})

    @property
    def game_ms(self) -> float:
        """How long its moves in a game take."""
        return SLOW_GAME_MS if self.kind is Kind.SLOW else GAME_MS

    def known(self, *, strength: float | None, rank: int | None, may_be_first: bool) -> KnownVersion:
        """Returns what scheduling is told of it, with how it stands."""
        return KnownVersion(
            name=self.name,
            owners=self.owners,
            groups=frozenset(group.name for group in GROUPS),
            since=self.since or self.received,
            placed=self.placed,
            deals_today=dict(self.today),
            deals=dict(self.deals),
            game_ms=dict(self.played_ms),
            strength=strength,
            rank=rank,
            may_be_first=may_be_first,
        )
