"""How a run goes: for people as lines, for programs as JSON Lines, for others by its files alone."""

from __future__ import annotations

import os
import select
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import msgspec

from tournament.errors import RecordError, UsageError
from tournament.languages import format_decimal, format_number, gettext, ngettext, spoken
from tournament.ranking.sequential import RatioFollower, format_ratio_test
from tournament.ranking.told.reasons import reason_withdrawn
from tournament.records.results import (
    EVENT_FORMAT,
    EVENT_VERSION,
    RESULTS_FILE,
    AnyEvent,
    BlockPlayed,
    FaultSeen,
    Noted,
    ResultLine,
    RunFinished,
    RunStarted,
    format_event,
)
from tournament.records.run import Format, RunInfo, RunState, SegmentInfo, Until
from tournament.run.describing import now
from tournament.schedule.extents import format_extent, total_extent
from tournament.schedule.formats import Block
from tournament.schedule.knockout import brackets_of_run, format_bracket
from tournament.store.files import bounded_lines, is_locked, open_regular
from tournament.store.folder import read_run
from tournament.store.results import ResultFitting, parse_fitting
from tournament.text import format_command

SHOWN: Final = 5
"""So many leaders are named."""


class RunTally:
    """Counts games as they come."""

    def __init__(self, *, all_games: int, played: int = 0) -> None:
        """Starts with so many games played before."""
        self.all_games = all_games
        self.games = played
        self.faults = 0
        self._before = played
        self._begun = monotonic()
        self._points: dict[str, float] = {}
        self._appearances: Counter[str] = Counter()

    def add(self, results: Iterable[ResultLine]) -> None:
        """Counts some games."""
        for result in results:
            self.games += 1
            self.faults += len(result.faults)
            most = 2 * (len(result.seats) - 1)
            for name, half in zip(result.seats, result.half_points, strict=True):
                self._points[name] = self._points.get(name, 0.0) + half / most
                self._appearances[name] += 1

    @property
    def rate(self) -> float:
        """Games a second, since this tally began."""
        return (self.games - self._before) / max(monotonic() - self._begun, 1e-6)

    def start_clock(self) -> None:
        """Measures the speed from now on."""
        self._before = self.games
        self._begun = monotonic()

    def format_counts(self) -> str:
        """Returns games and faults."""
        return ", ".join([self._format_games(), *self._format_faults()])

    def _format_games(self) -> str:
        played, planned = format_number(self.games), format_number(self.all_games)
        return gettext("{played} of {planned} games", played=played, planned=planned)

    def _format_faults(self) -> list[str]:
        return [ngettext("{count} fault", "{count} faults", self.faults)] if self.faults else []

    def format_progress(self) -> str:
        """Returns games, speed, time left and faults as a line."""
        parts = [self._format_games()]
        if self.games > self._before:
            parts.append(_format_rate(self.rate))
        left = self.all_games - self.games
        if left > 0 and self.games > self._before:
            parts.append(gettext("{time} left", time=format_seconds(left / self.rate)))
        return ", ".join([*parts, *self._format_faults()])

    def format_leaders(self, *, without: Collection[str] = (), equal: bool = True) -> str:
        """Returns who leads, marked as interim; the points are means over all games and groups.

        `without`: who is out, and leads nobody by the few games it had. `equal`: whether all meet the same opponents.
        """
        everybody = {name: self._points[name] / count for name, count in self._appearances.items()}
        means = {name: points for name, points in everybody.items() if name not in without} or everybody
        best = sorted(means.items(), key=lambda item: (-round(item[1], 12), item[0]))  # equal sums of thirds are equal
        if not best:
            return gettext("no game yet")
        names = ", ".join(f"{name} {format_decimal(points, 3)}" for name, points in best[:SHOWN])
        if len(best) > SHOWN:
            more = len(best) - SHOWN
            names = ngettext("{names} and {count} more", "{names} and {count} more", more, names=names)
        if equal:
            return gettext("interim, not a test: {names}", names=names)
        return gettext("interim, not a test, and not all met the same opponents: {names}", names=names)


def format_stand(info: RunInfo, folder: Path, tally: RunTally) -> str:
    """Returns how a run under way stands: who leads, or in a knockout who is still in."""
    if info.segments[-1].format is not Format.KNOCKOUT:
        out = {one.entrant for one in info.withdrawn} | {one.entrant for one in info.disqualified}
        return tally.format_leaders(without=out, equal=not out and _meet_equally(info.segments))
    return " ".join(format_bracket(group, bracket) for group, bracket in brackets_of_run(folder, info).items())


