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
    """A game of this package, or one that is installed; `tournament game list` shows them."""

    players: Positive | Annotated[tuple[Positive, ...], Meta(min_length=1)]
    """One number of players or several; each is a group of its own."""

    options: dict[str, Any] = {}
    """What is left out takes its default; see `tournament game show`."""


class BotEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entrant with one bot for all its games: `bot` or `command`; or with the name of each game and its bot."""

    name: Name
    """The entrant; left out, the name of its file."""

    bot: str
    """The bot for every game it plays: a path, a module, or the name of an example or of an installed bot."""

    command: Annotated[tuple[str, ...], Meta(min_length=1)]
    """A program in any language with its arguments."""

    games: tuple[GameName, ...]
    """What it plays; left out: all games that it can."""

    players: Positive | tuple[Positive, ...]
    """With how many players it plays; left out: any number."""

    files: tuple[str, ...]
    """Further files that it consists of or reads: they are part of its fingerprint, and are in its sandbox."""

    params: dict[str, Any]
    """What its `__init__` is called with, by name."""

    version: Annotated[str, Meta(max_length=64)]
    """What records say of it; a Python bot has its own."""

    isolation: Isolation
    """Its own level, in place of that of the run."""

    python: str
    """The Python that runs it, or the folder of its virtual environment."""

    build: Annotated[tuple[str, ...], Meta(min_length=1)]
    """A command that makes it, run before play with your own rights."""

    env: dict[str, str]
    """Variables of its environment."""

    limits: LimitsEntry
    """Limits of its own, in place of those of the run."""

    clock: ClockEntry
    """Times of its own, in place of those of the run."""


class Budget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much is played: one of these."""

    deals: Positive | None = None
    """So many deals for each table, each of them played from every seat."""

    games: Positive | None = None
    """At most so many games in all."""

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
    """What is played."""

    bots: Annotated[tuple[str | list[str] | dict[str, Any], ...], Meta(min_length=1)] | None = None
    """A spec (path, module, name of an example or of an installed bot, folder), a command as a list, or an object."""

    schedule: Format | None = None
    """How tables are made up; default: round-robin."""

    focus: Annotated[tuple[Name, ...], Meta(min_length=1)] | None = None
    """In a gauntlet: who plays against the field."""

    budget: Budget | None = None
    """How much is played; default: 10 deals."""

    until: Until | UntilWithBounds | None = None
    """Ends the run as soon as this is decided; the budget is the most that is played."""

    withdraw: AnyWithdrawalEntry | None = None
    """Who is taken out because its bot keeps failing; `never`: nobody."""

    isolation: Isolation | None = None
    """Default: process, where the platform has it."""

    allow_mixed: bool | None = None
    """Whether bots of isolation none may meet others."""

    clock: ClockEntry | None = None
    """The time bots have."""

    limits: LimitsEntry | None = None
    """What a process of a bot may use."""

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


Words = Annotated[tuple[Annotated[str, Meta(min_length=1)], ...], Meta(min_length=1, max_length=100)]


class BotFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `bot.yaml`, which an author puts beside a bot; without a `command` the bot is `bot.py`."""

    command: Words | None = None
    """A program in any language with its arguments."""

    build: Words | None = None
    """What makes it: run once, in the folder of the bot, in a sandbox without a network."""

    games: Words | None = None
    """What it plays; left out: all games that it can."""

    players: Annotated[tuple[Annotated[int, Meta(ge=2, le=100)], ...], Meta(min_length=1)] | None = None
    """With how many players it plays; left out: any number."""

    files: Words | None = None
    """The files that it reads; left out: all that were handed in."""
