"""Checks of figures at the edge: bots that win or lose nearly always, that end nearly always level, that are picked.

    python -m benchmarks.edges --tournaments 4000

Coverage of won and lost blocks is worked out exactly, the rest is simulated. Beside the figures of the ranking stand
those without what holds them at the edge.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from scipy.stats import binom, norm
from tabulate import tabulate

from benchmarks.ranking_simulation import holds, with_errors
from benchmarks.simulated_games import World
from tournament.ranking.changes import compare_rankings
from tournament.ranking.claims import make_claims
from tournament.ranking.comparison import compare_entrants
from tournament.ranking.points import SHARE, make_figure, mean_figure, placement_points
from tournament.ranking.ratings import RatingIntervals
from tournament.ranking.sequential import DifferenceTest
from tournament.ranking.strengths import fit_strengths, ratings
from tournament.records.comparison import ChangeVerdict
from tournament.records.figures import Verdict

LONG_RUN = 200_000
"""Blocks that stand for endless play."""

LOPSIDED = (
    World("two far ahead, 2 of 4", 4, 2, spread=3.0),
    World("two far ahead, 3 of 6", 6, 3, spread=3.0, hand=1.0, taste=1.0),
    World("even, 2 of 8", 8, 2, spread=0.5, hand=1.0, taste=1.0),
)


def won_and_lost(tournaments: int, rng: np.random.Generator) -> str:
    """Returns how often the interval of a share of won blocks holds the truth, worked out exactly."""
    del tournaments, rng
    rows = []
    for deals in (12, 30, 60, 200):
        wins = np.arange(deals + 1)
        figures = [
            mean_figure(won / deals, squares=won / deals * (1 - won / deals) / deals, deals=deals, bounds=SHARE)
            for won in wins.tolist()
        ]
        plain = [
            make_figure(won / deals, error=math.sqrt(won / deals * (1 - won / deals) / (deals - 1)), deals=deals)
            for won in wins.tolist()
        ]
        for share in (0.002, 0.014, 0.05, 0.2, 0.5):
            weights = binom.pmf(wins, deals, share)
            reach = norm.ppf(0.975)
            middle = (wins + reach**2 / 2) / (deals + reach**2)
            half = reach * np.sqrt(wins * (deals - wins) / deals + reach**2 / 4) / (deals + reach**2)
            wilson = np.abs(middle - share) <= half
            held = ([holds(figure, share) for figure in kind] for kind in (figures, plain))
            rows.append([share, deals, *(f"{100 * float(weights @ one):.1f}" for one in (*held, wilson))])
    return tabulate(rows, headers=["true share", "deals", "held", "without the two blocks", "Wilson"])


def lopsided_ratings(tournaments: int, rng: np.random.Generator) -> str:
    """Returns how often intervals of ratings hold the truth, and how many of them have an end only on one side."""
    rows = []
    for world in LOPSIDED:
        [long_run] = world.tournaments(1, blocks=LONG_RUN, rng=rng)
        fitted = fit_strengths(long_run)
        assert fitted is not None, "with a prior there is always a fit"
        truth = ratings(fitted).values.tolist()
        for deals_each in (12, 30):
            found = np.zeros((tournaments, 3))
            for number, games in enumerate(world.tournaments(tournaments, blocks=world.blocks(deals_each), rng=rng)):
                strengths = fit_strengths(games)
                assert strengths is not None, "with a prior there is always a fit"
                intervals, plain = RatingIntervals(strengths), ratings(strengths)
                figures = [intervals.rating(name) for name in games.entrants]
                found[number] = [
                    np.mean([holds(figure, value) for figure, value in zip(figures, truth, strict=True)]),
                    np.mean([holds(plain.figure(n), v) for n, v in zip(games.entrants, truth, strict=True)]),
                    np.mean([figure.low is None or figure.high is None for figure in figures]),
                ]
            rows.append([world.name, deals_each, *with_errors(found)])
    return tabulate(rows, headers=["world", "deals each", "held", "value ± t * error", "one end only"])


def nearly_level(tournaments: int, rng: np.random.Generator) -> str:
    """Returns how often `until: sprt` is wrong where most blocks end level, the lead being exactly one of the two."""
    rows = []
    for level, high in ((0.5, 0.05), (0.9, 0.05), (0.95, 0.05), (0.98, 0.01)):
        for truth in (0.0, high):
            found, blocks = np.zeros((tournaments, 1)), 0
            won = (1.0 - level + truth) / 2.0
            for number in range(tournaments):
                test = DifferenceTest(low=0.0, high=high)
                while test.verdict is Verdict.GO_ON:
                    for drawn in rng.random(500).tolist():
                        test.add(1.0 if drawn < won else 0.0 if drawn < won + level else -1.0)
                found[number] = test.verdict is (Verdict.LOWER if truth else Verdict.HIGHER)
                blocks += test.blocks
            rows.append([f"{level:.0%}", f"0, {high:g}", truth, *with_errors(found), f"{blocks / tournaments:.0f}"])
    return tabulate(rows, headers=["level", "bounds", "lead", "wrong", "blocks"])


def another_improved(tournaments: int, rng: np.random.Generator) -> str:
    """Returns how often the points of an unchanged bot move beyond luck, and how often that is called its own doing."""
    rows = []
    for spread in (0.0, 0.5, 1.0, 2.0):
        before, after = World("before", 4, 2, hand=1.0), World("after", 4, 2, spread=spread, hand=1.0)
        found = np.zeros((tournaments, 2))
        pairs = zip(
            before.tournaments(tournaments, blocks=before.blocks(60), rng=rng),
            after.tournaments(tournaments, blocks=after.blocks(60), rng=rng),
            strict=True,
        )
        for number, (old, new) in enumerate(pairs):
            change = compare_rankings(placement_points(old), placement_points(new), changed=("bot03",))
            verdicts = [one.verdict for one in change.changes if one.same_bot]
            found[number] = [
                any(one is not ChangeVerdict.LUCK for one in verdicts),
                any(one in (ChangeVerdict.BETTER, ChangeVerdict.WORSE) for one in verdicts),
            ]
        rows.append([spread, *with_errors(found)])
    return tabulate(rows, headers=["spread of strengths after", "an unchanged bot's points moved", "called its doing"])


def picked_pairs(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the medians of how sure first against last is among equal bots, alone and among all."""
    rows = []
    for entrants in (4, 12):
        world = World(f"{entrants} equal bots", entrants, 2, hand=1.0, taste=1.0)
        alone, among_all = [], []
        for games in world.tournaments(tournaments, blocks=world.blocks(30), rng=rng):
            points = placement_points(games)
            order = [name for _, name in sorted(zip(points.values.tolist(), points.entrants, strict=True))]
            compared = compare_entrants(points, order[-1], order[0], claims=make_claims(points))
            alone.append(compared.difference.probability_better or 0.0)
            among_all.append(compared.probability_among_all or 0.0)
        reached = sum(sure >= 0.95 for sure in among_all) / tournaments
        rows.append([world.name, *(f"{100 * one:.1f}" for one in (median(alone), median(among_all), reached))])
    return tabulate(rows, headers=["field", "alone, median", "among all, median", "among all 95 or more"])


def main() -> None:
    """Runs what was asked for and prints a table each."""
    tables: dict[str, Callable[[int, np.random.Generator], str]] = {
        "won and lost": won_and_lost,
        "ratings": lopsided_ratings,
        "level": nearly_level,
        "unchanged": another_improved,
        "picked": picked_pairs,
    }
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournaments", type=int, default=1000, help="simulated tournaments a row (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(tables), action="append")
    options = parser.parse_args()
    for title in options.only or tables:
        started = time.process_time()
        table = tables[title](options.tournaments, np.random.default_rng(options.seed))
        print(f"\n{title}: per cent ({time.process_time() - started:.0f} s)\n\n{table}", flush=True)


if __name__ == "__main__":
    main()
