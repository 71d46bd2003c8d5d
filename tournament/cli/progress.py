"""A run on the terminal: a progress bar, or plain lines where there is no terminal."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tournament.records.codec import AnyRecord
from tournament.records.run import RunInfo
from tournament.schedule import Block

if TYPE_CHECKING:
    from rich.progress import TaskID

SECONDS_BETWEEN_LINES = 5.0


class Follower:
    """Prints a run as it goes, and at its end the standings and what to do with them."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._games = 0
        self._faults = 0
        self._all_games = 0
        self._begun = self._last_line = monotonic()

    def started(self, info: RunInfo, folder: Path) -> None:
        """Prints what is going to be played."""
        self._all_games = sum(segment.games for segment in info.segments)
        groups = ", ".join(group.name for group in info.groups)
        self._console.print(
            f"{info.name}: {len(info.entrants)} entrants, {groups}, {self._all_games} games into {folder}",
            markup=False,
        )
        if self._console.is_terminal:
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._task = self._progress.add_task("games", total=self._all_games, rate="")
            self._progress.start()

    def block(self, block: Block, records: tuple[AnyRecord, ...]) -> None:
        """Counts a block."""
        self._games += len(records)
        self._faults += sum(len(record.faults) for record in records)
        now = monotonic()
        rate = f"{self._games / max(now - self._begun, 1e-6):.0f} games/s"
        if self._faults:
            rate += f", {self._faults} faults"
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._games, rate=rate)
        elif now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._console.print(f"{self._games} of {self._all_games} games, {rate}", markup=False)
            self._last_line = now

    def stopped(self) -> None:
        """Takes the bar away."""
        if self._progress is not None:
            self._progress.stop()

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Prints the standings and what to do with the run."""
        from tournament.report.standings import format_standings_file

        self.stopped()
        self._console.print(format_standings_file(folder), markup=False, soft_wrap=True)
        faults = f", {self._faults} faults (see {folder}/faults.jsonl)" if self._faults else ", no faults"
        self._console.print(f"\n{self._games} games{faults}.", markup=False)
        master = info.segments[0].master
        if master is not None:
            self._console.print(f"Seed: {master}", markup=False, soft_wrap=True)
        self._console.print(
            f"Standings again:  tournament standings {folder}\n"
            f"Replay a game:    tournament replay '{folder}#{info.groups[0].name}.0.000000.0'\n"
            f"Check everything: tournament audit {folder}",
            markup=False,
            soft_wrap=True,
        )
