"""Points and ratings over the course of a run: what its standings were after so many blocks.

To look at, not to test with: who looks until something seems clear will see something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from tournament.ids import parse_pooled_id
from tournament.ranking.arrays import group_games
from tournament.ranking.placement import placement_points
from tournament.ranking.plackett_luce import fit_strengths
from tournament.ranking.rating_intervals import RatingIntervals
from tournament.ranking.results import whole_blocks
from tournament.records.ratings import GroupHistory, HistoryPoint, HistoryRow
from tournament.records.results import GameResult

LOOKS = 20
"""A course is looked at so often, evenly by blocks."""


def history(results: Iterable[GameResult], *, looks: int = LOOKS) -> tuple[GroupHistory, ...]:
    """Returns by group its points and ratings after 1/20, 2/20 ... of its blocks, in the order of play.

    Runs that are pooled stand one after the other. Cost: a ranking a look.
    """
    return tuple(
        GroupHistory(group=group, points=tuple(_points(list(members), looks)))
        for group, members in groupby(whole_blocks(results).results, key=attrgetter("group"))
    )


def _points(results: Sequence[GameResult], looks: int) -> Iterator[HistoryPoint]:
    players = results[0].players
    played = sorted(results, key=_in_order_of_play)
    blocks = len(played) // players
    for count in sorted({max(blocks * look // looks, 1) for look in range(1, looks + 1)}):
        games = group_games(played[: count * players], whole=True)
        points, strengths = placement_points(games), fit_strengths(games)
        ratings = RatingIntervals(strengths) if strengths is not None else None
        yield HistoryPoint(
            blocks=count,
            rows=tuple(
                HistoryRow(
                    entrant=name,
                    points=points.figure(name),
                    rating=None if ratings is None else ratings.rating(name),
                )
                for name in games.entrants
            ),
        )


def _in_order_of_play(result: GameResult) -> tuple[str, int, int, str, int]:
    """Returns the key that sorts blocks by run, segment and number; a pooled block has its run behind its number."""
    block, run = parse_pooled_id(result.block)
    return run, block.segment, block.number, result.block, result.rotation
