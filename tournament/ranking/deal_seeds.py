"""The deals of a run's blocks: known by their seed, and where a suite is not at hand by the digest of the suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from tournament.deals import Suite, deal_seed, load_suite
from tournament.errors import TournamentError
from tournament.ids import parse_block_id
from tournament.records.configuration_text import read_configuration_file
from tournament.records.folder import read_run
from tournament.records.paths import data_folder
from tournament.records.run import GroupInfo, RunInfo, SegmentInfo
from tournament.records.yaml_text import YamlError

CONFIGURATION_FILE = "tournament.yaml"


class Suites:
    """The deal suites that can be looked into: those that come along, and those that runs name and that are there."""

    def __init__(self, runs: Iterable[Path] = ()) -> None:
        """Takes folders of runs. Runs that are compared share one such object, and so find the same suites."""
        self._runs = tuple(runs)

    def find(self, segment: SegmentInfo) -> Suite | None:
        """Returns the suite of a segment, told by its digest; None when it is not at hand.

        A segment of a run that tells no digest has the suite that comes along under its name.
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
        named = read_configuration_file(folder / CONFIGURATION_FILE)[0].deals_from
    except (TournamentError, YamlError):
        return
    if named is not None and base is not None:
        yield folder / base / named


class BlockSeeds:
    """The deal seed of each block of a run, as far as it is published."""

    def __init__(self, info: RunInfo, suites: Suites) -> None:
        self._groups = {group.name: group for group in info.groups}
        self._segments = info.segments
        self._suites = [suites.find(segment) if segment.suite is not None else None for segment in info.segments]
        self._last: tuple[str, str | None] = ("", None)

    def seed_of(self, block: str) -> str | None:
        """Returns the seed of a block's deal; None while its master is secret.

        Of a suite that is not at hand, the place of the deal in it: the same in all runs on that suite. None, too,
        when neither the suite nor its digest is known.
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
