"""Contradictions in a configuration that can be found without its bots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from tournament.configuration.types import Budget, ConfigurationFile, GameEntry, UntilWithBounds
from tournament.errors import ConfigurationError
from tournament.games import load_game
from tournament.games.contract import Game, options_from, wrong_players
from tournament.records.record import name_problem
from tournament.records.run import Format, Until
from tournament.records.settings import WithdrawalEntry
from tournament.text import option

MOST_WORKERS: Final = 1_000

FOR_TWO: Final = "sprt is for two entrants. Leave the others out, or use `until: decided`."


class Clash(NamedTuple):
    """A field that contradicts another one, or whose value is out of bounds."""

    field: str
    text: str

    def __str__(self) -> str:
        return f"{self.field}: {self.text}"


class FieldError(ConfigurationError):
    """Something wrong in one field of a configuration."""

    def __init__(self, field: str, text: str) -> None:
        """Takes a text that ends in what to do."""
        super().__init__(f"{field}: {text}")
        self.field = field


class GroupGame(NamedTuple):
    """A game with a number of players and its options."""

    game: Game
    players: int
    options: Any


def clashes(file: ConfigurationFile) -> Iterator[Clash]:
    """Yields the contradictions in a configuration; `group_games` checks its games."""
    if file.name is not None and (problem := tournament_name_problem(file.name)) is not None:
        yield Clash("name", problem)
    if file.seed is not None and file.deals_from is not None:
        yield Clash("seed", "it and deals_from exclude each other: a suite has its own deals. Take one out.")
    if file.seed is not None and (problem := seed_problem(file.seed)) is not None:
        yield Clash("seed", problem)
    if file.budget is not None:
        yield from _budget_clashes(file.budget, file.schedule)
    yield from _name_clashes(file.bots or ())
    if file.schedule is Format.GAUNTLET:
        if not file.focus:
            missing = "a gauntlet needs to know whom it is about"
            yield Clash("schedule", f"{missing}. Write focus: [NAME], or call `run` with {option('--focus')} NAME.")
    elif file.focus:
        yield Clash("focus", "only a gauntlet has focus bots. Write schedule: gauntlet, or take it out.")
    yield from _until_clashes(file)
    if is_sprt(file) and len(file.bots or ()) > 2:  # each is an entrant at least, a folder of bots even more
        yield Clash("until", FOR_TWO)
    if isinstance(file.until, UntilWithBounds) and not file.until.sprt.low < file.until.sprt.high:
        low, high = file.until.sprt.low, file.until.sprt.high
        yield Clash("until", f"expected low under high, found low {low:g} and high {high:g}. Give two leads.")
    if isinstance(file.withdraw, WithdrawalEntry) and file.schedule is Format.KNOCKOUT:
        yield Clash("withdraw", "nobody is withdrawn from a knockout: who fails is beaten. Take it out.")
    if isinstance(file.workers, int) and file.workers > MOST_WORKERS:
        yield Clash("workers", f"at most {MOST_WORKERS} play at once, not {file.workers}. Write workers: auto.")
    if file.weights is not None and not math.isfinite(sum(file.weights.values())):
        yield Clash("weights", "expected numbers with a finite sum. Give every game its share, such as 1.")


def _until_clashes(file: ConfigurationFile) -> Iterator[Clash]:
    """Yields why `until` cannot end a run of this schedule: it compares only entrants that meet the same opponents."""
    if file.until is None or file.schedule in (None, Format.ROUND_ROBIN):
        return
    if file.schedule is not Format.GAUNTLET or is_sprt(file):
        yield Clash("until", f"it is for a round robin; found {file.schedule}. Leave one of them out.")
    elif len(set(file.focus or ())) < 2:
        yield Clash(
            "until",
            "it tells apart who met the same opponents, in a gauntlet the focus bots; found fewer than two. "
            "Write schedule: round-robin, or name another focus bot.",
        )


def is_sprt(file: ConfigurationFile) -> bool:
    """Returns whether a run has `until: sprt`."""
    return file.until is Until.SPRT or isinstance(file.until, UntilWithBounds)


def _name_clashes(bots: Sequence[Any]) -> Iterator[Clash]:
    for bot in bots:
        name = bot.get("name") if isinstance(bot, dict) else None
        if isinstance(name, str) and (problem := name_problem(name)) is not None:
            yield Clash("bots", f"{name!a} cannot name an entrant: {problem}.")


def _budget_clashes(budget: Budget, schedule: Format | None) -> Iterator[Clash]:
    given = msgspec.to_builtins(budget)
    if len(given) != 1:
        found = ", ".join(given) or "none"
        yield Clash("budget", f"expected one of deals, games, minutes, found {found}. Keep one.")
    elif budget.minutes is not None and not math.isfinite(budget.minutes):
        yield Clash("budget", f"minutes are a finite number, not {budget.minutes}. Give one.")
    elif schedule is Format.KNOCKOUT and budget.deals is None:
        yield Clash("budget", "a knockout takes deals (a table and round). Write budget: {deals: 5}.")


def seed_problem(seed: str | int) -> str | None:
    """Returns why a seed cannot be used, and what to do; None when it can."""
    try:
        text = str(seed)
        text.encode()
    except ValueError:  # half a surrogate pair, or more digits than Python writes
        return "expected a text or a number of few digits. Give another, or none."
    if not text.strip():  # a variable of a shell that is not set
        return "expected a text or a number, found nothing in it. Give one, or leave the seed out: then it is drawn."
    return None


def tournament_name_problem(name: str) -> str | None:
    """Returns why a text cannot name a tournament, and so its folder, and what to do; None when it can."""
    problem = "it names a folder that is there" if name in (".", "..") else name_problem(name)
    return None if problem is None else f"{name!a} cannot name a tournament: {problem}. Give it another name."


def group_games(entries: Sequence[GameEntry]) -> list[GroupGame]:
    """Returns each game that is played, once for every number of players.

    Raises `GameError` for an unknown game or option and for a number of players that a game does not allow, and
    `ConfigurationError` for the same game twice.
    """
    found: list[GroupGame] = []
    for entry in entries:
        game = load_game(entry.game)
        options = options_from(game, entry.options)
        for players in (entry.players,) if isinstance(entry.players, int) else entry.players:
            if players not in game.players:
                raise wrong_players(game, players)
            if (game, players, options) in found:
                raise ConfigurationError(
                    f"{game.name} with {players} players stands twice with the same options. Take one out."
                )
            found.append(GroupGame(game, players, options))
    return found
