"""How simulated versions play: strengths that are known, Plackett-Luce, and forfeits of those that crash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import Booleans, Integers


class PlayedBlocks(NamedTuple):
    """How the blocks of one group in a round ended."""

    group: str
    order: Integers
    """Who sat in each seat in rotation 0, by number, shape (blocks, players)."""

    places: Integers
    """By rotation and seat, from 1."""

    forfeited: Booleans


class Skills(NamedTuple):
    """What is true of everybody, by number."""

    strengths: Mapping[str, Floats]
    """By group: natural logarithms of odds."""

    crashes: Floats
    """The share of games that each forfeits."""


def play_blocks(group: str, order: Integers, skills: Skills, rng: np.random.Generator) -> PlayedBlocks:
    """Returns how blocks end: who forfeits is last, and the others finish by strength and luck."""
    players = order.shape[1]
    seats = np.stack([np.roll(order, -rotation, axis=1) for rotation in range(players)], axis=1)
    forfeited = rng.random(seats.shape) < skills.crashes[seats]
    luck = skills.strengths[group][seats] + rng.gumbel(size=seats.shape)
    luck[forfeited] = -np.inf
    places = 1 + (luck[..., None, :] > luck[..., :, None]).sum(axis=-1)
    return PlayedBlocks(group, order, places.astype(np.int8), forfeited)


def expected_points(group: str, field: Sequence[int], skills: Skills) -> Floats:
    """Returns what each of a field expects in placement points at tables drawn evenly from it.

    It is the mean, over the others, of the probability to finish above each.
    """
    numbers = np.array(field)
    strengths, whole = skills.strengths[group][numbers], 1.0 - skills.crashes[numbers]
    above = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))
    above = whole[:, None] * (1.0 - whole[None, :] + whole[None, :] * above)
    np.fill_diagonal(above, 0.0)
    points: Floats = above.sum(axis=1) / (len(field) - 1)
    return points
