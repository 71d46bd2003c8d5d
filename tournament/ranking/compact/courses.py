"""Ratings over the course of a run, without intervals: a line to look at, and nothing to test with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np

from tournament.ids import parse_pooled_id
from tournament.ranking.compact.collecting import CountedGames, counted_games
from tournament.ranking.compact.columns import CountedGroup
from tournament.ranking.strengths import RATING_OF_ZERO, RATING_PER_STRENGTH, distinct_orders, most_probable
from tournament.records.results import GameResult

COURSE_LOOKS: Final = 12
"""How often the course is looked at, evenly by blocks."""


MOST_COURSE_GAMES: Final = 20_000
"""Of a group with more games, every so-manieth block is taken: a course is drawn, and costs little in any run."""


class RatingCourse(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings of a group after more and more of its blocks."""

    group: str
    blocks: tuple[int, ...]
    """How many blocks had been played at each look."""

    every: int
    """1 where all blocks are taken, else of so many one."""

    ratings: dict[str, tuple[float | None, ...]]
    """By entrant, a rating for each look; None before its first game."""


def rating_courses(
    results: Iterable[GameResult] | CountedGames, *, looks: int = COURSE_LOOKS, most_games: int = MOST_COURSE_GAMES
) -> tuple[RatingCourse, ...]:
    """Returns the course of each group, in the order of play. Cost: a fit of at most `most_games` for each look."""
    return tuple(_course(counted, looks, most_games) for counted in counted_games(results).groups)


def _course(counted: CountedGroup, looks: int, most_games: int) -> RatingCourse:
    players, total = counted.games.players, len(counted.blocks)
    every = max(1, -(-total * players // most_games))
    taken = _in_order_of_play(counted, range(0, total, every))
    counts = sorted({max(len(taken) * look // looks, 1) for look in range(1, looks + 1)})
    ratings: dict[str, list[float | None]] = {name: [None] * len(counts) for name in counted.games.entrants}
    for at, count in enumerate(counts):
        rows = np.zeros(total, dtype=np.bool_)
        rows[taken[:count]] = True
        games = counted.games.chosen(np.repeat(rows, players))
        strengths = most_probable(distinct_orders(games)[0], len(games.entrants), virtual_games=1.0)
        if strengths is None:
            continue
        for name, value in zip(games.entrants, strengths.tolist(), strict=True):
            ratings[name][at] = RATING_OF_ZERO + RATING_PER_STRENGTH * value
    return RatingCourse(
        group=counted.games.group,
        blocks=tuple(min(count * every, total) for count in counts),
        every=every,
        ratings={name: tuple(values) for name, values in ratings.items()},
    )


def _in_order_of_play(counted: CountedGroup, chosen: range) -> list[int]:
    """Returns some blocks sorted by run, segment and number."""
    keys = []
    for at in chosen:
        parts, run = parse_pooled_id(counted.blocks[at])
        keys.append((run, parts.segment, parts.number, at))
    return [key[-1] for key in sorted(keys)]
