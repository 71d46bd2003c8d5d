"""Guides: bots in this process that give hints, and play positions on to the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, cast

from msgspec import Struct

from tournament.deals import bot_rng, world_rng
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant, format_numbers
from tournament.errors import BotError, GameError, UsageError
from tournament.games import parts_of
from tournament.games.contract import Game, State
from tournament.games.parts import OffersGuide
from tournament.paths import data_folder
from tournament.players.bot import Bot, Clock, GameStart
from tournament.players.loader import load_bot_class
from tournament.records.analysis import MeanPoints
from tournament.text import option


class Seating(Struct, frozen=True, kw_only=True):
    """What the bots at a table are told about its game."""

    game: str
    players: int
    options: Any


def guide_spec(game: str, spec: str | None) -> str:
    """Returns the spec of the guide: `spec` if given, else the example bot of the game.

    Raises `UsageError` for a game without an example bot.
    """
    if spec is not None:
        return spec
    parts = parts_of(game)
    if not isinstance(parts, OffersGuide):
        raise UsageError(
            f"{game} has no example bot that could play on. Name a bot: {option('--with', '`with_spec`')} SPEC."
        )
    ours = data_folder("bots") / parts.guide
    return str(ours) if ours.is_file() else parts.guide


def entrants_for(game: str, specs: Sequence[str], *, players: int) -> tuple[Entrant, ...]:
    """Returns one entrant for each spec; a bot that is named twice has two names.

    Raises `BotError` for one that does not play the game with so many players, `UsageError` for a folder.
    """
    entrants = entrants_from(specs, base=Path.cwd())
    if len(entrants) != len(specs):
        raise UsageError("A folder stands for many bots: name one bot for each seat.")
    for entrant in entrants:
        if not entrant.plays(game):
            raise BotError(f"{entrant.name} does not play {game}. Name a bot that does.")
        known = entrant.bot_for(game).players
        if known and players not in known:
            raise BotError(
                f"{entrant.name} plays with {format_numbers(known)} players, and this table has {players}. "
                "Name a bot that plays with so many."
            )
    return entrants


class Guide:
    """One bot, of which a new object is made for each seat."""

    def __init__(self, seating: Seating, spec: str | None = None) -> None:
        """Loads the bot of `spec`, or the example bot of the game. Raises `BotError`, `UsageError`."""
        self._seating = seating
        (entrant,) = entrants_for(seating.game, [guide_spec(seating.game, spec)], players=seating.players)
        self.name = entrant.name
        self._source = entrant.bot_for(seating.game)
        self.info = entrant.seat_info(seating.game)
        self._bot_class = load_bot_class(self._source)

    def seat(self, seat: int, *, seed: str) -> Bot:
        """Returns a new object of the bot in a seat, at the start of a game; all its chance comes from `seed`."""
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
        """Returns what the bot would do now in a seat that has had these views, oldest first.

        Raises `BotError` when it fails.
        """
        bot = self.seat(seen[-1].seat, seed=seed)
        for view in seen[:-1]:
            self.ask(bot, view)
        return self.ask(bot, seen[-1])

    def ask(self, bot: Bot, view: Any) -> Any:
        """Returns the action of a bot that `seat` returned. Raises `BotError` when it fails."""
        try:
            return bot.act(view)
        except Exception as error:
            raise BotError(f"{self.name} failed: {type(error).__name__}: {error}. Name another bot.") from error


SURE: Final = 1.96
"""How many standard errors a 95 % interval reaches to either side."""

Margins = tuple[float, ...]
"""For each seat its score minus the mean score of the others; they add up to 0."""


def margins_of(scores: Sequence[int]) -> Margins:
    """Returns the margin of each seat."""
    others = len(scores) - 1
    total = sum(scores)
    return tuple(score - (total - score) / others for score in scores)


def figure_of(values: Sequence[float]) -> MeanPoints:
    """Returns the mean of independent values, one for each world, with its interval; 0 for no values."""
    if not values:
        return MeanPoints(0.0, 0.0)
    half_width = SURE * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return MeanPoints(fmean(values), half_width)


def total_of(figures: Sequence[MeanPoints]) -> MeanPoints:
    """Returns the sum of independent means, with its interval."""
    return MeanPoints(sum(one.points for one in figures), sum(one.half_width**2 for one in figures) ** 0.5)


class Rollouts:
    """Plays positions on in worlds: what one seat cannot know is redealt, and the guide plays every seat.

    A world has the same cards, and the guide the same chance, whatever action is tried in it. So actions are
    compared by the differences within worlds.
    """

    def __init__(self, game: Game, guide: Guide, *, players: int) -> None:
        self._game = game
        self._guide = guide
        self._players = players

    def try_actions(self, seen: Sequence[Any], actions: Sequence[Any], world: str) -> list[Margins]:
        """Returns the margins after each of some legal actions, in one world that fits the views of a seat.

        In a game with rounds these are the margins at the end of the round, because later rounds do not depend
        on this one. Raises `GameError` for views that do not fit, `BotError` when the guide fails.
        """
        try:
            state = self._game.redeal(seen, world_rng(world))
        except GameError as error:
            raise GameError(f"What the seat saw cannot be redealt: {error}") from None
        *others, last = actions
        return [*(self._play_on(state.copy(), action, world) for action in others), self._play_on(state, last, world)]

    def _play_on(self, state: State, action: Any, world: str) -> Margins:
        """Returns the margins when the guide plays on after an action; changes `state`."""
        event = state.apply(action)
        try:
            bots = [self._guide.seat(seat, seed=world) for seat in range(self._players)]
            while (seat := state.to_move) is not None and getattr(event, "round_over", None) is None:
                action = bots[seat].act(state.view(seat))
                event = state.apply(action)
        except Exception as error:
            raise BotError(
                f"{self._guide.name} failed when it played on: {type(error).__name__}: {error}. Name another bot."
            ) from error
        outcome = state.outcome() or state.standing()
        return margins_of(cast(Sequence[int], outcome.scores))
