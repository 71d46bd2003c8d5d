"""The bots of the other seats, in this process: from what a user names to a bot at the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tournament.deals import bot_rng, bot_rng_text
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import format_numbers
from tournament.errors import BotError, IllegalAction, UsageError
from tournament.games.contract import Outcome, State
from tournament.players.bot import Bot, Clock, GameEnd, GameStart
from tournament.players.loader import load_bot_class

BotClass = Callable[..., Bot]
"""A class that derives from `Bot`, or a function that makes such a bot."""


class RandomBot(Bot):
    """Plays any legal action, each as likely as the others."""

    def start(self, info: GameStart) -> None:
        """Keeps its chance."""
        self._rng = info.rng

    def act(self, view: Any) -> Any:
        """Returns a legal action."""
        legal = view.legal_actions()
        return legal[int(self._rng.random() * len(legal))]


class Opponent:
    """One bot in its seat, for one game."""

    def __init__(self, bot: Bot, *, name: str, seat: int) -> None:
        self._bot, self._name, self._seat = bot, name, seat

    def act(self, state: State) -> Any:
        """Returns what the bot does now. Raises `BotError` when it fails, or what it returns is not legal."""
        view = state.view(self._seat)
        try:
            action = self._bot.act(view)
        except Exception as error:
            raise self._failure(f"act raised {type(error).__name__}: {error}") from error
        try:
            state.check(action)
        except IllegalAction as error:
            raise self._failure(f"act returned {action!r}: {error}") from None
        except Exception:
            raise self._failure(f"act returned {action!r}, which is no action of {view.game}") from None
        return action

    def end(self, outcome: Outcome, view: Any) -> None:
        """Tells the bot how the game ended. Raises `BotError` when it fails."""
        result = GameEnd(
            scores=tuple(outcome.scores), places=tuple(outcome.places), ending=str(outcome.ending), news=view.news
        )
        try:
            self._bot.end(result)
        except Exception as error:
            raise self._failure(f"end raised {type(error).__name__}: {error}") from error

    def _failure(self, problem: str) -> BotError:
        return BotError(f"{self._name} in seat {self._seat} failed: {problem}. Fix the bot, or name another.")


class Opponents:
    """The bots of all seats but the learner's; a new object of each is made for every game."""

    def __init__(self, given: Sequence[str | Path | BotClass], *, game: str, players: int, options: Any) -> None:
        """Finds and loads them. Raises `BotError`, `UsageError`."""
        if isinstance(given, str | Path) or callable(given):
            given = [given]
        if not isinstance(given, Sequence):
            raise UsageError(f'opponents={given!r} is no list of bots: write one, such as ["random_legal"].')
        if len(given) not in (0, 1, players - 1):
            raise UsageError(
                f"{len(given)} opponents for {players - 1} seats: give one bot for each, or one for all of them."
            )
        named = [_named(one, game, players) for one in given] or [(RandomBot.__name__, RandomBot, {})]
        self._named = named if len(named) == players - 1 else named * (players - 1)
        self._game, self._players, self._options = game, players, options

    def sit_down(self, learner: int, *, seed: str) -> dict[int, Opponent]:
        """Returns a bot for each seat but the learner's, told that a game begins. `seed` is that of the deal."""
        return {
            seat: self._seat(seat, *self._named[(seat - learner) % self._players - 1], seed=seed)
            for seat in range(self._players)
            if seat != learner
        }

    def _seat(self, seat: int, name: str, make: BotClass, params: dict[str, Any], *, seed: str) -> Opponent:
        info = GameStart(
            game=self._game,
            players=self._players,
            seat=seat,
            options=self._options,
            rng=bot_rng(seed, rotation=0, seat=seat),
            clock=Clock(),
            seed=bot_rng_text(seed, rotation=0, seat=seat),
        )
        try:
            bot = make(**params)
            bot.start(info)
        except Exception as error:
            raise BotError(
                f"{name} in seat {seat} cannot start: {type(error).__name__}: {error}. Fix the bot, or name another."
            ) from error
        return Opponent(bot, name=name, seat=seat)


def _named(given: str | Path | BotClass, game: str, players: int) -> tuple[str, BotClass, dict[str, Any]]:
    """Returns name, class and parameters of one opponent."""
    if callable(given):
        games: tuple[str, ...] = getattr(given, "games", ())
        name: str = getattr(given, "__name__", type(given).__name__)
        if games and game not in games:
            raise BotError(f"{name} does not play {game}, only {', '.join(games)}. Name another bot.")
        _check_players(name, getattr(given, "players", ()), players)
        return name, given, {}
    if not isinstance(given, str | Path):
        raise UsageError(f"{given!r} is no opponent: name a bot, or give its class, not an object of it.")
    found = entrants_from([str(given)], base=Path.cwd())
    if len(found) != 1:
        raise UsageError(f"{given} has {len(found)} bots. Name one bot for each seat, such as {given}/NAME.py.")
    source = found[0].bot_for(game)
    _check_players(found[0].name, source.players, players)
    return found[0].name, load_bot_class(source), source.params


def _check_players(name: str, known: tuple[int, ...], players: int) -> None:
    if known and players not in known:
        raise BotError(f"{name} plays with {format_numbers(known)} players, not with {players}. Name another bot.")
