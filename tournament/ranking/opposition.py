"""Whether the entrants of a group met the same opponents, as their schedule had it; results have no say.

Points depend on who was met, so they compare only bots that met the same field. A round robin and a balanced sample
give that, a gauntlet, pooled runs, an extension with fewer deals and a bot that left early do not.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from tournament.ranking.arrays import Booleans, Floats, GroupGames, Integers

STRAY_BLOCKS: Final = 3
"""By so many blocks two entrants may meet more or less often than others: a balanced sample stays within it."""

_STRAY_SHARE: Final = 0.02


def meetings(games: GroupGames) -> Integers:
    """Returns in how many games each pair sat together, the diagonal 0."""
    size = len(games.entrants)
    cells = games.seats[:, :, None] * size + games.seats[:, None, :]
    met = np.bincount(cells.ravel(), minlength=size * size).reshape(size, size)
    np.fill_diagonal(met, 0)
    return met


def met_equally(games: GroupGames) -> bool:
    """Returns whether everybody met everybody about equally often, as in a round robin or a balanced sample of one.

    Three things are asked: that all sat equally often and that all pairs met equally often, each but for a few blocks
    (a void block, a schedule that was cut) or two in a hundred; and that the pairs that met more often lie scattered.
    Two camps that never meet, or that meet only each other, are seen even after so few blocks that no pair met often:
    the meetings beyond the mean, as a matrix, then have a larger eigenvalue than those of tables drawn at random.
    """
    size = len(games.entrants)
    if size < 3:
        return True
    blocks = meetings(games) / games.players
    sat = games.appearances.sum(axis=0) / games.players
    if float(sat.max() - sat.min()) > max(STRAY_BLOCKS - 1, _STRAY_SHARE * float(sat.max())):
        return False
    others = ~np.eye(size, dtype=np.bool_)
    mean = float(blocks[others].mean())
    beyond = np.where(others, blocks - mean, 0.0)
    if float(np.abs(beyond).max()) > STRAY_BLOCKS + _STRAY_SHARE * mean:
        return False
    at_random = 2.0 * math.sqrt(float(sat.mean()) * (games.players - 1))
    return float(np.abs(np.linalg.eigvalsh(beyond)).max()) <= 1.0 + at_random


def pair_met_equally(games: GroupGames, entrant: str, opponent: str) -> bool:
    """Returns whether two entrants met each other one equally often, but for two in a hundred meetings.

    So do the focus bots of a gauntlet: what they got in the field compares them, though nobody else.
    """
    first, second = games.entrants.index(entrant), games.entrants.index(opponent)
    blocks = np.delete(meetings(games)[[first, second]], [first, second], axis=1) / games.players
    return float(np.abs(blocks[0] - blocks[1]).sum()) <= _STRAY_SHARE * float(blocks.sum(axis=1).max(initial=0.0))


def others_met(before: GroupGames, after: GroupGames) -> frozenset[str]:
    """Returns who of both met other opponents after than before, by name, or the same in other shares.

    Two in a hundred meetings, and what a balanced sample leaves over, are no others.
    """
    common = frozenset(before.entrants) & frozenset(after.entrants)
    if before.entrants == after.entrants and met_equally(before) and met_equally(after):
        return frozenset()
    first, second = _shares_met(before), _shares_met(after)
    return frozenset(
        name
        for name in common
        if sum(abs(first[name].get(one, 0.0) - second[name].get(one, 0.0)) for one in first[name].keys() | second[name])
        > 2.0 * _STRAY_SHARE
    )


def _shares_met(games: GroupGames) -> dict[str, dict[str, float]]:
    """Returns for each entrant which share of all it met each opponent was."""
    met = meetings(games)
    shares = (met / np.maximum(met.sum(axis=1, keepdims=True), 1)).tolist()
    return {
        name: {other: share for other, share in zip(games.entrants, row, strict=True) if share}
        for name, row in zip(games.entrants, shares, strict=True)
    }


def mean_opposition(games: GroupGames, ratings: Floats | None) -> list[float | None]:
    """Returns for each entrant the mean rating of the opponents that it met, each counted game by game.

    None for who met nobody, and for all when there are no ratings.
    """
    if ratings is None:
        return [None] * len(games.entrants)
    met = meetings(games)
    totals = met.sum(axis=1)
    sums = met @ ratings
    return [float(value / total) if total else None for value, total in zip(sums, totals.tolist(), strict=True)]


def shared_deals(games: GroupGames, entrant: str, opponent: str) -> int:
    """Returns on how many deals two entrants sat at one table."""
    return len(np.unique(games.deal[_together(games, entrant, opponent)]))


def shared_games(games: GroupGames, entrant: str, opponent: str) -> GroupGames | None:
    """Returns the games in which two entrants sat at one table; None without any."""
    rows = _together(games, entrant, opponent)
    return games.chosen(rows) if rows.any() else None


def _together(games: GroupGames, entrant: str, opponent: str) -> Booleans:
    first, second = games.entrants.index(entrant), games.entrants.index(opponent)
    together: Booleans = (games.seats == first).any(axis=1) & (games.seats == second).any(axis=1)
    return together
