"""What planning needs of each complete round, in a line: who played how many deals, in what time, who was withdrawn.

The lines stand in `outcomes/tallies.jsonl`. They follow from the run folders alone, and are made anew where they are
missing.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tournament.arena.files import ROUND_FILE, Moment, RoundFile, RoundKind, parse_moment, read_json, unwritten
from tournament.arena.folder import CompetitionFolder
from tournament.arena.scheduling.days import Day
from tournament.errors import RunError, TournamentError
from tournament.ids import group_of
from tournament.records.record import Count, Positive
from tournament.records.results import CLOCKS_FILE, GameClock
from tournament.records.run import RunInfo, RunState
from tournament.store.files import append_to_regular, bounded_lines, open_regular
from tournament.store.folder import read_run
from tournament.store.layout import RUN_FILE
from tournament.store.results import read_results

TALLIES_FILE: Final = "tallies.jsonl"

COUNTING: Final = (RoundKind.PLACEMENT, RoundKind.LADDER, RoundKind.FINAL)
"""The kinds of rounds in which a withdrawal counts against a version."""


class OwnTime(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How long the moves of an entrant took."""

    ms: float
    games: Count


class RoundTally(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What planning needs of a complete round."""

    number: Positive
    season: Positive
    kind: RoundKind
    planned: Moment
    games: Count
    deals: Mapping[str, Mapping[str, Count]]
    """By group and entrant."""

    times: Mapping[str, Mapping[str, OwnTime]]
    """By group and entrant."""

    placed: tuple[str, ...] = ()
    """For whom a placement was played."""

    withdrawn: tuple[str, ...] = ()


def run_in(place: Path) -> RunInfo | None:
    """Returns what `run.json` says in the folder of a round; None before its first game. Raises `RunError`."""
    return read_run(place) if (place / RUN_FILE).exists() else None


def games_of(info: RunInfo) -> int:
    """Returns how many games were played in the run of a complete round."""
    return sum(segment.extent.played for segment in info.segments if segment.extent is not None)


def tally_of(folder: CompetitionFolder, number: int) -> RoundTally | None:
    """Returns what planning needs of a round, from its folder; None for one that is not complete. Raises `RunError`."""
    place = folder.round(number)
    info = run_in(place)
    if info is None or info.state is not RunState.COMPLETE:
        return None
    round_file = read_json(place / ROUND_FILE, RoundFile)
    return RoundTally(
        number=number,
        season=round_file.season,
        kind=round_file.kind,
        planned=round_file.planned,
        games=games_of(info),
        deals={balance.group: balance.appearances for balance in info.balance},
        times=_times(place),
        placed=round_file.focus if round_file.kind is RoundKind.PLACEMENT else (),
        withdrawn=tuple(one.entrant for one in info.withdrawn),
    )


def _times(place: Path) -> dict[str, dict[str, OwnTime]]:
    """Returns how long moves took, by group and entrant."""
    times: dict[str, dict[str, OwnTime]] = {}
    for result, clock in zip(read_results(place), _clocks(place), strict=False):
        of_group = times.setdefault(group_of(result.block), {})
        for name, seat in zip(result.seats, clock.seats, strict=True):
            before = of_group.get(name, OwnTime(0.0, 0))
            of_group[name] = OwnTime(before.ms + seat.total_ms, before.games + 1)
    return {
        group: {name: OwnTime(round(time.ms, 1), time.games) for name, time in of_group.items()}
        for group, of_group in times.items()
    }


def _clocks(place: Path) -> Iterator[GameClock]:
    decoder = msgspec.json.Decoder(GameClock)
    path = place / CLOCKS_FILE
    if not path.exists():
        return
    with open_regular(path) as file:
        yield from map(decoder.decode, bounded_lines(file, path))


_DECODER: Final = msgspec.json.Decoder(RoundTally)

Deals = dict[str, dict[str, int]]
"""By entrant and group."""


class SeasonSums:
    """Sums over the rounds of a season, which grow with each round: planning asks for them at every look."""

    def __init__(self) -> None:
        """Starts without a round."""
        self.deals: Deals = {}
        """In all rounds that count."""

        self.placed: set[str] = set()
        """Whose placement is complete."""

        self._times: dict[str, dict[str, OwnTime]] = {}

    def add(self, tally: RoundTally) -> None:
        """Takes in a round that is not in it yet."""
        for group, times in tally.times.items():
            for name, time in times.items():
                own = self._times.setdefault(name, {})
                before = own.get(group, OwnTime(0.0, 0))
                own[group] = OwnTime(before.ms + time.ms, before.games + time.games)
        if tally.kind in COUNTING:
            _add_deals(self.deals, tally)
            self.placed.update(tally.placed)

    def game_ms(self, name: str) -> dict[str, float]:
        """Returns how long the moves of an entrant take in a game, by group."""
        return {group: time.ms / max(1, time.games) for group, time in self._times.get(name, {}).items()}


def _add_deals(sums: Deals, tally: RoundTally) -> None:
    for group, deals in tally.deals.items():
        for name, count in deals.items():
            own = sums.setdefault(name, {})
            own[group] = own.get(group, 0) + count


class _Line(NamedTuple):
    """Where the tally of a round stands in the file, and what is asked of rounds again and again."""

    begin: int
    size: int
    season: int
    kind: RoundKind
    planned: datetime
    withdrawn: tuple[str, ...]


class _DaySums(NamedTuple):
    """The deals of one day."""

    season: int
    day: Day
    deals: Deals


class Tallies:
    """The tallies of a competition: those that are written, and those of complete rounds that were missing.

    They stay on the disk, as those of a long season would need hundreds of megabytes; a line of the index is kept for
    each. Only a referee, or what makes all of it anew, writes there.
    """

    def __init__(self, folder: CompetitionFolder) -> None:
        """Reads what is written. What is torn or damaged counts as missing, and is written anew by `add`."""
        self._folder = folder
        self._path = folder.outcomes / TALLIES_FILE
        self._lines: dict[int, _Line] = {}
        self._sums: dict[int, SeasonSums] = {}
        self._day: _DaySums | None = None
        self._find_lines()

    def _find_lines(self) -> None:
        end = 0
        try:
            with open_regular(self._path) as file:
                for line in bounded_lines(file, self._path):
                    if line[-1:] != b"\n":
                        raise msgspec.DecodeError("The last line is torn.")
                    end += self._note(_DECODER.decode(line), begin=end, size=len(line))
        except FileNotFoundError:
            pass
        except OSError:  # no file that could be appended to
            self._lines.clear()
            self._path.unlink(missing_ok=True)
        except (TournamentError, msgspec.DecodeError):  # what stands before is whole, and all else is worked out again
            os.truncate(self._path, end)

    def _note(self, tally: RoundTally, *, begin: int, size: int) -> int:
        """Notes where a tally stands, and returns its size."""
        planned = parse_moment(tally.planned)
        self._lines[tally.number] = _Line(begin, size, tally.season, tally.kind, planned, tally.withdrawn)
        return size

    def __contains__(self, number: int) -> bool:
        return number in self._lines

    def of_season(self, season: int) -> list[RoundTally]:
        """Returns the tallies of the rounds of a season, by number. Raises `RunError`."""
        return list(self._read(number for number, line in self._lines.items() if line.season == season))

    def sums(self, season: int) -> SeasonSums:
        """Returns the sums over the rounds of a season. Cost: of all its rounds at the first call, then nothing.

        Raises `RunError`.
        """
        if season not in self._sums:
            sums = SeasonSums()
            for tally in self._read(number for number, line in self._lines.items() if line.season == season):
                sums.add(tally)
            self._sums = {season: sums}  # planning asks for the present season only
        return self._sums[season]

    def ladder_deals_on(self, season: int, day: Day) -> Deals:
        """Returns the deals in rounds of the ladder that were planned on a day. Cost: of its rounds for a new day.

        Raises `RunError`.
        """
        if self._day is None or (self._day.season, self._day.day) != (season, day):
            deals: Deals = {}
            for tally in self._read(number for number, line in self._lines.items() if _is_of(line, season, day)):
                _add_deals(deals, tally)
            self._day = _DaySums(season, day, deals)
        return self._day.deals

    def withdrawals(self, name: str, *, season: int, since: datetime) -> int:
        """Returns in how many rounds of a season that count, planned since a time, an entrant was withdrawn."""
        return sum(
            line.kind in COUNTING and line.season == season and name in line.withdrawn and line.planned >= since
            for line in self._lines.values()
        )

    def add(self, number: int) -> RoundTally | None:
        """Returns the tally of a round, which is written if it is new; None for one that is not complete.

        Raises `RunError`.
        """
        if number in self._lines:
            return next(self._read([number]))
        tally = tally_of(self._folder, number)
        if tally is None:
            return None
        self._write(tally)
        if tally.season in self._sums:
            self._sums[tally.season].add(tally)
        if self._day is not None and _is_of(self._lines[number], self._day.season, self._day.day):
            _add_deals(self._day.deals, tally)
        return tally

    def _read(self, numbers: Iterable[int]) -> Iterator[RoundTally]:
        """Yields the tallies of some rounds, by number."""
        wanted = sorted(numbers)
        if not wanted:
            return
        try:
            with open_regular(self._path) as file:
                for line in map(self._lines.__getitem__, wanted):
                    file.seek(line.begin)
                    yield _DECODER.decode(file.read(line.size))
        except (OSError, msgspec.DecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise RunError(
                f"{self._path} cannot be used: {reason}. Start the referee again: it is made anew."
            ) from None

    def _write(self, tally: RoundTally) -> None:
        data = msgspec.json.encode(tally) + b"\n"
        try:
            self._folder.outcomes.mkdir(exist_ok=True)
            with append_to_regular(self._path) as file:
                end = file.seek(0, os.SEEK_END)
                if file.write(data) != len(data):
                    os.ftruncate(file.fileno(), end)
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise unwritten(self._path, error) from None
        self._note(tally, begin=end, size=len(data))


def _is_of(line: _Line, season: int, day: Day) -> bool:
    """Returns whether a round of the ladder was planned on a day of a season."""
    return line.kind is RoundKind.LADDER and line.season == season and day.begins <= line.planned < day.ends
