"""Several runs as one set of results: games told apart by digest, bots by name and fingerprint, deals by seed.

A block is what has one tournament, one deal and one id, from whichever sources its games come: a run in two files is
one run, and a run given twice is there once. Two runs that played the same blocks differently (the same seed with
other bots) stay two runs.

The deal of a block is known by its seed, and where its suite is not at hand by the digest of the suite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from tournament.configuration.file import read_configuration
from tournament.deals import Suite, deal_seed, load_suite
from tournament.errors import BotError, TournamentError, UsageError, did_you_mean
from tournament.ids import parse_block_id, segment_of
from tournament.paths import data_folder
from tournament.ranking.compact.packing import PackedResults, SourcedResult
from tournament.ranking.compact.pooled import PooledResults
from tournament.ranking.compact.shares import ShareCollector
from tournament.records.results import GameResult
from tournament.records.run import GroupInfo, RunInfo, SegmentInfo
from tournament.store.folder import read_run
from tournament.text import option

SEPARATOR = "@"
_SHORTEST = 6  # digits of a fingerprint in a name


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Results that can be ranked together, and how names were changed for that."""

    results: Iterable[GameResult]
    told_apart: dict[str, tuple[str, ...]]
    """By name that several bots of one game have: what these bots are called here."""

    rules: dict[str, tuple[int, bytes]]
    """By group: the version of the rules, and the options as canonical bytes."""

    fingerprints: dict[str, dict[str, frozenset[str]]]
    """By group and entrant, as it is called here; several where bots were merged."""


def pool_results(
    sources: Iterable[Iterable[SourcedResult]],
    *,
    merge: Collection[str] = (),
    without: Collection[str] = (),
    name_deals: bool = False,
) -> Pool:
    """Returns the results of all sources under names that are each one bot; the order of sources does not matter.

    `merge` are names whose bots count as one. The tables of entrants in `without` are left out; they go by their name
    in the runs or by that in the pool. `name_deals` names every deal, so that two pools can be compared deal by deal.
    Raises `BotError` for a name that nobody has, `UsageError` for a group that was played by different rules, and when
    nothing is left. Memory: about a hundred bytes a game; the results are made anew each time one goes through them.
    """
    bots = _BotsSeen()
    games = ShareCollector()
    packed = [
        PackedResults(games.followed(bots.followed(source), source=number)) for number, source in enumerate(sources)
    ]
    rules = bots.check_rules()
    names = bots.names(merge=merge)
    results = PooledResults(packed, names=names, shares=games.shares(), names_every_deal=name_deals)
    told_apart = _told_apart(names)
    if without:
        known = {names.get((name, game, fingerprint), name) for _, game, name, fingerprint in bots.seen}
        check_known(without, known | set(told_apart), option("--without"))
        results.leave_out({bot for name in without for bot in (name, *told_apart.get(name, ()))})
        if next(iter(results), None) is None:
            raise nothing_left(without)
    return Pool(results=results, told_apart=told_apart, rules=rules, fingerprints=bots.fingerprints(names))


class _BotsSeen:
    """Takes results as they are read: who played, in which groups and by which rules."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str, str, str]] = set()
        """Group, game, name and fingerprint."""

        self._rules: defaultdict[str, dict[tuple[str, int, tuple[int, bytes]], None]] = defaultdict(dict)

    def followed(self, results: Iterable[SourcedResult]) -> Iterator[SourcedResult]:
        """Yields results, and takes them."""
        for played in results:
            result = played.result
            self._rules[result.group][result.game, result.players, played.rules] = None
            for name, fingerprint in zip(result.seats, played.fingerprints, strict=True):
                self.seen.add((result.group, result.game, name, fingerprint))
            yield played

    def check_rules(self) -> dict[str, tuple[int, bytes]]:
        """Returns the rules of each group. Raises `UsageError` for a group that was played by different ones."""
        for group, kinds in sorted(self._rules.items()):
            if len(kinds) > 1:
                found = "; ".join(
                    f"{game}, {players} players, rules {version}, options {options.decode()}"
                    for game, players, (version, options) in sorted(kinds)
                )
                raise UsageError(
                    f"The group {group} was played by different rules in these runs: {found}. Rank them one by one."
                )
        return {group: rules for group, kinds in self._rules.items() for _, _, rules in kinds}

    def names(self, *, merge: Collection[str]) -> dict[tuple[str, str, str], str]:
        """Returns by name, game and fingerprint what the bots are called that share their name with another bot."""
        found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for _, game, name, fingerprint in self.seen:
            found[name, game].add(fingerprint)
        check_known(merge, {name for name, _ in found}, option("--merge"))
        names = {}
        for (name, game), fingerprints in found.items():
            if len(fingerprints) > 1 and name not in merge:
                digits = _SHORTEST
                while len({fingerprint[:digits] for fingerprint in fingerprints}) < len(fingerprints):
                    digits += 1
                for fingerprint in fingerprints:
                    names[name, game, fingerprint] = f"{name}{SEPARATOR}{fingerprint[:digits]}"
        return names

    def fingerprints(self, names: Mapping[tuple[str, str, str], str]) -> dict[str, dict[str, frozenset[str]]]:
        """Returns those of each entrant by group and the name that it has in the pool."""
        found: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for group, game, name, fingerprint in self.seen:
            found[group][names.get((name, game, fingerprint), name)].add(fingerprint)
        return {
            group: {name: frozenset(known) for name, known in sorted(of_group.items())}
            for group, of_group in sorted(found.items())
        }


def same_bots(fingerprints: Mapping[str, Mapping[str, frozenset[str]]]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Returns entrants that are one bot, by code and parameters, with the groups in which they are.

    `fingerprints` are those of a pool. Entrants that were merged from several bots are left out.
    """
    found: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for group, of_group in fingerprints.items():
        entrants: defaultdict[frozenset[str], list[str]] = defaultdict(list)
        for name, known in of_group.items():
            if len(known) == 1:
                entrants[known].append(name)
        for names in entrants.values():
            if len(names) > 1:
                found[tuple(sorted(names))].append(group)
    return {names: tuple(groups) for names, groups in sorted(found.items())}


