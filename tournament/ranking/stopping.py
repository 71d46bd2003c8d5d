"""Whether a run that plays until something is decided may stop, asked after every block in schedule order.

A chunk is the shortest stretch of the schedule in which all entrants sit equally often. Where it ends depends on the
schedule alone and never on a result, so that a stop there is fair. Blocks that are not played (void, or with an
entrant that was withdrawn) count for that like all others; a chunk in which somebody who is still in had no game
goes on to the end of the next. The state is a pure function of the blocks, so that a resumed run goes on exactly.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from tournament.errors import UsageError
from tournament.ranking.sequential import DecisionTest, Goal, RatioFollower, SequenceState
from tournament.records.figures import Verdict
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import DecisionInfo, Field, GroupInfo, RunInfo, Until
from tournament.schedule.formats import Block


class ChunkCollector:
    """Makes chunks of blocks: mean points a chunk, over several groups the weighted sum of one chunk of each."""

    def __init__(
        self, entrants: Mapping[str, Iterable[str]], *, ranked: Sequence[str], weights: Mapping[str, float]
    ) -> None:
        """Takes the entrants and the weight of each group, and the entrants whose points are asked for.

        The `entrants` of a group are those that have to sit equally often in a chunk; others may sit there, too. The
        `ranked` play every group.
        """
        self._ranked = tuple(ranked)
        self._weights = {group: weights[group] for group in sorted(entrants)}
        self._stretches = {group: _Stretch(names) for group, names in entrants.items()}
        self._waiting: dict[str, deque[dict[str, float]]] = {group: deque() for group in entrants}

    def add_block(self, block: Iterable[GameResult]) -> list[float] | None:
        """Returns the mean points of the ranked entrants when this whole block completes a chunk; else None."""
        games = list(block)
        if not games:
            return None
        group = games[0].group
        self._stretches[group].add(games)
        return self._seat(group, games[0].seats)

    def pass_over(self, group: str, entrants: Iterable[str]) -> list[float] | None:
        """Returns the same for a block of the schedule that is not played."""
        return self._seat(group, entrants)

    def begin(self, entrants: Mapping[str, Iterable[str]]) -> None:
        """Begins a schedule among other entrants, by group; a chunk that was not complete is dropped."""
        self._stretches |= {group: _Stretch(names) for group, names in entrants.items()}

    def withdraw(self, entrant: str) -> None:
        """Leaves an entrant out of the chunks that are not complete yet."""
        self._ranked = tuple(name for name in self._ranked if name != entrant)

    def _seat(self, group: str, entrants: Iterable[str]) -> list[float] | None:
        stretch = self._stretches[group]
        stretch.sat.update(entrants)
        if not stretch.is_even() or not all(stretch.games[name] for name in self._ranked):
            return None
        self._waiting[group].append(stretch.means(self._ranked))
        self._stretches[group] = _Stretch(stretch.entrants)
        if not all(self._waiting.values()):
            return None
        parts = [(weight, self._waiting[name].popleft()) for name, weight in self._weights.items()]
        return [sum(weight * part[name] for weight, part in parts) for name in self._ranked]


class _Stretch:
    """The blocks of a group since its last chunk."""

    def __init__(self, entrants: Iterable[str]) -> None:
        self.entrants = tuple(entrants)
        self.sat: Counter[str] = Counter()
        """How often by the schedule."""

        self.games: Counter[str] = Counter()
        self._halves: Counter[str] = Counter()
        self._others = 1

    def add(self, games: Iterable[GameResult]) -> None:
        for game in games:
            self.games.update(game.seats)
            self._halves.update(dict(zip(game.seats, game.half_points, strict=True)))
            self._others = game.players - 1

    def is_even(self) -> bool:
        return len({self.sat[name] for name in self.entrants}) == 1

    def means(self, names: Iterable[str]) -> dict[str, float]:
        return {name: float(Fraction(self._halves[name], 2 * self._others * self.games[name])) for name in names}


class UntilDecided:
    """`until: decided`: a confidence sequence over the points of the championship, or of the only group.

    It compares the entrants that met the same opponents: all of a round robin, the focus bots of a gauntlet.
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

        Raises `UsageError` without two entrants to decide about that play every group.
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
        """Returns how things stand when a chunk is complete, by this whole block or by blocks passed over before it.

        Otherwise it returns None, and also when fewer than two entrants are left: then play on.
        """
        self._add(self._chunks.add_block(block))
        if not self._to_look_at or len(self._left) < 2:
            return None
        self._to_look_at = False
        return self._test.decision()

    def pass_over(self, group: str, entrants: Iterable[str]) -> None:
        """Counts a block of the schedule that is not played; a chunk it completes is looked at with the next block.

        Where several blocks are played at once, nobody knows before that it is not played.
        """
        self._add(self._chunks.pass_over(group, entrants))

    def begin(self, entrants: Mapping[str, Iterable[str]]) -> None:
        """Begins blocks among other entrants, by group: they replace blocks with an entrant that was withdrawn."""
        self._chunks.begin(entrants)

    def withdraw(self, entrant: str) -> None:
        """Decides among the other entrants from here on."""
        if entrant in self._left:
            self._left.remove(entrant)
            self._chunks.withdraw(entrant)
            self._test.withdraw(entrant)

    def _add(self, chunk: Sequence[float] | None) -> None:
        if chunk is not None:
            self._test.add(chunk)
            self._to_look_at = True


