"""Who takes part, as types: an entrant, its bots, and what is known of a bot while it is found.

Every process of a bot imports this module, so it imports little.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from msgspec import Struct

from tournament.errors import BotError
from tournament.records.record import SeatInfo
from tournament.records.settings import ClockEntry, Isolation, LimitsEntry


class BotKind(StrEnum):
    """In what form a user names a bot, and so how it is started."""

    FILE = "file"
    """A Python file, which may import the modules beside it."""

    MODULE = "module"
    """An installed Python module."""

    COMMAND = "command"
    """A program in any language, that speaks the protocol."""


class BotSource(Struct, frozen=True, kw_only=True):
    """One bot as it was found; nothing of it has been run."""

    kind: BotKind
    spec: str
    """As the user wrote it, for people."""

    path: str
    """The Python file or the executable, absolute."""

    folder: str
    """The bot's own folder, absolute; for a command the folder of the file that names it."""

    module: str | None = None
    """The dotted name of an installed module."""

    class_name: str | None = None
    """The class of a Python bot."""

    command: tuple[str, ...] = ()
    """A command with its arguments, as written."""

    files: tuple[str, ...] = ()
    """Further files the bot reads, absolute."""

    params: dict[str, Any] = {}
    """Given to the class by name."""

    version: str = "1"
    games: tuple[str, ...] = ()
    """The games it plays; empty: every game."""

    players: tuple[int, ...] = ()
    """The numbers of players it says it plays with; empty: every number."""

    seated: tuple[int, ...] = ()
    """The numbers of players its entry lets it play with, out of these; empty: all of them."""

    isolation: Isolation | None = None
    """Its own level, where it asks for one; None: that of the run."""

    python: str | None = None
    """The Python that runs it, absolute, where it has an environment of its own."""

    env: dict[str, str] = {}
    """Variables of its environment."""

    limits: LimitsEntry | None = None
    clock: ClockEntry | None = None
    """Limits and times of its own; None: those of the run."""

    owns_folder: bool = False
    """Whether every file of its folder belongs to it, because no other bot lies there."""

    hides_library: bool = False
    """Whether modules beside it come before those of the standard library, as they did in tournament 0.1.0."""

    fingerprint: str
    """SHA-256, as hex, of everything the bot consists of; the same wherever its folder lies."""


class Entrant(Struct, frozen=True, kw_only=True):
    """Who takes part: one bot, or one bot a game."""

    name: str
    bots: tuple[BotSource, ...]
    """No two of them play the same game."""

    def plays(self, game: str, players: int | None = None) -> bool:
        """Returns whether this entrant has a bot for that game, which its entry lets play with that many players."""
        return any(
            (not bot.games or game in bot.games) and (players is None or not bot.seated or players in bot.seated)
            for bot in self.bots
        )

    def check_players(self, game: str, players: int) -> None:
        """Raises `PlayersError` when the bot for a game says that it does not play with that many players."""
        bot = self.bot_for(game)
        if bot.players and players not in bot.players:
            raise PlayersError(self.name, game, players, bot.players)

    def bot_for(self, game: str) -> BotSource:
        """Returns the bot that plays that game. Raises `BotError` when there is none."""
        for bot in self.bots:
            if not bot.games or game in bot.games:
                return bot
        played = ", ".join(name for bot in self.bots for name in bot.games)
        raise BotError(
            f'"{self.name}" does not play {game}, only {played}. '
            f"Give it a bot for {game}, or leave it out of that game."
        )

    def seat_info(self, game: str) -> SeatInfo:
        """Returns how records of that game name this entrant. Raises `BotError` when it has no bot for the game."""
        bot = self.bot_for(game)
        return SeatInfo(bot=self.name, version=bot.version, fingerprint=bot.fingerprint)


class PlayersError(BotError):
    """A bot says that it does not play with as many players as a table has."""

    def __init__(self, name: str, game: str, players: int, known: Sequence[int]) -> None:
        super().__init__(name, game, players, known)  # as given, so that it can be sent between processes
        self.name, self.game, self.players, self.known = name, game, players, known

    def __str__(self) -> str:
        return refused_players(self.name, self.game, self.players, self.known)


def refused_players(name: str, game: str, players: int, known: Sequence[int]) -> str:
    """Returns the sentence that says that a bot does not play with so many players, and what to do."""
    return (
        f'"{name}" plays with {format_numbers(known)} players, and not {game} with {players}. '
        f"Take {game} with {players} players out, name another bot, or write "
        f"players: [{', '.join(map(str, known))}] in its entry, which leaves it out of other tables."
    )


def format_numbers(numbers: Sequence[int]) -> str:
    """Returns numbers in words: `2`, `2 or 3`, `2, 3 or 4`."""
    *rest, last = map(str, numbers)
    return f"{', '.join(rest)} or {last}" if rest else last


def format_plays(bot: BotSource) -> str:
    """Returns what a bot plays in words: all its games, and the numbers of players that it names."""
    games = ", ".join(bot.games) or "every game"
    players = bot.seated or bot.players
    return f"{games}, {format_numbers(players)} players" if players else games


class Settings(Struct, frozen=True, kw_only=True):
    """What a configuration says about a bot, beside its spec."""

    params: dict[str, Any] = {}
    version: str | None = None
    games: tuple[str, ...] = ()
    """The games it is to play; empty: all the bot plays."""

    players: tuple[int, ...] = ()
    """The numbers of players it is to play with; empty: all the bot plays with."""

    files: tuple[str, ...] = ()
    """Further files that belong to the bot, as the user wrote them."""

    isolation: Isolation | None = None
    python: str | None = None
    """A Python, or the folder of a virtual environment, as the user wrote it."""

    env: dict[str, str] = {}
    limits: LimitsEntry | None = None
    clock: ClockEntry | None = None


class Found(NamedTuple):
    """One bot, and the name it gets when nobody gives it one."""

    name: str
    source: BotSource


def is_beside(name: str, *, hides_library: bool = False) -> bool:
    """Returns whether `import name` in a bot means a module of that name beside it, if there is one.

    A module beside the bot comes before installed ones, as for any script, but after the standard library and this
    package: else a bot named `random.py` would be what all others in its folder import. `hides_library`: only modules
    built into Python come first, as in tournament 0.1.0.
    """
    first = sys.builtin_module_names if hides_library else sys.stdlib_module_names
    return name != "tournament" and name not in first
