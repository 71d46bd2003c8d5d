"""Entrants that are taken out of a run because their bots keep failing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tournament.records.model import FaultKind
from tournament.records.results import ResultLine
from tournament.records.run import Format, SegmentInfo, Withdrawal
from tournament.records.withdrawal_rule import AnyRule, WithdrawalRule
from tournament.schedule.model import Block


class Withdrawals:
    """Decides at the end of each block over all blocks before, in schedule order: workers do not matter.

    Nobody is withdrawn from a knockout, and its blocks do not count: it has no table to spare, and who fails in it
    is beaten, and so is out.
    """

    def __init__(self, segments: Iterable[SegmentInfo], rule: AnyRule | None = None) -> None:
        """Starts with nobody out; takes all segments of the run, and its rule. None: the default, of 0.1.0 as well."""
        self._rule = WithdrawalRule() if rule is None else rule
        self._knockouts = {segment.number for segment in segments if segment.format is Format.KNOCKOUT}
        self.made: list[Withdrawal] = []
        self._out: set[str] = set()
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self._failed_starts: Counter[str] = Counter()

    def concern(self, block: Block) -> bool:
        """Returns whether an entrant of a block is out, so that the block is not played."""
        return not self._out.isdisjoint(block.order)

    def note(self, block: str, results: Sequence[ResultLine]) -> list[Withdrawal]:
        """Counts a block and returns who is out from here on."""
        if isinstance(self._rule, str) or results[0].segment in self._knockouts:
            return []
        for result in results:
            kinds: dict[int, set[FaultKind]] = {}
            for seat, kind in result.faults:
                kinds.setdefault(seat, set()).add(kind)
            for seat, name in enumerate(result.seats):
                found = kinds.get(seat, set())
                self._games[name] += 1
                self._faulty[name] += bool(found)
                self._failed_starts[name] = self._failed_starts[name] + 1 if FaultKind.START in found else 0
        new = [
            Withdrawal(entrant=name, after=block, why=why)
            for name, why in self._reasons(dict.fromkeys(results[0].seats), self._rule)
            if name not in self._out
        ]
        self.made += new
        self._out.update(one.entrant for one in new)
        return new

    def _reasons(self, names: Iterable[str], rule: WithdrawalRule) -> Iterable[tuple[str, str]]:
        for name in names:
            faulty, games = self._faulty[name], self._games[name]
            if self._failed_starts[name] >= rule.starts:
                yield name, f"failed to start in {self._failed_starts[name]} games in a row"
            elif faulty > rule.games and faulty > rule.share * games:
                yield name, f"faults in {faulty} of {games} games"
