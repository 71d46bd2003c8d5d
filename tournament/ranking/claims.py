"""What may be claimed about an order: critical values, rank ranges, letters, head to head, and plans for all of that.

A bot is claimed to be better than another only when their difference exceeds a critical value times its standard
error. The critical value is the 95 % point of the largest |difference| / error over all pairs at once. Overlapping
intervals prove nothing either way.

Letters follow "insert and absorb": Piepho, "An algorithm for a letter-based representation of all-pairwise
comparisons" (2004). Plans assume equal bots and games that do not help each other, and what a probe saw corrects
that. Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from string import ascii_lowercase
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import Booleans, GroupGames, Integers, distinct, group_games
from tournament.ranking.points import (
    FEWEST_DEALS,
    LEVEL,
    SHARE,
    Estimate,
    bonferroni_critical,
    chi_square_probabilities,
    difference_errors,
    is_claimed,
    mean_figure,
    normal_points,
    normal_probability,
    normal_quantile,
    placement_points,
    scale_for,
    student_quantile,
)
from tournament.records.results import GameResult
from tournament.records.standings import Claims, Meeting, Method

FEWEST_DEALS_FOR_MAX_T = 200
"""With an entrant under so many deals the covariances are too uncertain for max-t."""

_ROUNDING = 1e-9  # a difference this small is rounding, whatever its error


def make_claims(estimate: Estimate) -> Claims | None:
    """Returns what may be claimed among the entrants with 10 deals or more; None with fewer than two of them."""
    tested = [name for name, met in zip(estimate.entrants, estimate.met.tolist(), strict=True) if met >= FEWEST_DEALS]
    if len(tested) < 2:
        return None
    estimate = estimate.only(tuple(tested))
    degrees = int(estimate.met.min()) - 1
    if degrees + 1 < FEWEST_DEALS_FOR_MAX_T:
        method, critical = Method.BONFERRONI, bonferroni_critical(math.comb(len(tested), 2), degrees=degrees)
    else:
        method, critical = Method.MAX_T, max_t_critical(estimate.covariance, degrees=degrees)
    claimed = claimed_pairs(estimate.values, estimate.difference_errors, critical=critical)
    pairs = tuple((tested[better], tested[worse]) for better, worse in np.argwhere(claimed).tolist())
    return Claims(method=method, critical=critical, pairs=pairs)


def max_t_critical(covariance: Floats, *, degrees: float, level: float = LEVEL) -> float:
    """Returns the value that the largest |difference| / error of all pairs stays below with probability `level`.

    The differences are jointly normal, and each is divided by an error of its own. So the value is the quantile of the
    largest normal ratio, moved to where Student's t leaves as much outside. (The multivariate t divides all differences
    by one error, which asks too little.) The direction of the normal is integrated over fixed quasi-random points and
    its length exactly, as its square is a chi-square. So the same covariance always gives the same value, to about
    0.01. Pairs whose difference has no error are left out. Cost: points * pairs.
    """
    size = len(covariance)
    errors = difference_errors(covariance)
    smallest = 1e-9 * float(errors.max(initial=0.0))
    centring = np.eye(size) - 1.0 / size
    eigenvalues, vectors = np.linalg.eigh(centring @ covariance @ centring)
    used = eigenvalues > 1e-12 * max(float(eigenvalues[-1]), 0.0)
    if smallest == 0.0 or not used.any():
        return bonferroni_critical(max(math.comb(size, 2), 1), degrees=degrees, level=level)
    normal = normal_points(size)
    directions = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    # The symmetric root: which eigenvectors a library finds for equal eigenvalues differs from machine to machine.
    root = (vectors[:, used] * np.sqrt(eigenvalues[used])) @ vectors[:, used].T
    spread = root @ directions.T
    largest = np.zeros(len(directions))
    for entrant in range(size - 1):
        others = entrant + 1 + np.flatnonzero(errors[entrant, entrant + 1 :] > smallest)
        if len(others):
            ratios = np.abs(spread[others] - spread[entrant]) / errors[entrant, others, None]
            np.maximum(largest, ratios.max(axis=0), out=largest)
    # Neighbours in size are nearly equal: the mean of eight stands for them, and costs an eighth.
    squares = np.maximum(np.sort(largest).reshape(-1, 8).mean(axis=1), 1e-12) ** 2
    low = normal_quantile(0.5 + level / 2.0)
    high = normal_quantile(1.0 - (1.0 - level) / (2.0 * math.comb(size, 2)))
    while high - low > 1e-5 * high:
        middle = (low + high) / 2.0
        if float(chi_square_probabilities(middle**2 / squares, size).mean()) < level:
            low = middle
        else:
            high = middle
    return student_quantile(normal_probability(high), degrees)


def claimed_pairs(values: Floats, errors: Floats, *, critical: float | Floats) -> Booleans:
    """Returns a matrix that is true at [a, b] where a is claimed to be better than b.

    `errors` are those of the differences, shape (entrants, entrants); `critical` is for all of them, or for each.
    """
    differences = values[:, None] - values[None, :]
    claimed: Booleans = differences > np.maximum(critical * errors, _ROUNDING)
    return claimed


def rank_ranges(claimed: Booleans) -> tuple[tuple[int, int], ...]:
    """Returns for each entrant the best and the worst rank that the claims leave open, counted from 1."""
    above = claimed.sum(axis=0).tolist()
    below = claimed.sum(axis=1).tolist()
    return tuple((1 + up, len(claimed) - down) for up, down in zip(above, below, strict=True))


def claim_matrix(claims: Claims | None, entrants: Sequence[str]) -> Booleans:
    """Returns claims as a matrix, true at [a, b] where a is claimed to be better; all false for None."""
    matrix: Booleans = np.zeros((len(entrants), len(entrants)), dtype=np.bool_)
    number = {entrant: place for place, entrant in enumerate(entrants)}
    for better, worse in claims.pairs if claims is not None else ():
        if better in number and worse in number:
            matrix[number[better], number[worse]] = True
    return matrix


def places(values: Floats) -> tuple[int, ...]:
    """Returns for each number 1 + how many numbers are higher: equal numbers share a place."""
    return tuple((1 + (values[None, :] > values[:, None]).sum(axis=1)).tolist())


def letter_groups(claimed: Booleans) -> tuple[str, ...]:
    """Returns the letters of each entrant: two share one when they are not told apart.

    All are empty when 26 letters do not suffice. The entrants come best first; letters are given out in the order of
    the best entrant that has one. `claimed` is true at [a, b] where a is claimed to be better than b.
    """
    columns = _columns(claimed | claimed.T)
    if columns is None:
        return ("",) * len(claimed)
    letters = [""] * len(claimed)
    for letter, column in zip(ascii_lowercase, sorted(sorted(column) for column in columns), strict=False):
        for entrant in column:
            letters[entrant] += letter
    return tuple(letters)


def _columns(apart: Booleans) -> list[frozenset[int]] | None:
    """Returns every largest set of entrants of whom no two are told apart; None for more than 26 sets.

    Entrants are inserted one by one. That never makes the sets fewer, so the search ends as soon as they are too many.
    """
    columns: list[frozenset[int]] = []
    for entrant in range(len(apart)):
        level = frozenset(np.flatnonzero(~apart[entrant, :entrant]).tolist())
        joined = {(column & level) | {entrant} for column in columns} or {frozenset({entrant})}
        kept = [column for column in columns if not column <= level]
        columns = [*kept, *(column for column in joined if not any(column < other for other in joined))]
        if len(columns) > len(ascii_lowercase):
            return None
    return columns


def head_to_head(games: GroupGames) -> tuple[Meeting, ...]:
    """Returns a meeting for each pair of entrants that sat in a game together, sorted by name."""
    size = len(games.entrants)
    played, scores = np.zeros(size * size), np.zeros(size * size)
    deals_of_pair: Integers = np.zeros(size * size, dtype=np.int64)
    outcomes: Integers = np.zeros(3 * size * size, dtype=np.int64)
    for part in games.chunks():
        met = _meetings_of(part)
        played += np.bincount(met.pair, weights=met.games, minlength=size * size)
        scores += np.bincount(met.pair, weights=met.scores, minlength=size * size)
        deals_of_pair += np.bincount(met.pair, minlength=size * size)
        outcomes += np.bincount(met.outcomes, minlength=3 * size * size)
    means = scores / np.maximum(played, 1.0)
    squares = np.zeros(size * size)
    for part in games.chunks():
        met = _meetings_of(part)
        deviations = (met.scores - means[met.pair] * met.games) ** 2
        squares += np.bincount(met.pair, weights=deviations, minlength=size * size)
    pairs = np.flatnonzero(played)
    deals, means, squares, played = deals_of_pair[pairs], means[pairs], squares[pairs], played[pairs]
    by_outcome = outcomes.reshape(-1, 3)[pairs]
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
                claimed=is_claimed(replace(score, value=score.value - 0.5), comparisons=tested),
            )
        )
    return tuple(meetings)


class _DealMeetings(NamedTuple):
    """Who met whom in some deals: a row for each pair in each deal, and the outcome of each meeting."""

    pair: Integers
    """The number of the pair: first * entrants + second, the first by name in front."""

    games: Floats
    scores: Floats
    """The sum of the first one's scores: 1 for a win, a half for a draw."""

    outcomes: Integers
    """For each meeting 3 * pair + 0 for a defeat of the first, 1 for a draw, 2 for a win."""


