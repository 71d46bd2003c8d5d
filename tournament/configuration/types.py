"""The types of a configuration file: what a tournament plays, as a person writes it."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from tournament import examples
from tournament.records.record import GameName, Name, Positive
from tournament.records.run import Bounds, Format, Until
from tournament.records.settings import KEEP_PATTERN, AnyWithdrawalEntry, ClockEntry, Isolation, LimitsEntry

Keep = Annotated[str, Meta(pattern=KEEP_PATTERN, description="all, faults, none, or a share such as sample:1%")]


class GameEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game, with one or more numbers of players and its options."""

    game: GameName
    players: Positive | Annotated[tuple[Positive, ...], Meta(min_length=1)]
    options: dict[str, Any] = {}


class Budget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much is played: one of these."""

    deals: Positive | None = None
    """Blocks a table."""

    games: Positive | None = None
    minutes: Annotated[float, Meta(gt=0)] | None = None
    """Turned into blocks by a probe before play."""


class UntilWithBounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`until: sprt` with bounds of one's own."""

    sprt: Bounds
    """The two leads that are told apart."""


class ConfigurationFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of a configuration file; what is left out takes its default."""

    name: Name | None = None
    """Default: the name of the file."""

    seed: str | int | None = None
    """The master; default: drawn."""

    deals_from: str | None = None
    """A deal suite instead of a master."""

    games: Annotated[tuple[GameEntry, ...], Meta(min_length=1)] | None = None
    bots: Annotated[tuple[str | list[str] | dict[str, Any], ...], Meta(min_length=1)] | None = None
    """A spec (path, module, name of an example or of an installed bot, folder), a command as a list, or an object."""

    schedule: Format | None = None
    focus: Annotated[tuple[Name, ...], Meta(min_length=1)] | None = None
    """In a gauntlet: who plays against the field."""

    budget: Budget | None = None
    until: Until | UntilWithBounds | None = None
    """Ends the run as soon as this is decided; the budget is the most that is played."""

    withdraw: AnyWithdrawalEntry | None = None
    """Who is taken out because its bot keeps failing; `never`: nobody."""

    isolation: Isolation | None = None
    """Default: process, where the platform has it."""

    allow_mixed: bool | None = None
    """Whether bots of isolation none may meet others."""

    clock: ClockEntry | None = None
    limits: LimitsEntry | None = None
    trace: tuple[Name, ...] | None = None
    """Entrants of whom every line sent and received is kept in `logs/`."""

    workers: Positive | Literal["auto"] | None = None
    """How many blocks are played at once; `auto`: as many as there are cores."""

    keep: Keep | None = None
    """Which records are kept: all, faults, sample:1%, none. Results are kept of every game."""

    compress: bool | None = None
    """Whether records are compressed with Zstandard."""

    weights: dict[GameName, Annotated[float, Meta(gt=0)]] | None = None
    """The share of each game in the championship; default: equal."""


# What is played where a configuration leaves it out
DEFAULT_DEALS: Final = 10
DEFAULT_GAMES: Final = tuple(GameEntry(game=game, players=players) for game, players in examples.DEFAULT_GAMES)
