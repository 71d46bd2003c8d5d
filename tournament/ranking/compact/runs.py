"""One run as a source of results, which are read and let go: nothing in it can be confused with another run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from tournament.errors import UsageError
from tournament.ranking.compact.collecting import CountedGames, GamesCollector
from tournament.ranking.pooling import BlockSeeds, Pool, Suites, check_known, nothing_left
from tournament.ranking.results import results_of_run
from tournament.records.codec import canonical_bytes
from tournament.records.results import GameResult, ResultLine
from tournament.records.run import RunInfo
from tournament.text import option


class RunAlone:
    """The results of a run that count, under the names they have there; they are read anew each time."""

    def __init__(
        self,
        folder: Path,
        info: RunInfo,
        suites: Suites,
        *,
        segment: int | None = None,
        name_deals: bool = False,
        lines: Iterable[ResultLine] | None = None,
    ) -> None:
        """Takes a run; `segment` and `name_deals` as in `read_sources`.

        `lines` are its results, if they were read already or are being read; they are taken the first time.
        """
        self._folder = folder
        self._info = info
        self._segment = segment
        self._name_deals = name_deals
        self._lines = lines
        # Without a suite every block has a deal of its own.
        is_seed_asked = name_deals or any(one.suite is not None for one in info.segments)
        self._seeds = BlockSeeds(info, suites) if is_seed_asked else None
        self._out: frozenset[str] = frozenset()
        self._entrants: dict[str, set[str]] = {}

    def pool(self, *, merge: Collection[str] = (), without: Collection[str] = ()) -> tuple[Pool, CountedGames]:
        """Returns what is known of the results, and those of whole blocks; raises as `pool_results` does."""
        self._out = frozenset(without)
        collector = GamesCollector(names_single_deals=self._name_deals)
        is_empty = True
        for result in self:
            collector.add(result)
            is_empty = False
        names = {name for known in self._entrants.values() for name in known}
        if self._segment is not None and not self._entrants:
            raise no_such_segment(self._folder, self._segment)
        check_known(merge, names, option("--merge"))
        check_known(without, names, option("--without"))
        if without and is_empty:
            raise nothing_left(without)
        rules = {one.name: (one.rules_version, canonical_bytes(one.options)) for one in self._info.groups}
        pool = Pool(
            results=self,
            told_apart={},
            rules={group: rules[group] for group in self._entrants},
            fingerprints=self._fingerprints(),
        )
        return pool, collector.counted()

    def __iter__(self) -> Iterator[GameResult]:
        lines, self._lines = self._lines, None
        is_of_segment = self._segment is not None
        results = results_of_run(self._folder, self._info, finals=is_of_segment, lines=lines)
        if is_of_segment:
            results = (result for result in results if result.segment == self._segment)
        return self._with_deals(self._left(results))

    def _left(self, results: Iterable[GameResult]) -> Iterator[GameResult]:
        """Yields the results without those of the entrants that are left out, and takes in who is there."""
        seen, out = self._entrants, self._out
        for result in results:
            seen.setdefault(result.group, set()).update(result.seats)
            if not out or out.isdisjoint(result.seats):
                yield result

    def _with_deals(self, results: Iterator[GameResult]) -> Iterator[GameResult]:
        """Returns the results with the names of their deals, where several blocks may be on one."""
        seeds = self._seeds
        return results if seeds is None else self._named(results, seeds)

    def _named(self, results: Iterator[GameResult], seeds: BlockSeeds) -> Iterator[GameResult]:
        for block, games in groupby(results, key=lambda result: result.block):
            seed = seeds.seed_of(block)
            if seed is None and not self._name_deals:
                yield from games
                continue
            together = list(games)
            name = min(game.digest for game in together) if seed is None else seed
            yield from (msgspec.structs.replace(game, deal=name) for game in together)

    def _fingerprints(self) -> dict[str, dict[str, frozenset[str]]]:
        games = {group.name: group.game for group in self._info.groups}
        known = {(one.name, bot.game): bot.fingerprint for one in self._info.entrants for bot in one.bots}
        return {
            group: {name: frozenset((known[name, games[group]],)) for name in sorted(names)}
            for group, names in sorted(self._entrants.items())
        }


def no_such_segment(path: Path, segment: int) -> UsageError:
    """Returns the error for a segment without a game."""
    return UsageError(f"{path} has no game of segment {segment}. Segments count from 0: the first, then each growth.")
