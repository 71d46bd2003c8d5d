"""The rewards of a finished game, for training."""

from __future__ import annotations

from enum import StrEnum

from tournament.errors import GameError
from tournament.games.contract import Outcome
from tournament.records.results import half_points


class Rewards(StrEnum):
    """What a reward consists of. There is none before the end of the game."""

    SCORE = "score"
    """The points of the game."""

    PLACEMENT = "placement"
    """Placement points, as tournaments are ranked by: 0 for the last place to 1 for the first, shared in ties."""


def parse_rewards(text: str) -> Rewards:
    """Returns the kind of rewards a text names. Raises `GameError` unless it is `score` or `placement`."""
    if text not in tuple(Rewards):
        raise GameError(f'There are no rewards "{text}": choose score or placement.')
    return Rewards(text)


def rewards_of(outcome: Outcome, rewards: Rewards) -> tuple[float, ...]:
    """Returns the reward of each seat."""
    if rewards is Rewards.SCORE:
        return tuple(map(float, outcome.scores))
    most = 2 * (len(outcome.places) - 1)
    return tuple(half / most for half in half_points(outcome.places, (), outcome.ending))
