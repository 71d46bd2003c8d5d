"""Guides: bots in this process that give hints and play positions on to the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from tournament.deals import bot_rng
from tournament.entrants import Entrant, entrants_from
from tournament.errors import BotError, UsageError
from tournament.games import parts_of
from tournament.games.parts import OffersGuide
from tournament.players.bot import Bot, Clock, GameStart
from tournament.players.loading import load_bot_class
from tournament.records.model import SeatInfo
from tournament.records.paths import data_folder


class Seating(Struct, frozen=True, kw_only=True):
    """The game at a table, as its bots are told of it."""

    game: str
    players: int
    options: Any


def guide_spec(game: str, spec: str | None) -> str:
    """Returns the spec of the guide: the one given, else the example bot of the game.

    Raises `UsageError` for a game without an example bot.
    """
    if spec is not None:
        return spec
    parts = parts_of(game)
    if not isinstance(parts, OffersGuide):
        raise UsageError(f"{game} has no example bot to play on with. Name one: --with SPEC.")
    ours = data_folder("bots") / parts.guide
    return str(ours) if ours.is_file() else parts.guide


def entrants_for(game: str, specs: Sequence[str]) -> tuple[Entrant, ...]:
    """Returns one entrant a spec, the same bot twice under two names.

    Raises `BotError` for one that does not play the game, `UsageError` for a folder.
    """
    entrants = entrants_from(specs, base=Path.cwd())
    if len(entrants) != len(specs):
        raise UsageError("A folder stands for many bots: name one bot for each seat.")
    for entrant in entrants:
        if not entrant.plays(game):
            raise BotError(f"{entrant.name} does not play {game}. Name a bot that does.")
    return entrants


class Guide:
    """One bot, of which a new object is made for every seat it takes."""

    def __init__(self, seating: Seating, spec: str | None = None) -> None:
        """Loads the bot of `spec`, or the example bot of the game. Raises `BotError`, `UsageError`."""
        self._seating = seating
        (entrant,) = entrants_for(seating.game, [guide_spec(seating.game, spec)])
        self.name = entrant.name
        self._source = entrant.bot_for(seating.game)
        self.info = SeatInfo(bot=entrant.name, version=self._source.version, fingerprint=self._source.fingerprint)
        self._bot_class = load_bot_class(self._source)

    def seat(self, seat: int, *, seed: str) -> Bot:
        """Returns the bot in a seat, at the beginning of a game; all its chance comes from `seed`."""
        bot = self._bot_class(**self._source.params)
        bot.start(
            GameStart(
                game=self._seating.game,
                players=self._seating.players,
                seat=seat,
                options=self._seating.options,
                rng=bot_rng(seed, rotation=0, seat=seat),
                clock=Clock(),
            )
        )
        return bot

    def advise(self, seen: Sequence[Any], *, seed: str) -> Any:
        """Returns what the bot would do now, had it sat there and been given all these views, oldest first.

        Raises `BotError` when it fails.
        """
        bot = self.seat(seen[-1].seat, seed=seed)
        for view in seen[:-1]:
            self.ask(bot, view)
        return self.ask(bot, seen[-1])

    def ask(self, bot: Bot, view: Any) -> Any:
        """Returns what a bot that `seat` gave does. Raises `BotError` when it fails."""
        try:
            return bot.act(view)
        except Exception as error:
            raise BotError(f"{self.name} failed: {type(error).__name__}: {error}. Name another bot.") from error
