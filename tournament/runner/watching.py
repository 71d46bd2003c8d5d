"""A run followed by its files alone, as it grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import sleep

from tournament.errors import RecordError
from tournament.ranking.ratio import RatioFollower, format_ratio_test
from tournament.records.files import bounded_lines, open_regular
from tournament.records.fitting import ResultFitting, parse_fitting
from tournament.records.folder import read_run
from tournament.records.lock import is_locked
from tournament.records.results import RESULTS_FILE
from tournament.records.run import Format, RunInfo, RunState, Until
from tournament.runner.tally import RunTally, format_stand
from tournament.schedule import format_extent, total_extent


def watch(folder: Path, *, every: float = 2.0, once: bool = False) -> Iterator[str]:
    """Yields how a run stands as lines: at once, then every so many seconds until nobody plays it any more.

    Raises `RunError` for a folder that is no run.
    """
    info = read_run(folder)
    yield f"{info.name}: {len(info.entrants)} entrants, {', '.join(group.name for group in info.groups)}"
    tally = RunTally(all_games=0)
    lines = _Growing(folder / RESULTS_FILE)
    follower = RatioFollower(info) if info.until is Until.SPRT else None
    first = True
    while True:
        is_played = is_locked(folder)  # asked first: what is written afterwards is still read
        info = read_run(folder)
        new = lines.new()
        fitting = ResultFitting(folder)  # a run may have got a segment, or entrants
        results = [parse_fitting(line, str(folder / RESULTS_FILE), fitting=fitting) for line in new]
        tally.all_games = sum(segment.games for segment in info.segments)
        if follower is not None:
            follower.add(results)
        if first:
            # Its speed is that of what comes from now on.
            tally.add(results)
            tally.start_clock()
            first = False
        else:
            tally.add(results)
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
        yield f"Complete: {tally.format_counts()}. The standings: tournament standings {folder}"
        extent = total_extent(one.extent for one in info.segments if one.extent is not None)
        if extent.left_out or extent.in_place:
            yield format_extent(extent)
        if info.segments[-1].format is Format.KNOCKOUT:
            yield format_stand(info, folder, tally)
    else:
        state = "killed" if info.state is RunState.RUNNING else info.state
        yield f"Stopped ({state}): {tally.format_counts()}; {format_stand(info, folder, tally)}"
        yield f"Go on with: tournament resume {folder}"
    for one in info.withdrawn:
        yield f"{one.entrant} is withdrawn: {one.why}."
    for block in info.void:
        yield f"The block {block.block} is void: {block.why}."


class _Growing:
    """The whole lines of a file that another process appends to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def new(self) -> list[bytes]:
        """Returns the lines since the last call. Raises `RecordError` where it cannot be read."""
        if not self._path.exists():
            return []
        lines = []
        try:
            with open_regular(self._path) as file:
                file.seek(self._offset)
                for line in bounded_lines(file, self._path):
                    if line.endswith(b"\n"):
                        lines.append(line[:-1])
                        self._offset += len(line)
        except OSError as error:
            raise RecordError(
                f"{self._path} cannot be read: {error.strerror}. Check the path and its permissions."
            ) from None
        return lines
