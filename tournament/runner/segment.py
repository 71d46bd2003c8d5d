"""One segment of a run, from wherever it stands to its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from tournament.blocks import Job
from tournament.configuration import Configuration
from tournament.deals import Suite, schedule_seed
from tournament.errors import Interrupted, RunError
from tournament.players.base import Interrupts
from tournament.ranking.deciding import Decider
from tournament.ranking.summary import standings_file
from tournament.records.results import ResultLine, read_results
from tournament.records.run import (
    Continuation,
    DecisionInfo,
    Field,
    Format,
    RunInfo,
    RunState,
    VoidBlock,
    format_versions,
)
from tournament.records.schema import check_valid
from tournament.records.store import STANDINGS_FILE, RunWriter, Secret
from tournament.runner.crews import Crew, SettledJob
from tournament.runner.describing import now, versions, versions_of
from tournament.runner.feeds import feed_of
from tournament.runner.jobs import Jobs
from tournament.runner.observing import Observer
from tournament.runner.signals import Stop, listening
from tournament.schedule import BalanceCounter, Block, ExtentCounter
from tournament.schedule.withdrawals import Withdrawals


class SegmentPlay:
    """Plays what is left of the last segment of a run, and completes the run."""

    def __init__(
        self,
        info: RunInfo,
        configuration: Configuration,
        *,
        secret: Secret | None,
        suite: Suite | None,
        writer: RunWriter,
        observer: Observer,
    ) -> None:
        """Takes the run as `run.json` has it; `secret` None: the deals come from `suite`."""
        self.info = info
        self._secret = secret
        self._writer = writer
        self._observer = observer
        self._segment = info.segments[-1]
        master = "" if secret is None else secret.master
        self._jobs = Jobs(configuration.groups, master=master, suite=suite)
        self._feed = feed_of(
            self._segment,
            seed=schedule_seed(master if suite is None else suite.name, segment=self._segment.number),
            replaces=info.withdraw is not None,
        )
        self._void = {one.block for one in info.void}
        self._withdrawals = Withdrawals(info.segments, info.withdraw)
        self._extents = ExtentCounter(info.segments)
        self._balance = BalanceCounter()
        self._games = 0
        self._blocks = 0
        # What `until` asks is asked of the first segment; whoever extends a run has decided to play on.
        self._decider = Decider(info) if info.until is not None and self._segment.number == 0 else None
        self._decision: DecisionInfo | None = None
        self._last = ""
        self._handed_out = 0
        # Blocks handed out whose end `until` does not know, with their numbers, and the fields that begin with them in
        # place of others; those never played are among them.
        self._due: deque[tuple[int, Block, tuple[Field, ...]]] = deque()
        self._ended_after: int | None = None
        self._ahead: Block | None = None

    def pass_over_written(self) -> None:
        """Takes in the blocks that have been played.

        Raises `RunError` when they do not follow the schedule, `Interrupted` when the user stops it.
        """
        try:
            self._pass_over_written()
        except KeyboardInterrupt:
            raise Interrupted(f"Stopped before a game was played. {self._how_to_go_on()}") from None

    def _pass_over_written(self) -> None:
        for _, games in groupby(read_results(self._writer.folder), key=lambda result: result.block):
            played = list(games)
            block = Block.from_id(played[0].block, order=played[0].seats)
            if block.segment == self._segment.number:
                due = self._next_block()
                if due != block:
                    raise RunError(
                        f"{self._writer.folder} does not follow its schedule: expected the block "
                        f"{'none' if due is None else describe(due)}, found {describe(block)}. "
                        "The records were changed, or another version made the schedule: begin a new run."
                    )
                self._feed.note(block, played)
                self._decide(block, played)
            self._count(block, played)

    def look_ahead(self) -> Block | None:
        """Returns the block that will be played next; None when there is none."""
        self._ahead = self._next_block()
        return self._ahead

    def play(self, crew: Crew, interrupts: Interrupts) -> Path:
        """Plays what is left and returns the folder.

        Raises `Interrupted` when the user stops it, with the command that goes on.
        """
        stop = Stop(interrupts)
        with listening(stop):
            try:
                info, standings = self._play(crew, stop)
            except KeyboardInterrupt:
                # The first thing done, and no call: no signal can come between.
                stop.is_ending = True
                crew.close(at_once=True)
                self._write(state=RunState.INTERRUPTED)
                self._observer.finished(self.info, self._writer.folder)
                raise Interrupted(f"Stopped after {self._games} games. {self._how_to_go_on()}") from None
            except BaseException:
                stop.is_ending = True
                crew.close(at_once=True)
                with suppress(RunError):  # on a full disk, too, what failed first is what is told
                    self._write(state=RunState.FAILED)
                raise
            if standings is not None:
                self._writer.write_standings(standings)
            self._writer.write_run(info)
            self._writer.remove_secret()
        self.info = info
        folder = self._writer.folder
        try:
            self._observer.finished(self.info, folder)
        except KeyboardInterrupt:
            raise Interrupted(
                f"{folder} is complete. Its standings:\n  tournament standings {quote(str(folder))}"
            ) from None
        return folder

    def _play(self, crew: Crew, stop: Stop) -> tuple[RunInfo, dict[str, Any] | None]:
        """Plays what is left and returns the complete run and its standings, which `stop` lets be written."""
        self._write(state=RunState.RUNNING, continued=self._continued())
        self._observer.started(self.info, self._writer.folder, games=self._games)
        outcomes = crew.play(self._next_job, is_stopping=lambda: stop.asked, on_kill=self._note_kill)
        while self._decision is None and (outcome := next(outcomes, None)) is not None:
            self._take(outcome)
        crew.close(at_once=self._decision is not None)
        if stop.asked and self._decision is None and self._next_block() is not None:
            raise KeyboardInterrupt
        info = self._completed()
        standings = self._standings(info)
        stop.is_ending = True
        return info, standings

    def _continued(self) -> tuple[Continuation, ...]:
        """Returns with which other versions the run was played on; says so when they change now."""
        before, now_playing = versions_of(self.info), versions()
        if before == now_playing:
            return self.info.continued
        self._observer.note(
            f"{self._writer.folder} was played with {format_versions(before)} so far, and goes on with "
            f"{format_versions(now_playing)}; its run.json says so."
        )
        return (*self.info.continued, Continuation(versions=now_playing, games=self._games))

    def _standings(self, info: RunInfo) -> dict[str, Any] | None:
        """Returns the standings of the complete run; None when they fail, for then it is complete all the same."""
        try:
            standings = standings_file(info, read_results(self._writer.folder))
            check_valid("standings.v2", standings, STANDINGS_FILE)
        except Exception as error:
            self._observer.note(
                f"{self._writer.folder} is complete, but its standings could not be worked out "
                f"({type(error).__name__}: {error}). Report this, with the folder."
            )
            return None
        return standings

    def _how_to_go_on(self) -> str:
        return f"Go on with:\n  tournament resume {quote(str(self._writer.folder))}"

    def _completed(self) -> RunInfo:
        """Returns the run as it is when nothing is left to be played."""
        segment = self._segment
        if self._secret is not None:
            segment = msgspec.structs.replace(segment, salt=self._secret.salt, master=self._secret.master)
        if segment.format is Format.KNOCKOUT:
            segment = msgspec.structs.replace(segment, blocks=self._blocks, games=self._games)
        decision = self._decision
        if decision is not None:
            segment = msgspec.structs.replace(segment, ended_after=self._ended_after)
        elif self._decider is not None:
            decision = DecisionInfo(decided=False, after=self._last, text="Not decided within the budget.")
        fields = [field for one in self.info.segments for field in one.fields]
        info = msgspec.structs.replace(
            self.info,
            state=RunState.COMPLETE,
            finished=now(),
            segments=(*self.info.segments[:-1], segment),
            balance=self._balance.balance(fields),
            decision=decision or self.info.decision,
        )
        return msgspec.structs.replace(
            info,
            segments=tuple(
                msgspec.structs.replace(one, extent=self._extents.extent(info, one)) for one in info.segments
            ),
        )

    def _next_block(self) -> Block | None:
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return ahead
        while (block := self._feed.next()) is not None:
            self._handed_out += 1
            if self._feed.begun:
                self._note_begun(self._feed.begun)
            if self._decider is not None:
                self._due.append((self._handed_out, block, self._feed.begun))
            if block.id in self._void:
                self._feed.note(block, ())
            elif self._withdrawals.concern(block):
                self._feed.leave_out(block)
            else:
                return block
        return None

    def _note_begun(self, fields: Sequence[Field]) -> None:
        blocks = ", ".join(f"{field.blocks} of {field.group}" for field in fields)
        self._observer.note(f"In place of blocks that were left out, those who are left play others: {blocks}.")

    def _next_job(self) -> Job | None:
        block = self._next_block()
        return None if block is None else self._jobs.job(block)

    def _take(self, outcome: SettledJob) -> None:
        block = outcome.job.block
        if self._withdrawals.concern(block):
            self._feed.leave_out(block)
            return  # it was in flight when one of its entrants was withdrawn
        if outcome.played is None:
            void = VoidBlock(block=block.id, why="it killed two workers")
            self._write(void=(*self.info.void, void))
            self._feed.note(block, ())
            self._observer.note(f"The block {block.id} is void: {void.why}. At the table: {', '.join(block.order)}.")
            return
        played, results = outcome.played, outcome.played.results
        self._writer.append_block(
            lines=played.lines,
            results=results,
            clocks=played.clocks,
            faults=played.faults,
            logs=played.logs,
            traces=played.traces,
        )
        self._feed.note(block, results)
        self._decide(block, results)
        self._count(block, results)
        self._observer.block(block, results)

    def _decide(self, block: Block, results: Sequence[ResultLine]) -> None:
        self._last = block.id
        if self._decider is None or self._decision is not None:
            return
        number, due, begun = self._due.popleft()
        while due != block:
            self._decider.begin(begun)
            self._decider.pass_over(due)
            number, due, begun = self._due.popleft()
        self._decider.begin(begun)
        self._decision = self._decider.note(block, results)
        if self._decision is not None:
            self._ended_after = number
            self._observer.note(self._decision.text)

    def _count(self, block: Block, results: Sequence[ResultLine]) -> None:
        self._balance.add(block)
        self._extents.add(block)
        self._games += len(results)
        self._blocks += 1
        new = self._withdrawals.note(block.id, results)
        for one in new:
            self._feed.withdraw(one.entrant)
        if self._decider is not None:
            for one in new:
                self._decider.withdraw(one.entrant)
        known = {one.entrant for one in self.info.withdrawn}
        new = [one for one in new if one.entrant not in known]
        if new:
            self._write(withdrawn=(*self.info.withdrawn, *new))
            for one in new:
                self._observer.note(f"{one.entrant} is withdrawn: {one.why}. No later block with it is played.")

    def _note_kill(self, job: Job) -> None:
        self._observer.note(f"A worker died while it played {job.block.id}; the block is played again.")

    def _write(self, **changes: object) -> None:
        self.info = msgspec.structs.replace(self.info, **changes)
        self._writer.write_run(self.info)


def describe(block: Block) -> str:
    """Returns a block and who sits there."""
    return f"{block.id} ({', '.join(block.order)})"
