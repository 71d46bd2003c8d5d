"""The end of a run that plays until something is decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournament.ranking.ratio import UntilRatio
from tournament.ranking.sequential import Goal
from tournament.ranking.stopping import UntilDecided
from tournament.records.ratio import Verdict
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import Bounds, DecisionInfo, RunInfo, Until
from tournament.schedule import Block, Field


class Decider:
    """Is shown the blocks of a run in schedule order, and says when it may end."""

    def __init__(self, info: RunInfo) -> None:
        """Takes a run that has an `until`."""
        assert info.until is not None, "without `until` the budget decides"
        self._games = {group.name: group.game for group in info.groups}
        self._withdrawn: list[str] = []
        self._ratio: UntilRatio | None = None
        self._sequence: UntilDecided | None = None
        if info.until is Until.SPRT:
            first, second = self._pair = info.groups[0].entrants[:2]
            self._bounds = info.bounds or Bounds()  # runs of an earlier version have none
            self._ratio = UntilRatio(first, second, low=self._bounds.low, high=self._bounds.high)
        else:
            goal = Goal.TOP if info.until is Until.DECIDED else Goal.ALL
            focus = {field.group: field.focus for field in info.segments[0].fields}
            self._sequence = UntilDecided(info.groups, weights=info.weights, goal=goal, focus=focus)

    def begin(self, fields: Sequence[Field]) -> None:
        """Takes in that blocks in place of others begin, among those of these fields; none: nothing begins."""
        if fields and self._sequence is not None:
            self._sequence.begin({field.group: field.focus or field.entrants for field in fields})

    def pass_over(self, block: Block) -> None:
        """Takes in that a block of the schedule is not played: it is void, or an entrant was withdrawn."""
        if self._sequence is not None:
            self._sequence.pass_over(block.group, block.order)

    def withdraw(self, entrant: str) -> None:
        """Decides without an entrant from here on."""
        self._withdrawn.append(entrant)
        if self._sequence is not None:
            self._sequence.withdraw(entrant)

    def note(self, block: Block, results: Sequence[ResultLine]) -> DecisionInfo | None:
        """Returns the decision when it falls with this block, otherwise None."""
        game = self._games[block.group]
        text = self._text([GameResult.from_line(result, game=game) for result in results])
        return None if text is None else DecisionInfo(decided=True, after=block.id, text=text)

    def _text(self, games: Iterable[GameResult]) -> str | None:
        if self._ratio is not None:
            test = self._ratio.add_block(games)
            if test is None or test.verdict is Verdict.GO_ON:
                return None
            first, second = self._pair
            near, far = self._bounds.low, self._bounds.high
            if test.verdict is Verdict.HIGHER:
                near, far = far, near
            return (
                f"After {test.blocks} blocks the lead of {first} over {second} is nearer {near:g} than {far:g} "
                "points a block."
            )
        assert self._sequence is not None, "one of the two tests is there"
        decision = self._sequence.add_block(games)
        if decision is None or not decision.decided:
            return None
        what = "is first" if decision.goal is Goal.TOP else "is first, and every pair is told apart,"
        among = f" among those left ({', '.join(self._withdrawn)} withdrawn)" if self._withdrawn else ""
        return f"{decision.leader} {what}{among} at 95 % after {decision.chunks} chunks."