def _meetings_of(games: GroupGames) -> _DealMeetings:
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
    return _DealMeetings(
        pair=cells % (size * size),
        games=counts.astype(np.float64),
        scores=scores,
        outcomes=key % (size * size) * 3 + half,
    )


def claimed_cycle(meetings: Iterable[Meeting]) -> tuple[str, ...] | None:
    """Returns entrants of whom each is claimed to beat the next; None without such a cycle.

    The first one is named again at the end.
    """
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


ASSUMED_DEALS: Final = 10
"""What is assumed of equal bots counts as much as so many deals of one bot."""


class ExpectedPoints(NamedTuple):
    """What the points of an entrant are expected to rest on."""

    deals: int
    """How many deals it will sit in."""

    variance: float
    """The variance of its points in one deal."""

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval of its points; None under 10 deals."""
        if self.deals < FEWEST_DEALS:
            return None
        return student_quantile(0.5 + LEVEL / 2, self.deals - 1) * math.sqrt(self.variance / self.deals)


def points_variance(players: int) -> float:
    """Returns the variance of placement points in one game of equal bots without ties: (k + 1) / (12 (k - 1))."""
    return (players + 1) / (12.0 * (players - 1))


def seen_variance(results: Sequence[GameResult], entrants: Collection[str], *, players: int) -> float:
    """Returns the variance of the points of some entrants in one deal, from a few results of a group.

    Each entrant varies around its own mean. All of them together, and what is assumed of equal bots, give a usable
    figure even from a few deals.
    """
    points = placement_points(group_games(results))
    numbers = [number for number, name in enumerate(points.entrants) if name in entrants]
    met = points.met[numbers]
    # An influence is a deal's distance from the mean, as a share of all deals of the entrant.
    distances = points.influence.columns(numbers) / scale_for(points.deal_count) * met
    squares = float(np.square(distances).sum())
    assumed = points_variance(players) / players
    return (ASSUMED_DEALS * assumed + squares) / (ASSUMED_DEALS + int((met - 1).sum()))


def difference_to_tell(
    first: ExpectedPoints, second: ExpectedPoints, *, together: float, players: int, entrants: int, power: float = 0.8
) -> float | None:
    """Returns the least true difference in points that is claimed with probability `power`; None where none is.

    `together` is the number of deals in which the two meet. All pairs of `entrants` are tested at once, as in
    standings.
    """
    least = min(first.deals, second.deals)
    if least < FEWEST_DEALS:
        return None
    # At a table all points together are always as many, so that two at it take them from each other.
    covariance = -math.sqrt(first.variance * second.variance) / (players - 1)
    shared = covariance * together / (first.deals * second.deals)
    error = math.sqrt(first.variance / first.deals + second.variance / second.deals - 2 * shared)
    critical = bonferroni_critical(math.comb(entrants, 2), degrees=least - 1)
    difference = (critical + normal_quantile(power)) * error
    return difference if difference < 1.0 else None
