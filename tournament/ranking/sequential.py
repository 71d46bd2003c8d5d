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

from tournament.languages import format_decimal, gettext
from tournament.ranking.compact.by_deal import Floats
from tournament.ranking.group_games import Booleans
from tournament.ranking.points import difference_errors, normal_quantile, student_quantile
from tournament.ranking.results import results_from_lines
from tournament.records.figures import RatioTest, Verdict, format_short
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import Bounds, RunInfo, Until
from tournament.store.results import read_results

BURN_IN = 20
"""How many chunks, or blocks of two entrants, come before a decision may fall."""

TUNED_FOR = 300
"""The number of chunks at which the confidence sequence is tightest."""


class Goal(StrEnum):
    """What has to be decided."""

    TOP = "top"
    """Who is first."""

    ALL = "all pairs"
    """The order of every pair."""


class SequenceState(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run that plays until it is decided has come."""

    decided: bool
    goal: Goal
    chunks: int
    leader: str | None
    """The entrant with the most points, among equals the first by name; None before the first chunk."""

    open_pairs: tuple[tuple[str, str], ...]
    """Pairs that the goal asks about and that are not told apart yet; all of them during the burn-in."""


def sequence_radius(*, chunks: int, alpha: float) -> float:
    """Returns the half-width around a mean of chunks that holds at all looks together, in standard deviations."""
    rate = (-2.0 * math.log(alpha) + math.log(1.0 - 2.0 * math.log(alpha))) / TUNED_FOR
    grown = chunks * rate + 1.0
    boundary = math.sqrt(2.0 * grown / (chunks**2 * rate) * math.log(math.sqrt(grown) / alpha))
    inflation = student_quantile(1.0 - alpha / 2.0, chunks - 1) / normal_quantile(1.0 - alpha / 2.0)
    return boundary * inflation


class DecisionTest:
    """Whether a run is decided, told chunk by chunk. The cost of a look is constant, however long the run."""

    def __init__(self, entrants: Sequence[str], *, goal: Goal, alpha: float = 0.05) -> None:
        self._entrants = tuple(entrants)
        self._goal = goal
        self._alpha = alpha / max(math.comb(len(self._entrants), 2), 1)
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
        """Goes on without an entrant, which later chunks do not have. Other pairs need no less than before."""
        kept = [number for number, name in enumerate(self._entrants) if name != entrant]
        self._entrants = tuple(self._entrants[number] for number in kept)
        self._means = self._means[kept]
        self._products = self._products[np.ix_(kept, kept)]

    def decision(self) -> SequenceState:
        """Returns what the chunks so far decide."""
        size = len(self._entrants)
        order = sorted(range(size), key=lambda entrant: (-float(self._means[entrant]), self._entrants[entrant]))
        covariance = self._products / max(self._chunks - 1, 1)
        apart = separated(self._means, covariance, chunks=self._chunks, alpha=self._alpha)
        ranks = range(min(size, 1)) if self._goal is Goal.TOP else range(size)
        asked = [(order[rank], other) for rank in ranks for other in order[rank + 1 :]]
        still_open = tuple(
            (self._entrants[one], self._entrants[other]) for one, other in asked if not apart[one, other]
        )
        return SequenceState(
            decided=not still_open,
            goal=self._goal,
            chunks=self._chunks,
            leader=self._entrants[order[0]] if order and self._chunks else None,
            open_pairs=still_open,
        )


def separated(means: Floats, covariance: Floats, *, chunks: int, alpha: float) -> Booleans:
    """Returns which pairs a confidence sequence has told apart after so many chunks, shape (entrants, entrants).

    `means` and `covariance` are those of the chunks; stacks of them, of many runs, give a stack. `alpha` is the error
    allowed for each pair.
    """
    if chunks < BURN_IN:
        return np.zeros(covariance.shape, dtype=np.bool_)
    radius = sequence_radius(chunks=chunks, alpha=alpha)
    gaps = np.abs(means[..., :, None] - means[..., None, :])
    apart: Booleans = gaps > np.maximum(radius * difference_errors(covariance), 1e-9)
    return apart


class DifferenceTest:
    """A GSPRT of two entrants, fed block by block: whether their mean difference a block is `low` (d0) or `high` (d1).

    The verdict falls once, with the first block after the burn-in at which a bound was reached; later blocks are not
    read. The cost of a look is constant, however long the run. One block at +1 and one at -1 are added before the
    spread is measured, but never to the mean: so the first block that does not end level decides nothing between bots
    whose blocks nearly all do.
    """

    def __init__(self, *, low: float, high: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        """Takes the two differences, low < high.

        `alpha` is the chance of saying higher when the difference is low, `beta` that of saying lower when it is high.
        """
        self.low, self.high = low, high
        self.lower_bound, self.upper_bound = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
        self.won = self.level = self.lost = 0
        self._mean = self._squares = 0.0
        self.log_ratio: float | None = None
        """None before the first block."""

        self.verdict = Verdict.GO_ON
        """What the blocks so far say."""

    @property
    def blocks(self) -> int:
        """How many blocks have been read."""
        return self.won + self.level + self.lost

    @property
    def mean(self) -> float | None:
        """The mean difference a block; None before the first."""
        return self._mean if self.blocks else None

    def add(self, difference: float) -> None:
        """Adds the points of one minus those of the other in the next block."""
        if self.verdict is not Verdict.GO_ON:
            return
        self.won += difference > 0.0
        self.level += difference == 0.0
        self.lost += difference < 0.0
        before = difference - self._mean
        self._mean += before / self.blocks
        self._squares += before * (difference - self._mean)
        self.log_ratio = log_likelihood_ratio(
            blocks=self.blocks, mean=self._mean, variance=self._variance(), low=self.low, high=self.high
        )
        if self.blocks >= BURN_IN and not self.lower_bound < self.log_ratio < self.upper_bound:
            self.verdict = Verdict.HIGHER if self.log_ratio > 0.0 else Verdict.LOWER

    def _variance(self) -> float:
        """Returns the variance of a block, from the blocks so far, one at +1 and one at -1."""
        added = 2.0 + 2.0 * self._mean**2 * self.blocks / (self.blocks + 2)
        return (self._squares + added) / (self.blocks + 1)


def log_likelihood_ratio(*, blocks: int, mean: float, variance: float, low: float, high: float) -> float:
    """Returns t (d1 - d0) (2 m - d0 - d1) / (2 s^2) for t blocks; the variance must be above 0."""
    return blocks * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)


_ELO_PER_DECADE = 400.0


class RatioFollower:
    """The test of a run with `until: sprt`, given its results as they come.

    It asks whether one entrant is ahead of another by `low` or by `high` points a block. A half block waits for its
    other half.
    """

    def __init__(self, info: RunInfo) -> None:
        """Takes a run with `until: sprt`."""
        bounds = info.bounds or Bounds()  # runs of an earlier version have none
        self._info = info
        self._pair = info.groups[0].entrants[:2]
        self._test = DifferenceTest(low=bounds.low, high=bounds.high)
        self._waiting: list[GameResult] = []

    def add(self, results: Iterable[ResultLine]) -> None:
        """Adds the next results, in the order of the run."""
        self.add_results(results_from_lines(results, self._info))

    def add_results(self, results: Iterable[GameResult]) -> None:
        """Adds the next results with their games. Those of later segments are no part of the test."""
        first_segment = (result for result in results if result.segment == 0)
        for block, games in groupby(first_segment, key=lambda result: result.block):
            if self._waiting and self._waiting[0].block != block:
                self._waiting = []  # a half block, whose other half never came
            self._waiting += games
            if len(self._waiting) == self._waiting[0].players:
                self._add_block(self._waiting)
                self._waiting = []

    def _add_block(self, block: Sequence[GameResult]) -> None:
        """Adds a whole block in which both sat."""
        halves: Counter[str] = Counter()
        for result in block:
            halves.update(dict(zip(result.seats, result.half_points, strict=True)))
        first, second = self._pair
        if first in halves and second in halves:
            self._test.add((halves[first] - halves[second]) / (2 * (block[0].players - 1) * len(block)))

    def state(self) -> RatioTest:
        """Returns how far the test has come."""
        test = self._test
        return RatioTest(
            entrant=self._pair[0],
            opponent=self._pair[1],
            low=test.low,
            high=test.high,
            blocks=test.blocks,
            won=test.won,
            level=test.level,
            lost=test.lost,
            lead=test.mean,
            elo=None if test.mean is None else elo_of_lead(test.mean),
            log_ratio=test.log_ratio,
            lower_bound=test.lower_bound,
            upper_bound=test.upper_bound,
            verdict=test.verdict,
        )


def ratio_follower(info: RunInfo) -> RatioFollower | None:
    """Returns the test of a run, which has read nothing yet; None without one."""
    return RatioFollower(info) if info.until is Until.SPRT and len(info.groups[0].entrants) >= 2 else None


def ratio_test_of_run(folder: Path, info: RunInfo) -> RatioTest | None:
    """Returns how far the test of a run has come, from the results in its folder; None without a test.

    Results of disqualified entrants count too. Raises `RecordError` when the results cannot be read.
    """
    follower = ratio_follower(info)
    if follower is None:
        return None
    follower.add(read_results(folder))
    return follower.state()


def elo_of_lead(lead: float) -> float | None:
    """Returns a lead in placement points, from -1 to 1, in rating points; None at both ends, where it has no end."""
    score = (1.0 + lead) / 2.0
    return _ELO_PER_DECADE * math.log10(score / (1.0 - score)) if 0.0 < score < 1.0 else None


def format_ratio_test(test: RatioTest) -> str:
    """Returns the state of a test as a sentence."""
    low, high = (format_short(lead, most_digits=6) for lead in (test.low, test.high))
    question = gettext(
        "Test of {entrant} over {opponent}, a lead of {low} or of {high} points a block",
        entrant=test.entrant,
        opponent=test.opponent,
        low=low,
        high=high,
    )
    if test.log_ratio is None or test.lead is None:
        return gettext("{question}: no block yet.", question=question)
    elo = gettext("no end in Elo") if test.elo is None else gettext("{number} Elo", number=_signed(test.elo, 0))
    if test.verdict is not Verdict.GO_ON:
        ends = gettext("it says {lead}", lead=high if test.verdict is Verdict.HIGHER else low)
    elif test.blocks >= BURN_IN:
        ends = gettext("it goes on")
    else:
        ends = gettext("it goes on, and a bound counts from block {block} on", block=BURN_IN)
    # Translators: {question} is: Test of A over B, a lead of 0 or of 0.1 points a block; {ends} is: it goes on
    return gettext(
        "{question}: log-likelihood ratio {ratio} between {lower} and {upper}, {ends}. Lead {lead} points a block "
        "({elo}); of {blocks} blocks {won} won, {level} level, {lost} lost.",
        question=question,
        ratio=_signed(test.log_ratio, 2),
        lower=_signed(test.lower_bound, 2),
        upper=_signed(test.upper_bound, 2),
        ends=ends,
        lead=_signed(test.lead, 3),
        elo=elo,
        blocks=test.blocks,
        won=test.won,
        level=test.level,
        lost=test.lost,
    )


def _signed(value: float, digits: int) -> str:
    rounded = round(value, digits) + 0.0
    return f"{'−' if rounded < 0 else '+'}{format_decimal(abs(rounded), digits, grouped=False)}"
