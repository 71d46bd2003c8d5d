"""How far the test of a run with `until: sprt` has come, from its results."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from tournament.ranking.results import results_from_lines
from tournament.ranking.sequential import BURN_IN, DifferenceState, DifferenceTest
from tournament.records.fitting import read_results
from tournament.records.ratio import RatioTest, Verdict
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import Bounds, RunInfo, Until

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
