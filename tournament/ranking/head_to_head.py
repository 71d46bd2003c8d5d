"""Head to head: who finished above whom, over the games both sat in.

Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

import numpy as np

from tournament.ranking.arrays import Floats, GroupGames, distinct
from tournament.ranking.intervals import FEWEST_DEALS, SHARE, bonferroni_critical, mean_figure
from tournament.records.figure import Figure
from tournament.records.standings import Meeting


def head_to_head(games: GroupGames) -> tuple[Meeting, ...]:
    """Returns a meeting for each pair of entrants that sat in a game together, sorted by name."""
    size = len(games.entrants)
    keys, halves = [], []
    for seat in range(games.players):
        for other in range(seat + 1, games.players):
            first, second = games.seats[:, seat], games.seats[:, other]
            ahead = np.sign(games.places[:, other] - games.places[:, seat])
            ahead = np.where(first < second, ahead, -ahead)
            pair = np.minimum(first, second) * size + np.maximum(first, second)
            met = first != second
            keys.append((games.deal * size * size + pair)[met])
            halves.append(ahead[met] + 1)
    key, half = np.concatenate(keys), np.concatenate(halves)
    cells, cell_of_game, counts = distinct(key, bound=len(games.deals) * size * size)
    scores = np.asarray(np.bincount(cell_of_game, weights=half / 2.0, minlength=len(cells)), dtype=np.float64)
    pairs, pair_of_cell, deals = distinct(cells % (size * size), bound=size * size)
    pair_of_game = pair_of_cell[cell_of_game]

    def total(values: Floats) -> Floats:
        return np.asarray(np.bincount(pair_of_cell, weights=values, minlength=len(pairs)), dtype=np.float64)

    played = total(counts.astype(np.float64))
    means = total(scores) / played
    squares = total((scores - means[pair_of_cell] * counts) ** 2)
    by_outcome = np.bincount(pair_of_game * 3 + half, minlength=3 * len(pairs)).reshape(-1, 3)
    tested = int((deals >= FEWEST_DEALS).sum())
    meetings = []
    for row, pair in enumerate(pairs.tolist()):
        met_deals, count = int(deals[row]), int(played[row])
        score = mean_figure(float(means[row]), squares=float(squares[row]) / count**2, deals=met_deals, bounds=SHARE)
        losses, draws, wins = by_outcome[row].tolist()
        meetings.append(
            Meeting(
                entrant=games.entrants[pair // size],
                opponent=games.entrants[pair % size],
                games=count,
                wins=wins,
                draws=draws,
                losses=losses,
                score=score,
                claimed=_differs_from_half(score, tests=tested),
            )
        )
    return tuple(meetings)


def _differs_from_half(score: Figure, *, tests: int) -> bool:
    if score.error is None:
        return False
    critical = bonferroni_critical(tests, degrees=score.deals - 1)
    return abs(score.value - 0.5) > max(critical * score.error, 1e-9)


def claimed_cycle(meetings: Iterable[Meeting]) -> tuple[str, ...] | None:
    """Returns entrants each claimed to beat the next, the first named again at the end; None without such a cycle."""
    beaten_by: dict[str, list[str]] = {}
    for meeting in meetings:
        if meeting.claimed:
            winner, loser = meeting.entrant, meeting.opponent
            if meeting.score.value < 0.5:
                winner, loser = loser, winner
            beaten_by.setdefault(loser, []).append(winner)
    try:
        TopologicalSorter(beaten_by).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return tuple(cycle)
    return None
