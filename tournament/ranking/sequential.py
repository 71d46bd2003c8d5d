"""Stopping early without fooling oneself: a confidence sequence for many entrants, a likelihood ratio for two.

Both may be looked at after every chunk or block. Both take their numbers in the order of the schedule and are pure
functions of them: a resumed run gives the same numbers again and goes on exactly.
Sources: `docs/statistics.md`; Waudby-Smith et al., "Time-uniform central limit theory" (2021); the generalized
sequential probability ratio test (GSPRT) that chess engines are tested with.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby
from pathlib import Path

import msgspec
import numpy as np

from tournament.ranking.group_games import Booleans, Floats
from tournament.ranking.points import difference_errors, normal_quantile, student_quantile
from tournament.ranking.results import results_from_lines
from tournament.records.figures import RatioTest, Verdict
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import Bounds, RunInfo, Until
from tournament.store.results import read_results

BURN_IN = 20
"""Chunks, or blocks for two entrants, before a decision may fall."""

TUNED_FOR = 300
"""The number of chunks at which the confidence sequence is tightest."""


class Goal(StrEnum):
    """What has to be decided."""

    TOP = "top"
    """Who is first."""

    ALL = "all pairs"
    """The order of every pair."""


class SequenceState(msgspec.Struct, frozen=True, kw_only=True):
    """How far a tournament that runs until decided has come."""

    decided: bool
    goal: Goal
    chunks: int
    leader: str | None
    """The entrant with the most points, the first by name among equals; None before the first chunk."""

    open_pairs: tuple[tuple[str, str], ...]
    """Pairs the goal asks about that are not separated yet; every one of them before the burn-in is over."""


class DifferenceState(msgspec.Struct, frozen=True, kw_only=True):
    """How far a likelihood ratio test has come after some blocks."""

    blocks: int
    won: int
    level: int
    lost: int
    mean: float | None
    log_ratio: float | None
    """None before the first block."""

    lower_bound: float
    upper_bound: float
    verdict: Verdict


def _radius(*, chunks: int, alpha: float) -> float:
    """Returns the half-width around a mean of chunks that holds at all looks together, in standard deviations."""
    rate = (-2.0 * math.log(alpha) + math.log(1.0 - 2.0 * math.log(alpha))) / TUNED_FOR
    grown = chunks * rate + 1.0
    boundary = math.sqrt(2.0 * grown / (chunks**2 * rate) * math.log(math.sqrt(grown) / alpha))
    inflation = student_quantile(1.0 - alpha / 2.0, chunks - 1) / normal_quantile(1.0 - alpha / 2.0)
    return boundary * inflation


class DecisionTest:
    """A tournament's claim to be decided, fed chunk by chunk: constant cost a look, however long the run."""

    def __init__(self, entrants: Sequence[str], *, goal: Goal, alpha: float = 0.05) -> None:
        self._entrants = tuple(entrants)
        self._goal = goal
        self._alpha = alpha / max(len(self._entrants) * (len(self._entrants) - 1) // 2, 1)
        self._chunks = 0
        self._means: Floats = np.zeros(len(self._entrants))
        self._products: Floats = np.zeros((len(self._entrants), len(self._entrants)))

    def add(self, chunk: Sequence[float]) -> None:
        """Adds the mean points of each entrant in the next chunk, in the order of the entrants."""
        points = np.asarray(chunk, dtype=np.float64)
        self._chunks += 1
        before = points - self._means
        self._means = self._means + before / self._chunks
        self._products += np.outer(before, points - self._means)

    def withdraw(self, entrant: str) -> None:
        """Goes on without an entrant: later chunks do not have it. What every pair is asked for stays as it was."""
        kept = [number for number, name in enumerate(self._entrants) if name != entrant]
        self._entrants = tuple(self._entrants[number] for number in kept)
        self._means = self._means[kept]
        self._products = self._products[np.ix_(kept, kept)]

    def decision(self) -> SequenceState:
        """Returns what the chunks so far decide."""
        size = len(self._entrants)
        order = sorted(range(size), key=lambda entrant: (-float(self._means[entrant]), self._entrants[entrant]))
        apart = self._separated()
        ranks = range(min(size, 1)) if self._goal is Goal.TOP else range(size)
        asked = [(order[rank], other) for rank in ranks for other in order[rank + 1 :]]
        still_open = tuple(
            (self._entrants[first], self._entrants[second]) for first, second in asked if not apart[first, second]
        )
        return SequenceState(
            decided=not still_open,
            goal=self._goal,
            chunks=self._chunks,
            leader=self._entrants[order[0]] if order and self._chunks else None,
            open_pairs=still_open,
        )

    def _separated(self) -> Booleans:
        covariance = self._products / max(self._chunks - 1, 1)
        return separated(self._means, covariance, chunks=self._chunks, alpha=self._alpha)


def separated(means: Floats, covariance: Floats, *, chunks: int, alpha: float) -> Booleans:
    """Returns which pairs a confidence sequence has told apart after so many chunks, shape (entrants, entrants).

    `means` and `covariance` are those of the chunks; stacks of them, of many tournaments, give a stack. `alpha` is
    the error allowed for each pair.
    """
    if chunks < BURN_IN:
        return np.zeros(covariance.shape, dtype=np.bool_)
    radius = _radius(chunks=chunks, alpha=alpha)
    gaps = np.abs(means[..., :, None] - means[..., None, :])
    apart: Booleans = gaps > np.maximum(radius * difference_errors(covariance), 1e-9)
    return apart


class DifferenceTest:
    """A GSPRT of two entrants, fed block by block: whether their mean difference a block is `low` (d0) or `high` (d1).

    The verdict falls once, with the first block after the burn-in at which a bound was reached; later ones are not
    read. Constant cost a look, however long the run. One block at +1 and one at -1 are added before the spread is
    measured, never to the mean: bots whose blocks nearly all end level are not decided on by the first that does not.
    """

    def __init__(self, *, low: float, high: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        """Takes the two differences, low < high.

        `alpha`: the chance of saying higher when it is low; `beta`: the other way round.
        """
        self._low, self._high = low, high
        self._lower_bound, self._upper_bound = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
        self._won = self._level = self._lost = 0
        self._mean = self._squares = 0.0
        self._ratio: float | None = None
        self.verdict = Verdict.GO_ON
        """What the blocks so far say."""

    @property
    def _blocks(self) -> int:
        return self._won + self._level + self._lost

    def add(self, difference: float) -> None:
        """Adds the points of one minus those of the other in the next block."""
        if self.verdict is not Verdict.GO_ON:
            return
        self._won += difference > 0.0
        self._level += difference == 0.0
        self._lost += difference < 0.0
        before = difference - self._mean
        self._mean += before / self._blocks
        self._squares += before * (difference - self._mean)
        self._ratio = log_likelihood_ratio(
            blocks=self._blocks, mean=self._mean, variance=self._variance(), low=self._low, high=self._high
        )
        if self._blocks < BURN_IN or self._lower_bound < self._ratio < self._upper_bound:
            return
        self.verdict = Verdict.HIGHER if self._ratio > 0.0 else Verdict.LOWER

    def _variance(self) -> float:
        """Returns the variance of a block, from the blocks so far, one at +1 and one at -1."""
        added = 2.0 + 2.0 * self._mean**2 * self._blocks / (self._blocks + 2)
        return (self._squares + added) / (self._blocks + 1)

    def state(self) -> DifferenceState:
        """Returns how far the test has come."""
        return DifferenceState(
            blocks=self._blocks,
            won=self._won,
            level=self._level,
            lost=self._lost,
            mean=self._mean if self._blocks else None,
            log_ratio=self._ratio,
            lower_bound=self._lower_bound,
            upper_bound=self._upper_bound,
            verdict=self.verdict,
        )


def log_likelihood_ratio(*, blocks: int, mean: float, variance: float, low: float, high: float) -> float:
    """Returns t (d1 - d0) (2 m - d0 - d1) / (2 s^2) for t blocks; the variance must be above 0."""
    return blocks * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)


_ELO_PER_DECADE = 400.0


class RatioFollower:
    """The test of a run, shown its results as they come; half a block waits for its other half."""

    def __init__(self, info: RunInfo) -> None:
        """Takes a run with `until: sprt`."""
        self._pair = info.groups[0].entrants[:2]
        self._bounds = info.bounds or Bounds()  # runs of an earlier version have none
        self._info = info
        self._test = UntilRatio(*self._pair, low=self._bounds.low, high=self._bounds.high)
        self._waiting: list[GameResult] = []

    def add(self, results: Iterable[ResultLine]) -> None:
        """Takes in the next results, in the order of the run."""
        self.add_results(results_from_lines(results, self._info))

    def add_results(self, results: Iterable[GameResult]) -> None:
        """Takes in the next results as the ranking has them. Those of later segments are none of the test's."""
        first_segment = (result for result in results if result.segment == 0)
        for block, games in groupby(first_segment, key=lambda result: result.block):
            if self._waiting and self._waiting[0].block != block:
                self._waiting = []  # a half block, whose other half never came
            self._waiting += games
            if len(self._waiting) == self._waiting[0].players:
                self._test.add_block(self._waiting)
                self._waiting = []

    def state(self) -> RatioTest:
        """Returns how far the test has come."""
        state = self._test.state()
        return RatioTest(
            entrant=self._pair[0],
            opponent=self._pair[1],
            low=self._bounds.low,
            high=self._bounds.high,
            blocks=state.blocks,
            won=state.won,
            level=state.level,
            lost=state.lost,
            lead=state.mean,
            elo=None if state.mean is None else elo_of_lead(state.mean),
            log_ratio=state.log_ratio,
            lower_bound=state.lower_bound,
            upper_bound=state.upper_bound,
            verdict=state.verdict,
        )


def ratio_test(info: RunInfo, results: Iterable[GameResult]) -> RatioTest | None:
    """Returns how far the test of a run has come, from its results in the order of the run; None without a test."""
    if info.until is not Until.SPRT or len(info.groups[0].entrants) < 2:
        return None
    follower = RatioFollower(info)
    follower.add_results(results)
    return follower.state()


def ratio_test_of_run(folder: Path, info: RunInfo) -> RatioTest | None:
    """Returns the same for the results in a run's folder, those of disqualified entrants too.

    Raises `RecordError` when they cannot be read.
    """
    if info.until is not Until.SPRT:
        return None
    return ratio_test(info, results_from_lines(read_results(folder), info))


def elo_of_lead(lead: float) -> float | None:
    """Returns a lead in placement points, from -1 to 1, in rating points; None at both ends, where it is endless."""
    score = (1.0 + lead) / 2.0
    return _ELO_PER_DECADE * math.log10(score / (1.0 - score)) if 0.0 < score < 1.0 else None


def format_ratio_test(test: RatioTest) -> str:
    """Returns the state of a test as a sentence."""
    question = f"Test of {test.entrant} over {test.opponent}, a lead of {test.low:g} or of {test.high:g} points a block"
    if test.log_ratio is None or test.lead is None:
        return f"{question}: no block yet."
    elo = "no end in Elo" if test.elo is None else f"{_signed(test.elo, 0)} Elo"
    looks = "" if test.blocks >= BURN_IN else f", and a bound counts from block {BURN_IN} on"
    ends = {
        Verdict.GO_ON: f"it goes on{looks}",
        Verdict.HIGHER: f"it says {test.high:g}",
        Verdict.LOWER: f"it says {test.low:g}",
    }[test.verdict]
    return (
        f"{question}: log-likelihood ratio {_signed(test.log_ratio, 2)} between {_signed(test.lower_bound, 2)} and "
        f"{_signed(test.upper_bound, 2)}, {ends}. Lead {_signed(test.lead, 3)} points a block ({elo}); of "
        f"{test.blocks} blocks {test.won} won, {test.level} level, {test.lost} lost."
    )


def _signed(value: float, digits: int) -> str:
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "−")


class UntilRatio:
    """`until: sprt`: whether one entrant is ahead of another by `low` or by `high` points a block."""

    def __init__(self, entrant: str, opponent: str, *, low: float, high: float) -> None:
        self._pair = (entrant, opponent)
        self._test = DifferenceTest(low=low, high=high)

    def add_block(self, block: Iterable[GameResult]) -> DifferenceState | None:
        """Returns the test after this whole block; None when not both sat in it."""
        halves: Counter[str] = Counter()
        games = players = 0
        for result in block:
            games, players = games + 1, result.players
            halves.update(dict(zip(result.seats, result.half_points, strict=True)))
        if not all(name in halves for name in self._pair):
            return None
        ahead = halves[self._pair[0]] - halves[self._pair[1]]
        self._test.add(ahead / (2 * (players - 1) * games))
        return self._test.state()

    def state(self) -> DifferenceState:
        """Returns how far the test has come."""
        return self._test.state()