def _meet_equally(segments: Sequence[SegmentInfo]) -> bool:
    """Returns whether a schedule gives all the same opponents: no gauntlet, and no segment with entrants of its own."""
    fields = {tuple((field.group, field.entrants) for field in segment.fields) for segment in segments}
    return len(fields) == 1 and all(segment.format is Format.ROUND_ROBIN for segment in segments)


def _format_rate(rate: float) -> str:
    """Returns a speed as games a second, or as the time of one game when it is slower than that."""
    if rate >= 0.95:
        return gettext("{number} games/s", number=format_decimal(rate, 0))
    return gettext("{time} a game", time=format_seconds(1 / rate))


def format_seconds(seconds: float) -> str:
    """Returns a length of time for people."""
    whole = round(seconds)
    if whole < 60:
        return gettext("{number} s", number=whole)
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return gettext("{minutes} min {seconds} s", minutes=minutes, seconds=format(rest, "02d"))
    hours, minutes = divmod(minutes, 60)
    return gettext("{hours} h {minutes} min", hours=hours, minutes=format(minutes, "02d"))


_BEGIN: Final = b'{"event":"'
"""How every event begins."""

PATIENCE_SECONDS: Final = 10.0
"""So long an event waits for a reader of a full pipe."""

_LONGEST: Final = 1 << 20
"""Bytes of an event at most; a last line that is longer is none."""


