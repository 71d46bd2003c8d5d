"""What is known when the next round is planned, and what the answer may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from tournament.arena.files import FinalRules, Lane, RoundKind
from tournament.arena.transitions import CompetitionState
from tournament.configuration.types import Budget
from tournament.records.run import Field, Format

WITHDRAWALS_TO_PARK: Final = 2
"""A version that was withdrawn in so many rounds is parked until an owner activates it again."""


FAILURES_TO_WAIT: Final = 3
"""A check that the machine failed at so often comes after all others of its competition, until it ends."""


class KnownGroup(Struct, frozen=True, kw_only=True):
    """A game with a number of players."""

    name: str
    """As in `run.json`."""

    players: int


class KnownVersion(Struct, frozen=True, kw_only=True):
    """An active version, a version of a challenge, or a house bot."""

    name: str
    """As an entrant: `keeper.v3`; a house bot has its own name."""

    owners: frozenset[str] = frozenset()
    """By any id; empty for a house bot."""

    groups: frozenset[str]
    """The names of the groups that it plays."""

    since: datetime
    """When it became active, or accepted where that is what it waits since."""

    placed: bool = True
    """Whether a placement of it is complete in this season."""

    deals_today: Mapping[str, int] = {}
    """By group: deals of complete rounds of the ladder that were planned today."""

    deals: Mapping[str, int] = {}
    """By group: all that count in this season, placements included."""

    game_ms: Mapping[str, float] = {}
    """By group: the mean time that its own moves take in a game; nothing for a group that it has not played."""

    strength: float | None = None
    """Of the whole ladder, in any unit; None while it is provisional."""

    rank: int | None = None
    may_be_first: bool = False
    """Whether its range of ranks holds 1."""


class KnownChallenge(Struct, frozen=True, kw_only=True):
    """A challenge that has not been played."""

    number: int
    """By which whoever asks finds it again."""

    version: KnownVersion
    opponents: tuple[KnownVersion, ...]
    asked: datetime


class KnownCheck(Struct, frozen=True, kw_only=True):
    """A version that waits for its check."""

    name: str
    owners: frozenset[str]
    since: datetime
    """When it was received."""

    failures: int = 0
    """How often in a row the machine has failed at it."""

    rests: bool = False
    """Whether it waits for a while, because the machine has just failed at it."""


class KnownCompetition(Struct, frozen=True, kw_only=True):
    """All that is known of a competition when the next round of a lane is planned."""

    name: str
    state: CompetitionState
    groups: tuple[KnownGroup, ...]
    house: tuple[KnownVersion, ...]
    """At least as many as the largest table has seats."""

    versions: tuple[KnownVersion, ...] = ()
    """All active ones, but for those whose placement is being played."""

    checks: tuple[KnownCheck, ...] = ()
    """Versions that wait for their check."""

    challenges: tuple[KnownChallenge, ...] = ()
    time_zone: str = "UTC"
    freezes: datetime | None = None
    round_seconds: int = 30
    deals_a_day: int = 100
    placement_deals: int = 10
    final: FinalRules = FinalRules()
    is_admitting: bool = False
    """Whether a check or a placement is being made, for which the final waits."""

    wants_final: bool = False
    """Whether a host asked for the final, and it is not complete."""

    rounds_made: int = 0
    lane_ms: Mapping[Lane, int] = {}
    """How long each lane worked for this competition in the last hour."""

    checked_last: bool = False
    """Whether the last that the quick lane did for this competition was a check."""

    placements_in_a_row: int = 0
    """How many placements the quick lane played for this competition since its last challenge."""


class PlannedCheck(Struct, frozen=True, kw_only=True):
    """The check of a version."""

    competition: str
    version: str


class PlannedRound(Struct, frozen=True, kw_only=True):
    """A round that is to be played.

    A configuration with these entrants, the games of these fields, the format, focus and budget has exactly these
    fields.
    """

    competition: str
    kind: RoundKind
    lane: Lane
    format: Format
    entrants: tuple[str, ...]
    focus: tuple[str, ...] = ()
    fields: tuple[Field, ...]
    budget: Budget
    expected_ms: float
    """How long it will take on one core, without the starts of bots."""

    challenge: int | None = None
    """The number of the challenge that it answers."""


class RestReason(StrEnum):
    """Why a lane has nothing to do."""

    NOTHING_WAITS = "nothing waits"
    NOT_OPEN = "not open"
    TOO_FEW = "too few bots for a table"
    PACE = "ahead of the pace of the day"
    """The second half of the deals of a day is spread over it, so that whoever comes later finds opponents."""

    CEILING = "all reached the deals of a day"
    WAITS_FOR_QUICK = "waits for checks and placements"
    """The final begins when nothing of what was received before the freeze waits."""

    DECIDED = "decided without a final"
    """Only one may be first."""


class Rest(Struct, frozen=True, kw_only=True):
    """Nothing is to be played."""

    why: RestReason
    until: datetime | None = None
    """When to ask again even if nothing has changed; None: only when something has."""


class TableGuests:
    """Says who may sit at one table with others: who shares an owner with nobody there, or anybody at tables of two."""

    def __init__(self, players: int, seated: Iterable[KnownVersion] = ()) -> None:
        """Takes the seats of a table and who sits there."""
        self._may_share = players == 2
        self._owners: set[str] = set()
        for version in seated:
            self._owners |= version.owners

    def admit(self, version: KnownVersion) -> bool:
        """Returns whether a version may sit with all there, and lets it."""
        if not self._may_share:
            if not self._owners.isdisjoint(version.owners):
                return False
            self._owners |= version.owners
        return True
