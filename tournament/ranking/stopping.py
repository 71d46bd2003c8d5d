"""Whether a tournament that runs until something is decided may stop, asked after every block in schedule order.

Where a chunk ends depends on the schedule alone, so that a stop there is fair; the state is a pure function of the
blocks, so that a resumed run that is shown them again goes on exactly.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tournament.errors import UsageError
from tournament.ranking.chunks import ChunkCollector
from tournament.ranking.sequential import DecisionTest, Goal, SequenceState
from tournament.records.results import GameResult
from tournament.records.run import GroupInfo


class UntilDecided:
    """`until: decided`: a confidence sequence over the points of the championship, or of the only group.

    Points compare who met the same opponents: all entrants of a round robin, the focus bots of a gauntlet.
    """

    def __init__(
        self,
        groups: Sequence[GroupInfo],
        *,
        weights: Mapping[str, float],
        goal: Goal,
        focus: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Takes the groups, the weights of their games, and by group the focus bots of a gauntlet.

        Raises `UsageError` without two entrants to decide about in every group.
        """
        compared = {group.name: tuple((focus or {}).get(group.name) or group.entrants) for group in groups}
        everywhere = set.intersection(*map(set, compared.values())) if groups else set()
        ranked = tuple(sorted(everywhere))
        if len(ranked) < 2:
            raise UsageError(
                "until: decided needs two entrants that play every group; "
                f"found {', '.join(ranked) or 'none'}. Let more bots play all games, or leave `until` out."
            )
        of_game = Counter(group.game for group in groups)
        total = sum(weights[game] for game in of_game)
        self._left = list(ranked)
        self._to_look_at = False
        self._test = DecisionTest(ranked, goal=goal)
        self._chunks = ChunkCollector(
            compared,
            ranked=ranked,
            weights={group.name: weights[group.game] / total / of_game[group.game] for group in groups},
        )

    def add_block(self, block: Iterable[GameResult]) -> SequenceState | None:
        """Returns how things stand when a chunk was completed, by this whole block or by others that were passed over.

        Otherwise, and when fewer than two entrants are left, None: then go on.
        """
        self._add(self._chunks.add_block(block))
        if not self._to_look_at or len(self._left) < 2:
            return None
        self._to_look_at = False
        return self._test.decision()

    def pass_over(self, group: str, entrants: Iterable[str]) -> None:
        """Takes in a block of the schedule that is not played; a chunk it completes is looked at with the next block.

        Until then nobody knows that it is not played, where several blocks are played at once.
        """
        self._add(self._chunks.pass_over(group, entrants))

    def begin(self, entrants: Mapping[str, Iterable[str]]) -> None:
        """Takes in that from here on others play, by group: in place of blocks with somebody who was withdrawn."""
        self._chunks.begin(entrants)

    def withdraw(self, entrant: str) -> None:
        """Decides among the others from here on."""
        if entrant in self._left:
            self._left.remove(entrant)
            self._chunks.withdraw(entrant)
            self._test.withdraw(entrant)

    def _add(self, chunk: Sequence[float] | None) -> None:
        if chunk is not None:
            self._test.add(chunk)
            self._to_look_at = True