class EventWriter:
    """An observer that appends each event to a file as it happens, one line each."""

    def __init__(self, path: Path) -> None:
        """Makes the file where there is none. Raises `UsageError` when it cannot be written."""
        self._path = path
        self._played = 0
        self._has_reader = True
        self._advice = "Give another --events."
        self._descriptor = self._open()
        self._is_mended = False

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Writes that play begins. Like all that follows it raises `UsageError`, which says how the run goes on."""
        self._played = games
        self._advice = f"Go on with another:\n  {format_command('resume', folder, '--events', 'OTHER.jsonl')}"
        self._write(
            RunStarted(
                format=EVENT_FORMAT,
                version=EVENT_VERSION,
                at=now(),
                run=info.name,
                folder=str(folder),
                entrants=tuple(entrant.name for entrant in info.entrants),
                games=sum(segment.games for segment in info.segments),
                played=games,
            )
        )

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Writes a block, and the faults in it."""
        self._played += len(results)
        at = now()
        self._write(
            BlockPlayed(
                format=EVENT_FORMAT,
                version=EVENT_VERSION,
                at=at,
                block=block.id,
                order=block.order,
                scores=tuple(result.scores for result in results),
                places=tuple(result.places for result in results),
                played=self._played,
            )
        )
        for result in results:
            for seat, kind in result.faults:
                self._write(
                    FaultSeen(
                        format=EVENT_FORMAT,
                        version=EVENT_VERSION,
                        at=at,
                        id=result.id,
                        seat=seat,
                        entrant=result.seats[seat],
                        kind=kind,
                    )
                )

    def note(self, text: str) -> None:
        """Writes what a user should know."""
        self._write(Noted(format=EVENT_FORMAT, version=EVENT_VERSION, at=now(), text=text))

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Writes how play ended."""
        if info.state is RunState.COMPLETE:
            self._advice = f"{folder} is complete all the same; only its last event is missing."
        self._write(
            RunFinished(format=EVENT_FORMAT, version=EVENT_VERSION, at=now(), state=info.state, played=self._played)
        )

    def _write(self, event: AnyEvent) -> None:
        if not self._is_mended:
            with suppress(OSError):  # where it cannot be read, or has no room: what cannot be written is told below
                _mend(self._path)
            self._is_mended = True
        self._append(format_event(event) + b"\n")

    def _open(self) -> int:
        """Opens the file for as long as the run goes on; a pipe waits here for its reader, and Ctrl-C ends that."""
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}. {self._advice}") from None
        if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            os.set_blocking(descriptor, False)
        return descriptor

    def _append(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left and self._has_reader:
                left = left[self._write_some(left) :]
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}. {self._advice}") from None

    def _write_some(self, data: memoryview) -> int:
        """Returns how many bytes were written. A pipe whose reader left, or reads nothing for long, gets no more."""
        try:
            return os.write(self._descriptor, data)
        except BrokenPipeError:
            self._has_reader = False
        except BlockingIOError:
            self._has_reader = bool(select.select([], [self._descriptor], [], PATIENCE_SECONDS)[1])
        return 0


def _mend(path: Path) -> None:
    """Makes a file end with a whole line: drops an event that a power cut tore, and keeps anything else."""
    if not path.is_file():
        return
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _LONGEST))
        torn = file.read().rpartition(b"\n")[2]
        if torn and torn.startswith(_BEGIN[: len(torn)]) and not _is_json(torn):
            file.truncate(size - len(torn))
        elif torn:
            file.write(b"\n")


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def watch(folder: Path, *, every: float = 2.0, once: bool = False) -> Iterator[str]:
    """Yields how a run stands as lines: at once, then every so many seconds until nobody plays it any more.

    Raises `RunError` for a folder that is not a run.
    """
    info = read_run(folder)
    yield ngettext(
        "{run}: {count} entrant, {groups}",
        "{run}: {count} entrants, {groups}",
        len(info.entrants),
        run=info.name,
        groups=", ".join(group.name for group in info.groups),
    )
    tally = RunTally(all_games=0)
    lines = _Growing(folder / RESULTS_FILE)
    follower = RatioFollower(info) if info.until is Until.SPRT else None
    first = True
    while True:
        is_played = is_locked(folder)  # asked first: what is written afterwards is still read
        info = read_run(folder)
        fitting = ResultFitting(folder)  # a run may have got a segment, or entrants
        for line in lines.new():
            result = parse_fitting(line, str(folder / RESULTS_FILE), fitting=fitting)
            tally.add((result,))
            if follower is not None:
                follower.add((result,))
        tally.all_games = sum(segment.games for segment in info.segments)
        if first:
            tally.start_clock()  # its speed is that of what comes from now on
            first = False
        if once or not is_played:
            yield from _last_lines(info, tally, folder, is_played=is_played)
            if follower is not None:
                yield format_ratio_test(follower.state())
            return
        yield f"{tally.format_progress()}; {format_stand(info, folder, tally)}"
        if follower is not None:
            yield format_ratio_test(follower.state())
        sleep(every)


def _last_lines(info: RunInfo, tally: RunTally, folder: Path, *, is_played: bool) -> Iterator[str]:
    if is_played:
        yield f"{tally.format_counts()}; {format_stand(info, folder, tally)}"
    elif info.state is RunState.COMPLETE:
        command = format_command("standings", folder)
        yield gettext("Complete: {counts}. The standings: {command}", counts=tally.format_counts(), command=command)
        extent = total_extent(one.extent for one in info.segments if one.extent is not None)
        if extent.left_out or extent.in_place:
            yield spoken(format_extent(extent))
        if info.segments[-1].format is Format.KNOCKOUT:
            yield format_stand(info, folder, tally)
    else:
        values = {"counts": tally.format_counts(), "stand": format_stand(info, folder, tally)}
        yield {
            RunState.INTERRUPTED: gettext("Stopped (interrupted): {counts}; {stand}", **values),
            RunState.FAILED: gettext("Stopped (failed): {counts}; {stand}", **values),
        }.get(info.state, gettext("Stopped (killed): {counts}; {stand}", **values))
        yield gettext("Go on with: {command}", command=format_command("resume", folder))
    for one in info.withdrawn:
        yield gettext("{name} is withdrawn: {why}.", name=one.entrant, why=reason_withdrawn(folder, one)())
    for void in info.void:
        yield gettext("The block {block} is void: {why}.", block=void.block, why=gettext(void.why))


class _Growing:
    """The whole lines of a file that another process appends to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def new(self) -> Iterator[bytes]:
        """Yields the lines since the last one that was yielded. Raises `RecordError` where it cannot be read."""
        if not self._path.exists():
            return
        try:
            with open_regular(self._path) as file:
                file.seek(self._offset)
                for line in bounded_lines(file, self._path):
                    if line.endswith(b"\n"):
                        self._offset += len(line)
                        yield line[:-1]
        except OSError as error:
            raise RecordError(
                f"{self._path} cannot be read: {error.strerror}. Check the path and its permissions."
            ) from None
