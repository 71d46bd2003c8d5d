"""Checks by simulation that the ranking says no more than it knows.

    python benchmarks/ranking_simulation.py --tournaments 1000

Four tables: coverage of 95 % intervals with luck shared inside a deal; false claims among equal bots; the same with
looks after every chunk (`until: decided`) or block (`until: sprt`). Errors per game and, when it is installed,
openskill stand beside. The simulated game gives a seat the sum of the bot's strength, the luck of the hand (which
rotates), how well the bot gets on with the deal (which does not) and noise; the highest sum wins.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from tabulate import tabulate

from tournament.ranking.arrays import Floats, GroupGames
from tournament.ranking.claims import claimed_pairs, make_claims
from tournament.ranking.distributions import normal_quantile
from tournament.ranking.estimates import Estimate, make_figure
from tournament.ranking.placement import placement_points
from tournament.ranking.plackett_luce import fit_strengths
from tournament.ranking.sequential import DecisionTest, Goal, Verdict, ratio_test


@dataclass(frozen=True)
class World:
    """A simulated game; `entrants` is a multiple of `players`. The last three are standard deviations."""

    name: str
    entrants: int
    players: int
    spread: float = 0.0
    hand: float = 0.0
    taste: float = 0.0
    noise: float = 1.0

    @property
    def strengths(self) -> Floats:
        """Evenly spread strengths, or all 0."""
        return np.linspace(-self.spread, self.spread, self.entrants)

    def play(self, blocks: int, rng: np.random.Generator) -> GroupGames:
        """Returns a tournament: in every stretch of entrants / players blocks each entrant sits once."""
        k = self.players
        rounds = -(-blocks // (self.entrants // k))
        order = rng.permuted(np.tile(np.arange(self.entrants), (rounds, 1)), axis=1).reshape(-1, k)[:blocks]
        luck = self.hand * rng.standard_normal((blocks, k))
        sums = np.zeros((blocks, k, k))
        seats = np.zeros((blocks, k, k), dtype=np.int64)
        taste = self.taste * rng.standard_normal((blocks, k))
        for rotation in range(k):
            seats[:, rotation] = np.roll(order, -rotation, axis=1)
            sums[:, rotation] = self.strengths[seats[:, rotation]] + luck + np.roll(taste, -rotation, axis=1)
        sums += self.noise * rng.standard_normal(sums.shape)
        scores = np.rint(sums.reshape(-1, k) * 4).astype(np.int64)
        seats = seats.reshape(-1, k)
        above = scores[:, None, :] > scores[:, :, None]
        below = scores[:, None, :] < scores[:, :, None]
        return GroupGames(
            group=self.name,
            players=k,
            entrants=tuple(f"bot{number:02}" for number in range(self.entrants)),
            deals=tuple(f"{block:06}" for block in range(blocks)),
            seats=seats,
            deal=np.repeat(np.arange(blocks), k),
            half_points=below.sum(axis=2) * 2 + (k - 1 - above.sum(axis=2) - below.sum(axis=2)),
            places=1 + above.sum(axis=2),
            scores=scores,
            forfeited=np.zeros(seats.shape, dtype=np.bool_),
        )


WORLDS = (
    World("hands, 4 of 4", 4, 4, spread=0.5, hand=1.5),
    World("hands, 4 of 8", 8, 4, spread=0.5, hand=1.5),
    World("taste, 4 of 8", 8, 4, spread=0.5, taste=1.5),
    World("both, 2 of 8", 8, 2, spread=0.5, hand=1.0, taste=1.0),
    World("both, 3 of 6", 6, 3, spread=0.5, hand=1.0, taste=1.0),
    World("both, 2 of 20", 20, 2, spread=0.5, hand=1.0, taste=1.0),
)
EQUAL = (
    World("hands, 4 of 4", 4, 4, hand=1.5),
    World("both, 4 of 8", 8, 4, hand=1.0, taste=1.0),
    World("both, 2 of 8", 8, 2, hand=1.0, taste=1.0),
    World("taste, 2 of 20", 20, 2, taste=1.5),
)


def covered(estimate: Estimate, truth: Floats, deals: Floats) -> Iterator[bool]:
    """Yields whether the interval of each entrant, then of each difference, holds the truth."""
    for number in range(len(truth)):
        error = math.sqrt(float(estimate.covariance[number, number]))
        half_width = make_figure(0.0, error=error, deals=int(deals[number])).half_width or 0.0
        yield abs(float(estimate.values[number] - truth[number])) <= half_width
    for first, second in combinations(range(len(truth)), 2):
        error = float(estimate.difference_errors[first, second])
        half_width = make_figure(0.0, error=error, deals=int(min(deals[first], deals[second]))).half_width or 0.0
        gap = float(estimate.values[first] - estimate.values[second] - truth[first] + truth[second])
        yield abs(gap) <= half_width


def coverage(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of coverage: clustered and per game, of points, differences and ratings."""
    rows = []
    for world in WORLDS:
        long_run = world.play(200_000, rng)
        truth = placement_points(long_run).values
        fitted = fit_strengths(long_run)
        for deals_each in (10, 30, 200):
            blocks = deals_each * world.entrants // world.players
            hits: dict[str, list[bool]] = {"points": [], "difference": [], "points/game": [], "difference/game": []}
            rated: list[bool] = []
            for _ in range(max(tournaments // 4, 1)):
                games = world.play(blocks, rng)
                points = placement_points(games)
                for label, estimate in (("", points), ("/game", placement_points(games.games_apart()))):
                    inside = list(covered(estimate, truth, estimate.met))
                    hits[f"points{label}"] += inside[: world.entrants]
                    hits[f"difference{label}"] += inside[world.entrants :]
                strengths = fit_strengths(games)
                if strengths is not None and fitted is not None:
                    inside = list(covered(strengths.estimate, fitted.estimate.values, points.met))
                    rated += inside[world.entrants :]
            shares = [np.mean(values) for values in (*hits.values(), rated)]
            rows.append([world.name, deals_each, *(f"{100 * share:.1f}" for share in shares)])
    headers = ["world", "deals each", "points", "difference", "points/game", "difference/game", "rating difference"]
    return tabulate(rows, headers=headers)


def false_claims(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of tournaments of equal bots with at least one claim."""
    rows = []
    for world in EQUAL:
        for deals_each in (20, 100, 200, 400):
            blocks = deals_each * world.entrants // world.players
            claimed = unadjusted = per_game = 0
            method = ""
            for _ in range(tournaments):
                games = world.play(blocks, rng)
                points = placement_points(games)
                claims = make_claims(points)
                if claims is not None:
                    method = str(claims.method)
                    claimed += bool(claims.pairs)
                    apart = placement_points(games.games_apart())
                    per_game += bool(claimed_pairs(apart.values, apart.covariance, critical=claims.critical).any())
                unadjusted += bool(claimed_pairs(points.values, points.covariance, critical=1.96).any())
            counts = (claimed, per_game, unadjusted)
            rows.append([world.name, deals_each, method, *(f"{100 * count / tournaments:.1f}" for count in counts)])
    return tabulate(
        rows, headers=["world", "deals each", "method", "claimed", "with errors per game", "unadjusted pairs"]
    )


def openskill_claims(tournaments: int, rng: np.random.Generator) -> str:
    """Returns how often openskill tells equal bots apart by its own sigma, at 95 % for all pairs by Bonferroni."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return "openskill is not installed: pip install openskill"
    model = PlackettLuce()
    rows = []
    for world in EQUAL[:3]:
        found = 0
        started = time.perf_counter()
        blocks = 100
        for _ in range(tournaments):
            games = world.play(blocks, rng)
            bots = [model.rating() for _ in games.entrants]
            for seats, places in zip(games.seats.tolist(), games.places.tolist(), strict=True):
                rated = model.rate([[bots[bot]] for bot in seats], ranks=places)
                for bot, [rating] in zip(seats, rated, strict=True):
                    bots[bot] = rating
            pairs = world.entrants * (world.entrants - 1) / 2
            critical = normal_quantile(1.0 - 0.025 / pairs)
            found += any(
                abs(one.mu - other.mu) > critical * math.hypot(one.sigma, other.sigma)
                for one, other in combinations(bots, 2)
            )
        pace = tournaments * blocks * world.players / (time.perf_counter() - started)
        rows.append([world.name, blocks, f"{100 * found / tournaments:.1f}", f"{pace:,.0f}"])
    return tabulate(rows, headers=["world", "deals", "claimed by openskill", "games a second"])


def chunk_points(world: World, chunks: int, rng: np.random.Generator) -> Floats:
    """Returns the mean points of each entrant in each chunk."""
    blocks = chunks * world.entrants // world.players
    games = world.play(blocks, rng)
    halves = games.sums(games.half_points).reshape(chunks, -1, world.entrants).sum(axis=1)
    return halves / (2 * (world.players - 1) * world.players)


def until_decided(tournaments: int, chunks: int, rng: np.random.Generator) -> str:
    """Returns the table of tournaments of equal bots in which some look separated a pair, or named a winner."""
    rows = []
    for world in (World("both, 2 of 2", 2, 2, hand=1.0, taste=1.0), *EQUAL[:3]):
        pairs = world.entrants * (world.entrants - 1) // 2
        apart = topped = peeked = 0
        for _ in range(tournaments):
            points = chunk_points(world, chunks, rng)
            every, top = (
                DecisionTest(range_names(world), goal=Goal.ALL),
                DecisionTest(range_names(world), goal=Goal.TOP),
            )
            any_pair = any_top = False
            for chunk in points.tolist():
                every.add(chunk)
                top.add(chunk)
                any_pair = any_pair or len(every.decision().open_pairs) < pairs
                any_top = any_top or top.decision().decided
            apart += any_pair
            topped += any_top
            peeked += peeking_claims(points)
        rates = [f"{100 * count / tournaments:.1f}" for count in (apart, topped, peeked)]
        rows.append([world.name, chunks, *rates])
    return tabulate(rows, headers=["world", "looks", "any pair", "a winner", "peeking at ordinary intervals"])


def range_names(world: World) -> list[str]:
    """Returns names for the entrants."""
    return [f"bot{number:02}" for number in range(world.entrants)]


def peeking_claims(points: Floats) -> bool:
    """Returns whether some look after the burn-in finds some pair outside an ordinary 95 % interval."""
    counts = np.arange(1, len(points) + 1)[:, None]
    for first, second in combinations(range(points.shape[1]), 2):
        gaps = (points[:, first] - points[:, second])[:, None]
        means = np.cumsum(gaps, axis=0) / counts
        variances = np.maximum(np.cumsum(gaps**2, axis=0) / counts - means**2, 1e-12)
        if (np.abs(means[20:]) > 1.96 * np.sqrt(variances[20:] / counts[20:])).any():
            return True
    return False


def until_sprt(tournaments: int, rng: np.random.Generator) -> str:
    """Returns the table of wrong verdicts of the likelihood ratio test when the truth is d0 or d1."""
    rows = []
    for name, hand, taste in (("hands", 1.5, 0.0), ("taste", 0.0, 1.5)):
        world = World(name, 2, 2, hand=hand, taste=taste)
        for high in (0.05, 0.2):
            for truth in (0.0, high):
                wrong = blocks = undecided = 0
                for _ in range(tournaments):
                    points = chunk_points(world, 6000 if high < 0.1 else 1000, rng)
                    test = ratio_test((points[:, 0] - points[:, 1] + truth).tolist(), low=0.0, high=high)
                    wrong += test.verdict is (Verdict.LOWER if truth else Verdict.HIGHER)
                    undecided += test.verdict is Verdict.GO_ON
                    blocks += test.blocks
                rates = (100 * wrong / tournaments, 100 * undecided / tournaments, blocks / tournaments)
                rows.append([name, high, truth, *(f"{rate:.1f}" for rate in rates)])
    return tabulate(rows, headers=["world", "d1", "truth", "wrong %", "undecided %", "mean blocks"])


def main() -> None:
    """Runs what was asked for and prints a table each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournaments", type=int, default=1000, help="simulated tournaments a row (default 1000)")
    parser.add_argument("--chunks", type=int, default=500, help="looks of one `until: decided` (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["coverage", "claims", "openskill", "decided", "sprt"], action="append")
    options = parser.parse_args()
    tables = {
        "coverage": lambda rng: coverage(options.tournaments, rng),
        "claims": lambda rng: false_claims(options.tournaments, rng),
        "openskill": lambda rng: openskill_claims(max(options.tournaments // 20, 1), rng),
        "decided": lambda rng: until_decided(options.tournaments, options.chunks, rng),
        "sprt": lambda rng: until_sprt(options.tournaments, rng),
    }
    for title in options.only or tables:
        started = time.perf_counter()
        table = tables[title](np.random.default_rng(options.seed))
        print(f"\n{title}: % of {options.tournaments} tournaments ({time.perf_counter() - started:.0f} s)\n\n{table}")


if __name__ == "__main__":
    main()
