"""Checks by simulation that the ranking says no more than it knows.

    python -m benchmarks.ranking_simulation --tournaments 4000

Tables: coverage of 95 % intervals with luck shared inside a deal; false claims among equal bots; the same with looks
after every chunk (`until: decided`) or block (`until: sprt`). Errors per game and, when it is installed, openskill
stand beside. Every figure comes from the functions of `tournament.ranking`; the games are those of `simulated_games`.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice

import numpy as np
from tabulate import tabulate

from benchmarks.simulated_games import BALANCED, EQUAL, PAIR, UNEQUAL, WORLDS, Design, World
from tournament.ranking.basis import GroupScores, group_scale
from tournament.ranking.claims import claimed_pairs, make_claims
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.comparison import scope_of
from tournament.ranking.group_games import Booleans
from tournament.ranking.points import LEVEL, Estimate, difference_errors, make_figure, normal_quantile, placement_points
from tournament.ranking.sequential import BURN_IN, DecisionTest, DifferenceTest, Goal, separated
from tournament.ranking.strengths import fit_strengths
from tournament.records.comparison import Difference
from tournament.records.figures import Figure, Verdict
from tournament.records.standings import Claims

LONG_RUN = 200_000
"""Blocks that stand for endless play."""


def coverage(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of coverage: clustered and per game, of points, differences and ratings."""
    headers = ["world", "deals each", "points", "difference", "points/game", "difference/game", "rating difference"]
    rows = []
    for world in WORLDS:
        [long_run] = world.tournaments(1, blocks=LONG_RUN, rng=rng)
        truth, fitted = placement_points(long_run).values, fit_strengths(long_run)
        assert fitted is not None, "with a prior there is always a fit"
        for deals_each in (10, 30, 200):
            shares = np.zeros((tournaments, 5))
            for number, games in enumerate(world.tournaments(tournaments, blocks=world.blocks(deals_each), rng=rng)):
                apart, strengths = placement_points(games.games_apart()), fit_strengths(games)
                assert strengths is not None, "with a prior there is always a fit"
                shares[number] = [
                    *covered(placement_points(games), truth),
                    *covered(apart, truth),
                    covered(strengths.estimate, fitted.estimate.values)[1],
                ]
            rows.append([world.name, deals_each, *with_errors(shares)])
    return tabulate(rows, headers=headers)


def covered(estimate: Estimate, truth: Floats) -> tuple[float, float]:
    """Returns the shares of the intervals of entrants, and of differences, that hold the truth."""
    figures = map(estimate.figure, estimate.entrants)
    points = np.array([holds(figure, value) for figure, value in zip(figures, truth.tolist(), strict=True)])
    reach = np.array([unit_half_width(met) for met in estimate.met.tolist()])
    first, second = np.triu_indices(len(truth), k=1)
    gaps = np.abs((estimate.values - truth)[first] - (estimate.values - truth)[second])
    # A difference rests on the deals of the entrant with fewer, whose interval is the wider.
    inside = gaps <= np.maximum(reach[first], reach[second]) * estimate.difference_errors[first, second]
    return float(points.mean()), float(inside.mean())


def holds(figure: Figure, truth: float) -> bool:
    """Returns whether an interval holds the truth; an end that it has not is no limit."""
    above_low = figure.low is None or figure.low <= truth
    return above_low and (figure.high is None or truth <= figure.high)


@lru_cache(maxsize=4096)
def unit_half_width(deals: int) -> float:
    """Returns the half-width of an interval whose error is 1."""
    return make_figure(0.0, error=1.0, deals=deals).half_width or 0.0


def with_errors(shares: Floats) -> list[str]:
    """Returns the mean of each column in %, with its standard error from tournament to tournament."""
    errors = shares.std(axis=0) / math.sqrt(len(shares))
    return [f"{100 * mean:.2f} ± {100 * error:.2f}" for mean, error in zip(shares.mean(axis=0), errors, strict=True)]


