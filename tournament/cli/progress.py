"""The progress of a run, as a bar on a terminal and as lines elsewhere, and its results at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn

from tournament.cli.output import NextStep, format_step, patient_console
from tournament.languages import format_number, gettext, ngettext, npgettext, spoken
from tournament.records.results import FAULTS_FILE, ResultLine, has_record
from tournament.records.run import Balance, ClusterPlay, RunInfo, RunState, SegmentInfo
from tournament.run.following import RunTally, format_stand
from tournament.schedule.extents import total_extent
from tournament.schedule.formats import Block, balance_of
from tournament.store.folder import read_run
from tournament.store.results import read_results
from tournament.text import format_command, format_place, printable_lines

if TYPE_CHECKING:
    from rich.progress import TaskID


def format_balance(info: RunInfo, folder: Path) -> list[str]:
    """Returns two lines for each group about how evenly its entrants met in the last segment of a complete run."""
    segment = info.segments[-1]
    balances = balance_of(_blocks_of(segment, folder), segment.fields) if segment.number else info.balance
    focus = {field.group: field.focus for field in segment.fields}
    return [_format_balance(one, segment, focus[one.group]) for one in balances]


def _format_balance(balance: Balance, segment: SegmentInfo, focus: tuple[str, ...]) -> str:
    values = {"group": balance.group, "counts": _format_counts(balance, focus)}
    if segment.final:
        return gettext("Balance of {group} in the final: {counts}.", **values)
    if segment.number:
        return gettext("Balance of {group} in segment {number}: {counts}.", **values, number=segment.number)
    return gettext("Balance of {group}: {counts}.", **values)


def _blocks_of(segment: SegmentInfo, folder: Path) -> Iterator[Block]:
    for block, results in groupby(read_results(folder), key=lambda result: result.block):
        first = next(results)
        if first.segment == segment.number:
            yield Block.from_id(block, order=first.seats)


def _format_counts(balance: Balance, focus: tuple[str, ...]) -> str:
    pairs, seats, successors = balance.pairs, balance.seats, balance.successors
    deals = balance.appearances
    met, followed = _deals(pairs.least, pairs.most), _range(successors.least, successors.most)
    if not focus:
        return gettext(
            "each bot played {deals} and sat in each seat {times};\n"
            "  any two bots met on {met}, and each moved right after the other on {followed}",
            deals=_deals(*deals.values()),
            times=_times(seats.least, seats.most),
            met=met,
            followed=followed,
        )
    values = {
        "deals": _deals(*(deals[name] for name in focus)),
        "others": _range(seats.least, seats.most),
        "met": met,
        "followed": followed,
    }
    if len(focus) == 1:
        return gettext(
            "{name} played {deals}, each of the others {others}, and everybody sat in each seat equally often;\n"
            "  {name} met each of the others on {met}, and each moved right after the other on {followed}",
            name=focus[0],
            **values,
        )
    return gettext(
        "each of {names} played {deals}, each of the others {others}, and everybody sat in each seat equally often;\n"
        "  each of {names} met each of the others on {met}, and each moved right after the other on {followed}",
        names=", ".join(focus),
        **values,
    )


def _deals(*counts: int) -> str:
    least, most = min(counts), max(counts)
    if least == most:
        return npgettext("played or met on", "{count} deal", "{count} deals", least)
    return npgettext("played or met on", "{least} to {count} deal", "{least} to {count} deals", most, least=least)


def _times(*counts: int) -> str:
    least, most = min(counts), max(counts)
    if least == most:
        return ngettext("{count} time", "{count} times", least)
    return ngettext("{least} to {count} time", "{least} to {count} times", most, least=least)


def _range(*counts: int) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else gettext("{least} to {most}", least=least, most=most)


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
        what = format_segment(info.name, segment, played=games - earlier)
        self._print(_format_begun(what, folder, earlier=earlier))
        if self._console.is_terminal:
            columns = BarColumn(), TextColumn("{task.description}")
            self._progress = Progress(*columns, console=self._console, transient=True)
            self._task = self._progress.add_task("", total=self._tally.all_games, completed=games)
            self._progress.start()

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Counts a block, and prints the progress from time to time."""
        self._tally.add(results)
        if self._verbose:
            self._print(f"{block.id}  {'  '.join(_format_result(result) for result in results)}")
        now = monotonic()
        if self._progress is not None and self._task is not None:
            if now - self._last_line >= SECONDS_BETWEEN_UPDATES:
                text = f"{self._tally.format_progress()}\n{self._format_stand()}"
                self._progress.update(self._task, completed=self._tally.games, description=text)
                self._last_line = now
        elif now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._print(f"{self._tally.format_progress()}; {self._format_stand()}")
            self._last_line = now

    def note(self, text: str) -> None:
        """Prints what a user should know."""
        self._print(spoken(text))

    def _print(self, text: str) -> None:
        self._console.print(printable_lines(text), markup=False, soft_wrap=True)

    def stopped(self) -> None:
        """Removes the progress bar."""
        if self._progress is not None:
            self._progress.stop()

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Prints the standings and commands to continue with."""
        self.stopped()
        if info.state is not RunState.COMPLETE:
            self._print(f"{self._tally.format_progress()}; {self._format_stand()}")
            return
        self._print(format_ranking(info, folder))
        self._print(f"\n{self._format_counts(info, folder)}")
        self._print("\n".join([*format_cluster(info), *format_winners(info, folder), *format_balance(info, folder)]))
        if (master := info.segments[-1].master) is not None:
            self._print(gettext("Seed: {seed}", seed=master))
        next_steps = {NextStep.STANDINGS: format_command("standings", folder, *_segment_words(info))}
        if (kept := kept_game(info, folder)) is not None:
            next_steps[NextStep.REPLAY] = format_command("replay", f"{folder}#{kept}")
        next_steps[NextStep.AUDIT] = format_command("audit", folder)
        self._print("\n".join(format_step(step, what) for step, what in next_steps.items()))

    def _format_stand(self) -> str:
        # Who is out by now stands in the file of the run.
        return "" if self._folder is None else format_stand(read_run(self._folder), self._folder, self._tally)

    def _format_counts(self, info: RunInfo, folder: Path) -> str:
        """Returns how many games were planned and played, and the faults in those that were played just now."""
        planned = total_extent(one.extent for one in info.segments if one.extent is not None).planned
        new = self._tally.games - self._before
        played = self._tally.games
        shown = {"planned": format_number(planned)}
        if played > planned:  # a knockout plays more for ties
            games = ngettext(
                "{count} game, of which {planned} were planned",
                "{count} games, of which {planned} were planned",
                played,
                **shown,
            )
        else:
            games = gettext("{played} of {planned} planned games", played=format_number(played), **shown)
        faults = gettext("no faults")
        if self._tally.faults:
            faults = ngettext(
                "{count} fault (see {file})",
                "{count} faults (see {file})",
                self._tally.faults,
                file=format_place(folder / FAULTS_FILE),
            )
        if self._before:
            return gettext(
                "{games}; in the {new} played now {faults}.", games=games, new=format_number(new), faults=faults
            )
        return gettext("{games}, {faults}.", games=games, faults=faults)


def format_ranking(info: RunInfo, folder: Path) -> str:
    """Returns the standings of a complete run; of one whose last segment is a final, those of the final alone."""
    from tournament.report.standings import format_standings, format_standings_file

    segment = info.segments[-1]
    if not segment.final:
        return format_standings_file(folder)
    from tournament.ranking.sources import read_sources
    from tournament.report.shown.verdicts import absent_from_final

    absent, alone = absent_from_final(info, segment.number), gettext("The final alone:")
    sources = read_sources([folder], segment=segment.number)
    return "\n".join([*absent, f"{alone}\n", format_standings(sources.standings(), notes=sources.notes)])


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


def format_segment(run: str, segment: SegmentInfo, *, played: int) -> str:
    """Returns a line about the entrants, groups and games of a segment; `played` of them were played before."""
    if segment.final:
        run = gettext("{run}, final", run=run)
    elif segment.number:
        run = gettext("{run}, segment {number}", run=run, number=segment.number)
    entrants = dict.fromkeys(name for field in segment.fields for name in field.entrants)
    values = {
        "run": run,
        "entrants": ngettext("{count} entrant", "{count} entrants", len(entrants)),
        "groups": ", ".join(field.group for field in segment.fields),
        "games": ngettext("{count} game", "{count} games", segment.games),
    }
    if not played:
        return gettext("{run}: {entrants}, {groups}, {games}", **values)
    return gettext("{run}: {entrants}, {groups}, {games}, {played} of them played before", **values, played=played)


def _format_begun(what: str, folder: Path, *, earlier: int) -> str:
    place = format_place(folder)
    if not earlier:
        return gettext("{what} into {place}", what=what, place=place)
    return ngettext(
        "{what} into {place}, beside {count} game of earlier segments",
        "{what} into {place}, beside {count} games of earlier segments",
        earlier,
        what=what,
        place=place,
    )


def format_cluster(info: RunInfo) -> list[str]:
    """Returns how many workers of a cluster played the last segment and what was lost with some; none without one."""
    play = info.segments[-1].cluster
    return [] if play is None else [_format_play(play)]


def _format_play(play: ClusterPlay) -> str:
    if not play.lost_workers and not play.lost_blocks:
        return ngettext(
            "Played by {count} worker of a cluster; none was lost.",
            "Played by {count} workers of a cluster; none was lost.",
            play.workers,
        )
    return ngettext(
        "Played by {count} worker of a cluster; lost on the way: {lost}, and {blocks} that had to be played again.",
        "Played by {count} workers of a cluster; lost on the way: {lost}, and {blocks} that had to be played again.",
        play.workers,
        lost=ngettext("{count} worker", "{count} workers", play.lost_workers),
        blocks=ngettext("{count} block", "{count} blocks", play.lost_blocks),
    )


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