def _told_apart(names: Mapping[tuple[str, str, str], str]) -> dict[str, tuple[str, ...]]:
    told: defaultdict[str, set[str]] = defaultdict(set)
    for (name, _, _), given in names.items():
        told[name].add(given)
    return {name: tuple(sorted(given)) for name, given in sorted(told.items())}


def nothing_left(names: Iterable[str]) -> UsageError:
    """Returns the error for entrants without whom there is no game."""
    return UsageError(
        f"Without {', '.join(sorted(names))} nothing is left: they sat at every table. Leave out fewer, "
        "or play a tournament among the others."
    )


def check_known(names: Iterable[str], known: Collection[str], option: str) -> None:
    """Raises `BotError` for a name that an option gives and nobody has."""
    for name in names:
        if name not in known:
            raise BotError(
                f'There is no entrant "{name}" for {option}.{did_you_mean(name, known)} '
                f"There are: {', '.join(sorted(known))}."
            )


NOBODY: Mapping[str, tuple[str, ...]] = {}


def withdrawn_entrants(
    infos: Iterable[RunInfo], *, told_apart: Mapping[str, tuple[str, ...]] = NOBODY, segment: int | None = None
) -> frozenset[str]:
    """Returns the entrants that were withdrawn from every run they take part in, by their names in the pool.

    Withdrawals in a final count only when that `segment` is asked for: the entrant has played all that came before.
    """
    is_out: defaultdict[str, list[bool]] = defaultdict(list)
    for info in infos:
        ranked = {one.number for one in info.segments if (not one.final if segment is None else one.number == segment)}
        out = {one.entrant for one in info.withdrawn if segment_of(one.after) in ranked}
        for entrant in info.entrants:
            fingerprints = tuple(bot.fingerprint for bot in entrant.bots)
            for name in (entrant.name, *told_apart.get(entrant.name, ())):
                digits = max(0, len(name) - len(entrant.name) - len(SEPARATOR))
                told_apart_names = {f"{entrant.name}{SEPARATOR}{one[:digits]}" for one in fingerprints}
                if fingerprints and name in (entrant.name, *told_apart_names):
                    is_out[name].append(entrant.name in out)
    return frozenset(name for name, runs in is_out.items() if all(runs))


CONFIGURATION_FILE = "tournament.yaml"


class Suites:
    """The deal suites at hand: those that come along, and those that runs name and that still exist."""

    def __init__(self, runs: Iterable[Path] = ()) -> None:
        """Takes folders of runs. Runs that are compared share one such object, and so find the same suites."""
        self._runs = tuple(runs)

    def find(self, segment: SegmentInfo) -> Suite | None:
        """Returns the suite of a segment, found by its digest; None when it is not at hand.

        A segment without a digest has the suite that comes along under its name.
        """
        if segment.suite_digest is None:
            return self._shipped.get(segment.suite or "")
        return self._by_digest.get(segment.suite_digest)

    @cached_property
    def _shipped(self) -> dict[str, Suite]:
        suites = (_suite_in(path) for path in sorted(data_folder("seeds").glob("*.yaml")))
        return {suite.name: suite for suite in suites if suite is not None}

    @cached_property
    def _by_digest(self) -> dict[str, Suite]:
        own = (_suite_in(path) for run in self._runs for path in _named_by(run))
        return {suite.digest: suite for suite in (*self._shipped.values(), *own) if suite is not None}


def _suite_in(path: Path) -> Suite | None:
    try:
        return load_suite(path)
    except TournamentError:
        return None


def _named_by(folder: Path) -> Iterator[Path]:
    """Yields the file of the suite that a run's configuration names."""
    try:
        base = read_run(folder).base
        named = read_configuration(folder / CONFIGURATION_FILE).file.deals_from
    except TournamentError:
        return
    if named is not None and base is not None:
        yield folder / base / named


class BlockSeeds:
    """The deal seed of each block of a run, where it is published."""

    def __init__(self, info: RunInfo, suites: Suites) -> None:
        self._groups = {group.name: group for group in info.groups}
        self._segments = info.segments
        self._suites = [suites.find(segment) if segment.suite is not None else None for segment in info.segments]
        self._last: tuple[str, str | None] = ("", None)

    def seed_of(self, block: str) -> str | None:
        """Returns the seed of a block's deal; None while its master is secret.

        For a suite that is not at hand it returns the place of the deal in the suite, which is the same in all runs on
        it, or None when not even the digest of the suite is known.
        """
        if block != self._last[0]:  # the rotations of a block come one after the other
            self._last = block, self._worked_out(block)
        return self._last[1]

    def _worked_out(self, block: str) -> str | None:
        name, segment_number, number = parse_block_id(block)
        group, segment = self._groups[name], self._segments[segment_number]
        if segment.suite is not None:
            return _seed_in_suite(self._suites[segment_number], segment, group, number)
        if segment.master is None:
            return None
        return deal_seed(segment.master, game=group.game, players=group.players, segment=segment.number, block=number)


def _seed_in_suite(suite: Suite | None, segment: SegmentInfo, group: GroupInfo, block: int) -> str | None:
    if suite is not None:
        try:
            return suite.deal_seed(game=group.game, players=group.players, block=block)
        except IndexError:  # the results of a run that was tampered with
            return None
    if segment.suite_digest is None:
        return None
    return f"{segment.suite_digest}|{group.game}|{group.players}|{block}"