def false_claims(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of tournaments of equal bots with at least one claim."""
    headers = ["world", "deals each", "method", "claimed", "with errors per game", "unadjusted pairs"]
    rows = []
    for world in EQUAL:
        for deals_each in (20, 100, 200, 300, 500):
            found = np.zeros((tournaments, 3))
            method = ""
            for number, games in enumerate(world.tournaments(tournaments, blocks=world.blocks(deals_each), rng=rng)):
                points, apart = placement_points(games), placement_points(games.games_apart())
                claims = make_claims(points)
                assert claims is not None, "everybody sat in ten deals"
                method = str(claims.method)
                found[number] = [
                    bool(claims.pairs),
                    bool(claimed_pairs(apart.values, apart.difference_errors, critical=claims.critical).any()),
                    bool(claimed_pairs(points.values, points.difference_errors, critical=normal_quantile(0.975)).any()),
                ]
            rows.append([world.name, deals_each, method, *with_errors(found)])
    return tabulate(rows, headers=headers)


def unequal(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of tournaments with unequal opposition in which one of two equal bots was put above the other.

    Claimed: by the standings. Passed: `gate --superior 95%` lets the first in for the second, so that 5 % are right.
    Beside it both from points alone, as if all had met the same opponents.
    """
    headers = ["schedule", "basis of the gate", "claimed", "passed", "claimed by points", "passed by points"]
    rows = []
    for design in UNEQUAL:
        found = np.zeros((tournaments, 4))
        bases = set()
        for number, games in enumerate(design.tournaments(tournaments, rng=rng)):
            scores = GroupScores(games=games)
            claims, by_points = group_scale(scores).claims, make_claims(scores.points)
            scope = scope_of(design.name, [(scores, 1.0)], design.pair)
            bases.add(str(scope.basis))
            found[number] = [
                _puts_apart(claims, design),
                scope.comparison is not None and passes(scope.comparison.difference),
                _puts_apart(by_points, design),
                passes(scores.points.difference(*design.pair)),
            ]
        rows.append([design.name, ", ".join(sorted(bases)), *with_errors(found)])
    return tabulate(rows, headers=headers)


def power(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of pairs that are claimed in a balanced round robin of unequal bots: points decide there."""
    rows = []
    for design in BALANCED:
        found = np.zeros((tournaments, 2))
        bases = set()
        for number, games in enumerate(design.tournaments(tournaments, rng=rng)):
            scores = GroupScores(games=games)
            scale, by_points = group_scale(scores), make_claims(scores.points)
            bases.add(str(scale.basis))
            pairs = len(games.entrants) * (len(games.entrants) - 1) / 2
            found[number] = [
                0.0 if claims is None else len(claims.pairs) / pairs for claims in (scale.claims, by_points)
            ]
        rows.append([design.name, ", ".join(sorted(bases)), *with_errors(found)])
    return tabulate(rows, headers=["schedule", "basis", "pairs claimed", "by points"])


def _puts_apart(claims: Claims | None, design: Design) -> bool:
    """Returns whether an order of two bots of the same strength is claimed."""
    pairs = () if claims is None else claims.pairs
    return any(design.strengths[better] == design.strengths[worse] for better, worse in pairs)


def passes(difference: Difference) -> bool:
    """Returns whether the first is better with a probability of 95 % or more."""
    return (difference.probability_better or 0.0) >= LEVEL


def openskill_claims(tournaments: int, rng: np.random.Generator) -> str:
    """Returns how often openskill tells equal bots apart by its own sigma, at 95 % for all pairs by Bonferroni."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return "openskill is not installed: pip install openskill"
    model = PlackettLuce()
    rows = []
    for world in EQUAL[:3]:
        blocks = 100
        found = np.zeros((tournaments, 1))
        started = time.process_time()
        for number, games in enumerate(world.tournaments(tournaments, blocks=blocks, rng=rng)):
            bots = [model.rating() for _ in games.entrants]
            for seats, places in zip(games.seats.tolist(), games.places.tolist(), strict=True):
                rated = model.rate([[bots[bot]] for bot in seats], ranks=places)
                for bot, [rating] in zip(seats, rated, strict=True):
                    bots[bot] = rating
            pairs = world.entrants * (world.entrants - 1) / 2
            critical = normal_quantile(1.0 - 0.025 / pairs)
            found[number] = any(
                abs(one.mu - other.mu) > critical * math.hypot(one.sigma, other.sigma)
                for one, other in combinations(bots, 2)
            )
        pace = tournaments * blocks * world.players / (time.process_time() - started)
        rows.append([world.name, blocks, *with_errors(found), f"{pace:,.0f}"])
    return tabulate(rows, headers=["world", "deals", "claimed by openskill", "games a second"])


def until_decided(tournaments: int, chunks: int, rng: np.random.Generator) -> str:
    """Returns the table of tournaments of equal bots in which some look separated a pair, or named a winner."""
    rows = []
    for world in (PAIR, *EQUAL[:3]):
        found = []
        for points in world.chunk_points(tournaments, chunks=chunks, rng=rng):
            apart, peeked = looks(points)
            named = np.zeros(len(points), dtype=np.bool_)
            named[apart] = [names_a_winner(world.names, own) for own in points[apart].tolist()]
            found.append(np.stack([apart, named, peeked], axis=1))
        rows.append([world.name, chunks, *with_errors(np.concatenate(found))])
    return tabulate(rows, headers=["world", "looks", "any pair", "a winner", "peeking at ordinary intervals"])


def looks(points: Floats) -> tuple[Booleans, Booleans]:
    """Returns for each tournament whether some look separates a pair: by the confidence sequence, by 95 % intervals.

    Shape of the points: (tournaments, chunks, entrants).
    """
    count, chunks, size = points.shape
    means, products = np.zeros((count, size)), np.zeros((count, size, size))
    apart, peeked = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    for look in range(1, chunks + 1):
        before = points[:, look - 1] - means
        means = means + before / look
        products += before[:, :, None] * (points[:, look - 1] - means)[:, None, :]
        covariance = products / max(look - 1, 1)
        apart |= separated(means, covariance, chunks=look, alpha=0.1 / (size * (size - 1))).any(axis=(1, 2))
        if look >= BURN_IN:
            gaps = means[:, :, None] - means[:, None, :]
            reach = normal_quantile(0.975) * difference_errors(covariance / look)
            peeked |= (gaps > np.maximum(reach, 1e-9)).any(axis=(1, 2))
    return apart, peeked


def names_a_winner(names: Sequence[str], chunks: Sequence[Sequence[float]]) -> bool:
    """Returns whether a run in which a pair was separated would have ended with a winner at some look."""
    every, top = DecisionTest(names, goal=Goal.ALL), DecisionTest(names, goal=Goal.TOP)
    pairs = len(names) * (len(names) - 1) // 2
    apart = named = False
    for chunk in chunks:
        every.add(chunk)
        top.add(chunk)
        apart = apart or len(every.decision().open_pairs) < pairs
        named = named or top.decision().decided
    assert apart, "many tournaments at once are looked at as one is"
    return named


def until_sprt(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of wrong verdicts of the likelihood ratio test when the truth is d0 or d1."""
    rows = []
    for name, hand, taste in (("hands", 1.5, 0.0), ("taste", 0.0, 1.5)):
        differences = endless_differences(World(name, 2, 2, hand=hand, taste=taste), rng)
        for high in (0.05, 0.2):
            for truth in (0.0, high):
                found = np.zeros((tournaments, 2))
                blocks = 0
                for number in range(tournaments):
                    test = DifferenceTest(low=0.0, high=high)
                    for difference in islice(differences, 10_000):
                        test.add(difference + truth)
                        if test.verdict is not Verdict.GO_ON:
                            break
                    wrong = Verdict.LOWER if truth else Verdict.HIGHER
                    found[number] = [test.verdict is wrong, test.verdict is Verdict.GO_ON]
                    blocks += test.blocks
                rows.append([name, high, truth, *with_errors(found), f"{blocks / tournaments:.1f}"])
    return tabulate(rows, headers=["world", "d1", "truth", "wrong %", "undecided %", "mean blocks"])


def endless_differences(world: World, rng: np.random.Generator) -> Iterator[float]:
    """Yields the points of the first of two entrants minus those of the second, block after block, without end."""
    while True:
        for points in world.chunk_points(1, chunks=20_000, rng=rng):
            yield from (points[0, :, 0] - points[0, :, 1]).tolist()


def main() -> None:
    """Runs what was asked for and prints a table each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournaments", type=int, default=1000, help="simulated tournaments a row (default 1000)")
    parser.add_argument("--chunks", type=int, default=500, help="looks of one `until: decided` (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    topics = ["coverage", "claims", "unequal", "power", "openskill", "decided", "sprt"]
    parser.add_argument("--only", choices=topics, action="append")
    options = parser.parse_args()
    tables: dict[str, Callable[[int, np.random.Generator], str]] = {
        "coverage": coverage,
        "claims": false_claims,
        "unequal": unequal,
        "power": power,
        "openskill": openskill_claims,
        "decided": lambda count, rng: until_decided(count, options.chunks, rng),
        "sprt": until_sprt,
    }
    for title in options.only or tables:
        started = time.process_time()
        table = tables[title](options.tournaments, np.random.default_rng(options.seed))
        heading = f"{title}: % of {options.tournaments} tournaments ± its standard error"
        print(f"\n{heading} ({time.process_time() - started:.0f} s)\n\n{table}", flush=True)


if __name__ == "__main__":
    main()