class Decider:
    """Says when a run with `until` may end; it is told of the blocks of the run in schedule order."""

    def __init__(self, info: RunInfo) -> None:
        """Takes a run that has an `until`."""
        assert info.until is not None, "without `until` the budget decides"
        self._games = {group.name: group.game for group in info.groups}
        self._withdrawn: list[str] = []
        self._ratio: RatioFollower | None = None
        self._sequence: UntilDecided | None = None
        if info.until is Until.SPRT:
            self._ratio = RatioFollower(info)
        else:
            goal = Goal.TOP if info.until is Until.DECIDED else Goal.ALL
            focus = {field.group: field.focus for field in info.segments[0].fields}
            self._sequence = UntilDecided(info.groups, weights=info.weights, goal=goal, focus=focus)

    def begin(self, fields: Sequence[Field]) -> None:
        """Begins blocks that replace others, among the entrants of these fields; without fields nothing begins."""
        if fields and self._sequence is not None:
            self._sequence.begin({field.group: field.focus or field.entrants for field in fields})

    def pass_over(self, block: Block) -> None:
        """Counts a block of the schedule that is not played: it is void, or an entrant was withdrawn."""
        if self._sequence is not None:
            self._sequence.pass_over(block.group, block.order)

    def withdraw(self, entrant: str) -> None:
        """Decides without an entrant from here on."""
        self._withdrawn.append(entrant)
        if self._sequence is not None:
            self._sequence.withdraw(entrant)

    def note(self, block: Block, results: Sequence[ResultLine]) -> DecisionInfo | None:
        """Returns the decision when it falls with this whole block, otherwise None."""
        text = self._ratio_text(results) if self._ratio is not None else self._sequence_text(block, results)
        return None if text is None else DecisionInfo(decided=True, after=block.id, text=text)

    def _ratio_text(self, results: Iterable[ResultLine]) -> str | None:
        assert self._ratio is not None, "asked only of a run with `until: sprt`"
        self._ratio.add(results)
        test = self._ratio.state()
        if test.verdict is Verdict.GO_ON:
            return None
        near, far = (test.high, test.low) if test.verdict is Verdict.HIGHER else (test.low, test.high)
        return (
            f"After {test.blocks} blocks the lead of {test.entrant} over {test.opponent} is nearer {near:g} than "
            f"{far:g} points a block."
        )

    def _sequence_text(self, block: Block, results: Iterable[ResultLine]) -> str | None:
        assert self._sequence is not None, "one of the two tests is there"
        game = self._games[block.group]
        decision = self._sequence.add_block(GameResult.from_line(result, game=game) for result in results)
        if decision is None or not decision.decided:
            return None
        what = "is first" if decision.goal is Goal.TOP else "is first, and every pair is told apart,"
        among = f" among those left ({', '.join(self._withdrawn)} withdrawn)" if self._withdrawn else ""
        return f"{decision.leader} {what}{among} at 95 % after {decision.chunks} chunks."
