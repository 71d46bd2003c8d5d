"""Several runs as one set of results: games told apart by digest, bots by name and fingerprint, deals by seed.

A block is what has one tournament, one deal and one id, from whichever sources its games come: a run in two files is
one run, and a run given twice is there once. Two runs that played the same blocks differently (the same seed with
other bots) stay two runs.

The deal of a block is known by its seed, and where its suite is not at hand by the digest of the suite.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from tournament.configuration.file import YamlError, read_configuration
from tournament.deals import Suite, deal_seed, load_suite
from tournament.errors import BotError, TournamentError, UsageError, did_you_mean
from tournament.ids import format_pooled_id, parse_block_id, segment_of
from tournament.paths import data_folder
from tournament.ranking.results import without_entrants
from tournament.records.results import GameResult
from tournament.records.run import GroupInfo, RunInfo, SegmentInfo
from tournament.store.folder import read_run
from tournament.text import option

SEPARATOR = "@"
_SHORTEST = 6  # digits of a fingerprint in a name
_Block = tuple[str, str | None, str]


class SourcedResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A result, and what tells it apart from results of other runs."""

    result: GameResult
    """With the names that its block and its entrants have in its run."""

    tournament: str
    seed: str | None
    """The seed of its deal; None for a deal that was made by hand, or is not known yet."""

    fingerprints: tuple[str, ...]
    """By seat."""

    rules: tuple[int, bytes]
    """The version of the rules, and the options as canonical bytes."""


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
    nothing is left.
    """
    given = [list(source) for source in sources]
    games = [played for source in given for played in source]
    _check_rules(games)
    names = _names(games, merge=merge)
    shares = _shares(given)
    named = []
    seeds: dict[str, str] = {}
    for number, source in enumerate(given):
        for played in source:
            result = _named(played, names)
            block = shares.get((_key(played), number), result.block)
            if block != result.block:
                result = msgspec.structs.replace(result, block=block)
            if played.seed is not None:
                seeds[block] = played.seed
            named.append(result)
    results = _with_deals(named, seeds, every=name_deals)
    told_apart = _told_apart(names)
    if without:
        results = _without(results, told_apart, without)
    return Pool(
        results=tuple(results),
        told_apart=told_apart,
        rules={played.result.group: played.rules for played in games},
        fingerprints=_fingerprints(games, names),
    )


def _fingerprints(
    games: Iterable[SourcedResult], names: Mapping[tuple[str, str, str], str]
) -> dict[str, dict[str, frozenset[str]]]:
    tables = {(played.result.group, played.result.game, played.result.seats, played.fingerprints) for played in games}
    found: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for group, game, entrants, fingerprints in tables:
        for name, fingerprint in zip(entrants, fingerprints, strict=True):
            found[group][names.get((name, game, fingerprint), name)].add(fingerprint)
    return {
        group: {name: frozenset(known) for name, known in sorted(of_group.items())}
        for group, of_group in sorted(found.items())
    }


def _check_rules(games: Iterable[SourcedResult]) -> None:
    rules: defaultdict[str, set[tuple[str, int, tuple[int, bytes]]]] = defaultdict(set)
    for played in games:
        rules[played.result.group].add((played.result.game, played.result.players, played.rules))
    for group, kinds in sorted(rules.items()):
        if len(kinds) > 1:
            found = "; ".join(
                f"{game}, {players} players, rules {version}, options {options.decode()}"
                for game, players, (version, options) in sorted(kinds)
            )
            raise UsageError(
                f"The group {group} was played by different rules in these runs: {found}. Rank them one by one."
            )


def _names(games: Iterable[SourcedResult], *, merge: Collection[str]) -> dict[tuple[str, str, str], str]:
    """Returns by name, game and fingerprint what the bots are called that share their name with another bot."""
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for played in games:
        for name, fingerprint in zip(played.result.seats, played.fingerprints, strict=True):
            found[name, played.result.game].add(fingerprint)
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


def _named(played: SourcedResult, names: Mapping[tuple[str, str, str], str]) -> GameResult:
    result = played.result
    if not names:
        return result
    seats = tuple(
        names.get((name, result.game, fingerprint), name)
        for name, fingerprint in zip(result.seats, played.fingerprints, strict=True)
    )
    return result if seats == result.seats else msgspec.structs.replace(result, seats=seats)


def _told_apart(names: Mapping[tuple[str, str, str], str]) -> dict[str, tuple[str, ...]]:
    told: defaultdict[str, set[str]] = defaultdict(set)
    for (name, _, _), given in names.items():
        told[name].add(given)
    return {name: tuple(sorted(given)) for name, given in sorted(told.items())}


def _key(played: SourcedResult) -> _Block:
    return played.tournament, played.seed, played.result.block


def _shares(sources: Sequence[Sequence[SourcedResult]]) -> dict[tuple[_Block, int], str]:
    """Returns by block and source what the block is called, where its id alone would mix up different games."""
    digests: defaultdict[_Block, defaultdict[int, set[tuple[int, str]]]] = defaultdict(lambda: defaultdict(set))
    keys_of_id: defaultdict[str, set[_Block]] = defaultdict(set)
    for number, source in enumerate(sources):
        for played in source:
            key = _key(played)
            digests[key][number].add((played.result.rotation, played.result.digest))
            keys_of_id[played.result.block].add(key)
    names = {}
    for block, keys in keys_of_id.items():
        for key in keys:
            by_source = digests[key]
            together = set().union(*by_source.values())
            clash = len({rotation for rotation, _ in together}) < len(together)
            if len(keys) == 1 and (not clash or len(by_source) == 1):
                continue
            for number, own in by_source.items():
                tag = min(digest for _, digest in (own if clash else together))
                names[key, number] = format_pooled_id(block, tag[:12])
    return names


def _with_deals(results: list[GameResult], seeds: Mapping[str, str], *, every: bool) -> list[GameResult]:
    """Returns the results with the names of their deals.

    A deal of a single block needs no name: the block stands for it, in this ranking and in that of its run alone.
    """
    counts = Counter(seeds.values())
    named = {block: seed for block, seed in seeds.items() if every or counts[seed] > 1}
    if every:
        for result in sorted(results, key=lambda result: result.digest):
            named.setdefault(result.block, result.digest)  # of a deal whose seed is not known: no other has this name
    if not named:
        return results
    return [
        msgspec.structs.replace(result, deal=named[result.block]) if result.block in named else result
        for result in results
    ]


def _without(
    results: Iterable[GameResult], told_apart: Mapping[str, tuple[str, ...]], names: Collection[str]
) -> list[GameResult]:
    results = list(results)
    known = {entrant for result in results for entrant in result.seats}
    check_known(names, known | set(told_apart), option("--without"))
    left = without_entrants(results, {bot for name in names for bot in (name, *told_apart.get(name, ()))})
    if not left:
        raise nothing_left(names)
    return left


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
    except (TournamentError, YamlError):
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
