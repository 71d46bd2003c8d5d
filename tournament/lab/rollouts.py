"""Positions played on by a guide in every seat, and what comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any, Final, cast

from tournament.deals import world_rng
from tournament.errors import BotError, GameError
from tournament.games.contract import Game, State
from tournament.lab.guides import Guide
from tournament.records.analysis import MeanPoints

SURE: Final = 1.96
"""A 95 % interval reaches so many standard errors to either side."""

Margins = tuple[float, ...]
"""For each seat its score minus the mean of the others'; they add up to zero."""


def margins_of(scores: Sequence[int]) -> Margins:
    """Returns the margin of each seat."""
    others = len(scores) - 1
    total = sum(scores)
    return tuple(score - (total - score) / others for score in scores)


def figure_of(values: Sequence[float]) -> MeanPoints:
    """Returns the mean of independent values, one a world."""
    half_width = SURE * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return MeanPoints(fmean(values), half_width)


def total_of(figures: Sequence[MeanPoints]) -> MeanPoints:
    """Returns the sum of independent figures."""
    return MeanPoints(sum(one.points for one in figures), sum(one.half_width**2 for one in figures) ** 0.5)


class Rollouts:
    """Plays what one seat could not know, redealt, and then the guide in every seat.

    World n of one name is the same whatever action is tried in it: cards, and the chance of the
    guide. So actions are compared by the differences within worlds.
    """

    def __init__(self, game: Game, guide: Guide, *, players: int) -> None:
        self._game = game
        self._guide = guide
        self._players = players

    def try_actions(self, seen: Sequence[Any], actions: Sequence[Any], world: str) -> list[Margins]:
        """Returns the margins after each of some legal actions in one world that fits the views of a seat.

        Where a game has rounds, those at the end of the round: what comes later depends on nothing
        that is done now. Raises `RecordError` for views that do not fit, `BotError` when the guide fails.
        """
        try:
            state = self._game.redeal(seen, world_rng(world))
        except GameError as error:
            raise GameError(f"What the seat saw cannot be redealt: {error}") from None
        *others, last = actions
        return [*(self._play_on(state.copy(), action, world) for action in others), self._play_on(state, last, world)]

    def _play_on(self, state: State, action: Any, world: str) -> Margins:
        """Returns the margins when the guide plays on after an action; the state is used up."""
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
