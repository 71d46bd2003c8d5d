"""The progress of a run, as a bar on a terminal and as lines elsewhere, and its results at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn

from tournament.cli.output import patient_console
from tournament.records.results import ResultLine, has_record
from tournament.records.run import Balance, RunInfo, RunState, SegmentInfo, format_cluster_play
from tournament.run.following import RunTally, format_stand
from tournament.schedule.extents import total_extent
from tournament.schedule.formats import Block, balance_of
from tournament.store.folder import read_run
from tournament.store.results import read_results
from tournament.text import format_command, format_count, format_place, printable_lines

if TYPE_CHECKING:
    from rich.progress import TaskID


def format_balance(info: RunInfo, folder: Path) -> list[str]:
    """Returns two lines for each group about how evenly its entrants met in the last segment of a complete run."""
    segment = info.segments[-1]
    if segment.number:
        where = " in the final" if segment.final else f" in segment {segment.number}"
        balances = balance_of(_blocks_of(segment, folder), segment.fields)
    else:
        where, balances = "", info.balance
    focus = {field.group: field.focus for field in segment.fields}
    return [f"Balance of {one.group}{where}: {_format_counts(one, focus[one.group])}." for one in balances]


def _blocks_of(segment: SegmentInfo, folder: Path) -> Iterator[Block]:
    for block, results in groupby(read_results(folder), key=lambda result: result.block):
        first = next(results)
        if first.segment == segment.number:
            yield Block.from_id(block, order=first.seats)


def _format_counts(balance: Balance, focus: tuple[str, ...]) -> str:
    pairs, seats, successors = balance.pairs, balance.seats, balance.successors
    deals = balance.appearances
    met, followed = _count("deal", pairs.least, pairs.most), _range(successors.least, successors.most)
    if not focus:
        return (
            f"each bot played {_count('deal', *deals.values())} "
            f"and sat in each seat {_count('time', seats.least, seats.most)};\n"
            f"  any two bots met on {met}, and each moved right after the other on {followed}"
        )
    who = focus[0] if len(focus) == 1 else f"each of {', '.join(focus)}"
    return (
        f"{who} played {_count('deal', *(deals[name] for name in focus))}, each of the others "
        f"{_range(seats.least, seats.most)}, and everybody sat in each seat equally often;\n"
        f"  {who} met each of the others on {met}, and each moved right after the other on {followed}"
    )


def _count(thing: str, *counts: int) -> str:
    return f"{_range(*counts)} {thing}{'' if max(counts) == 1 else 's'}"


def _range(*counts: int) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"


SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_UPDATES = 0.1


class Follower:
    """Prints the progress of a run, and at its end the standings and commands to continue with."""

    def __init__(self, *, verbose: bool = False) -> None:
        """Prints a line for each block and fault if `verbose`."""
        self._console = patient_console(highlight=False)
        self._verbose = verbose
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._tally = RunTally(all_games=0)
        self._before = 0
        self._folder: Path | None = None
        self._last_line = monotonic()

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        """Prints what is going to be played."""
        self._folder = folder
        self._before = games
        segment = info.segments[-1]
        earlier = games_before(folder, segment.number)
        self._tally = RunTally(all_games=earlier + segment.games, played=games)
        what = f"{info.name}{format_segment(segment, played=games - earlier)} into {format_place(folder)}"
        beside = f", beside {format_count(earlier, 'game')} of earlier segments" if earlier else ""
        self.note(f"{what}{beside}")
        if self._console.is_terminal:
            columns = BarColumn(), TextColumn("{task.description}")
            self._progress = Progress(*columns, console=self._console, transient=True)
            self._task = self._progress.add_task("", total=self._tally.all_games, completed=games)
            self._progress.start()

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Counts a block, and prints the progress from time to time."""
        self._tally.add(results)
        if self._verbose:
            self.note(f"{block.id}  {'  '.join(_format_result(result) for result in results)}")
        now = monotonic()
        if self._progress is not None and self._task is not None:
            if now - self._last_line >= SECONDS_BETWEEN_UPDATES:
                text = f"{self._tally.format_progress()}\n{self._format_stand()}"
                self._progress.update(self._task, completed=self._tally.games, description=text)
                self._last_line = now
        elif now - self._last_line >= SECONDS_BETWEEN_LINES:
            self.note(f"{self._tally.format_progress()}; {self._format_stand()}")
            self._last_line = now

    def note(self, text: str) -> None:
        """Prints a text."""
        self._console.print(printable_lines(text), markup=False, soft_wrap=True)

    def stopped(self) -> None:
        """Removes the progress bar."""
        if self._progress is not None:
            self._progress.stop()

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Prints the standings and commands to continue with."""
        self.stopped()
        if info.state is not RunState.COMPLETE:
            self.note(f"{self._tally.format_progress()}; {self._format_stand()}")
            return
        self.note(format_ranking(info, folder))
        self.note(f"\n{self._format_counts(info, folder)}")
        self.note("\n".join([*format_cluster(info), *format_winners(info, folder), *format_balance(info, folder)]))
        if (master := info.segments[-1].master) is not None:
            self.note(f"Seed: {master}")
        kept = kept_game(info, folder)
        replay = "" if kept is None else f"Replay a game:    {format_command('replay', f'{folder}#{kept}')}\n"
        self.note(
            f"Standings again:  {format_command('standings', folder, *_segment_words(info))}\n{replay}"
            f"Check everything: {format_command('audit', folder)}"
        )

    def _format_stand(self) -> str:
        # Who is out by now stands in the file of the run.
        return "" if self._folder is None else format_stand(read_run(self._folder), self._folder, self._tally)

    def _format_counts(self, info: RunInfo, folder: Path) -> str:
        """Returns how many games were planned and played, and the faults in those that were played just now."""
        planned = total_extent(one.extent for one in info.segments if one.extent is not None).planned
        new = self._tally.games - self._before
        games = f"{self._tally.games:,} of {planned:,} planned games"
        if self._tally.games > planned:  # a knockout plays more for ties
            games = f"{format_count(self._tally.games, 'game')}, of which {planned:,} were planned"
        faults = "no faults"
        if self._tally.faults:
            faults = f"{format_count(self._tally.faults, 'fault')} (see {format_place(folder / 'faults.jsonl')})"
        return f"{games}; in the {new} played now {faults}." if self._before else f"{games}, {faults}."


def format_ranking(info: RunInfo, folder: Path) -> str:
    """Returns the standings of a complete run; of one whose last segment is a final, those of the final alone."""
    from tournament.report.standings import format_standings, format_standings_file

    segment = info.segments[-1]
    if not segment.final:
        return format_standings_file(folder)
    from tournament.ranking.sources import read_sources

    played = {field.group for field in segment.fields}
    absent = [
        f"{group.name} is not in the final: it takes {group.players} players, and there are fewer finalists."
        for group in info.groups
        if group.name not in played
    ]
    sources = read_sources([folder], segment=segment.number)
    return "\n".join([*absent, "The final alone:\n", format_standings(sources.standings(), notes=sources.notes)])


def _segment_words(info: RunInfo) -> tuple[str | int, ...]:
    """Returns the option with which `standings` shows what this command has just shown."""
    last = info.segments[-1]
    return ("--segment", last.number) if last.final else ()


def games_before(folder: Path, segment: int) -> int:
    """Returns how many games of a run belong to earlier segments."""
    return sum(result.segment < segment for result in read_results(folder)) if segment else 0


def kept_game(info: RunInfo, folder: Path) -> str | None:
    """Returns the first game of the last segment that has a record, or None."""
    last = info.segments[-1].number
    recorded = (one.id for one in read_results(folder) if one.segment == last and has_record(one, keep=info.keep))
    return next(recorded, None)


def format_segment(segment: SegmentInfo, *, played: int) -> str:
    """Returns a line about the entrants, groups and games of a segment; `played` of them were played before."""
    kind = f", {'final' if segment.final else f'segment {segment.number}'}" if segment.number else ""
    entrants = dict.fromkeys(name for field in segment.fields for name in field.entrants)
    groups = ", ".join(field.group for field in segment.fields)
    before = f", {played} of them played before" if played else ""
    return f"{kind}: {format_count(len(entrants), 'entrant')}, {groups}, {format_count(segment.games, 'game')}{before}"


def format_cluster(info: RunInfo) -> list[str]:
    """Returns how many workers of a cluster played the last segment and what was lost with some; none without one."""
    play = info.segments[-1].cluster
    return [] if play is None else [f"Played by {format_cluster_play(play)}."]


def format_winners(info: RunInfo, folder: Path) -> list[str]:
    """Returns who won the knockouts of a run, a line each."""
    from tournament.schedule.knockout import brackets_of_run, format_bracket

    if info.segments[-1].final:
        return []
    return [format_bracket(group, bracket) for group, bracket in brackets_of_run(folder, info).items()]


def _format_result(result: ResultLine) -> str:
    seats = ", ".join(f"{name} {score}" for name, score in zip(result.seats, result.scores, strict=True))
    faults = "".join(f" [{result.seats[seat]}: {kind}]" for seat, kind in result.faults)
    return f"({seats}{faults})"
