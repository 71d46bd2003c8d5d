"""One segment of a run, played from wherever it stands to its end."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final, Protocol

import msgspec

from tournament.blocks import Job, Jobs
from tournament.configuration.resolving import Configuration
from tournament.deals import schedule_seed
from tournament.errors import Interrupted, RunError
from tournament.languages import gettext_noop, kept_gettext, kept_row
from tournament.players.base import Interrupts
from tournament.records.misfits import check_valid
from tournament.records.results import ResultLine
from tournament.records.run import (
    ClusterPlay,
    Continuation,
    Field,
    Format,
    RunInfo,
    RunState,
    SegmentInfo,
    VoidBlock,
    format_versions,
)
from tournament.run.crews import Crew, Stop, listening
from tournament.run.describing import now, versions, versions_of
from tournament.run.listeners import EarlyEnd, Figures, Listener, Observer, StandingsListener
from tournament.schedule.formats import Block
from tournament.schedule.knockout import knockout, points_of_block
from tournament.schedule.withdrawals import SegmentBlocks, Withdrawals
from tournament.store.folder import Secret, remove_secrets
from tournament.store.layout import STANDINGS_FILE
from tournament.store.results import read_results
from tournament.store.writer import RunWriter
from tournament.text import format_command

KILLED: Final = gettext_noop("it killed two workers")
"""Why a block is void, as its run says it."""


class Feed(Protocol):
    """Hands out blocks."""

    def next(self) -> Block | None:
        """Returns the next block; None when there is none, or none before the results of those handed out."""
        ...

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Takes the results of a block, in the order in which blocks were handed out; none for a void one."""
        ...

    def leave_out(self, block: Block) -> None:
        """Takes in that a block is not played, because one of its entrants was withdrawn before it."""
        ...

    def withdraw(self, entrant: str) -> None:
        """Takes in that an entrant is withdrawn, at the end of the block that was noted last."""
        ...

    @property
    def begun(self) -> tuple[Field, ...]:
        """The fields of the blocks in place of others that begin with the one handed out last; otherwise none."""
        ...


def feed_of(segment: SegmentInfo, *, seed: str, replaces: bool = False) -> Feed:
    """Returns the feed of a segment; with `replaces` it hands out other blocks in place of those left out."""
    if segment.format is Format.KNOCKOUT:
        assert segment.deals is not None, "a knockout is made with its deals"
        return _Knockouts(segment.fields, deals=segment.deals, segment=segment.number)
    return _Stream(SegmentBlocks(segment, seed=seed, replaces=replaces))


class _Stream:
    def __init__(self, blocks: SegmentBlocks) -> None:
        self._blocks = blocks
        self.begun: tuple[Field, ...] = ()

    def next(self) -> Block | None:
        before = self._blocks.round
        block = self._blocks.next()
        self.begun = self._blocks.fields if self._blocks.round > before else ()
        return block

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        self._blocks.settle()

    def leave_out(self, block: Block) -> None:
        self._blocks.leave_out(block)

    def withdraw(self, entrant: str) -> None:
        self._blocks.withdraw(entrant)


class _Knockouts:
    """The knockouts of all groups, in turn; a stage of each is handed out as soon as the one before is known."""

    def __init__(self, fields: Sequence[Field], *, deals: int, segment: int) -> None:
        self._fields = fields
        self._deals = deals
        self._segment = segment
        self._points: dict[str, list[Counter[str]]] = {field.group: [] for field in fields}
        self._ready: deque[Block] = deque()
        self._missing = 0
        self.begun: tuple[Field, ...] = ()

    def next(self) -> Block | None:
        if not self._ready and not self._missing:
            self._fill()
        if not self._ready:
            return None
        self._missing += 1
        return self._ready.popleft()

    def note(self, block: Block, results: Sequence[ResultLine]) -> None:
        self._points[block.group].append(points_of_block(results))
        self._missing -= 1

    def leave_out(self, block: Block) -> None:
        raise AssertionError("nobody is withdrawn from a knockout")

    def withdraw(self, entrant: str) -> None:
        """Does nothing: who was withdrawn from an earlier segment takes no part."""

    def _fill(self) -> None:
        waiting = [
            deque(knockout(field, deals=self._deals, points=self._points[field.group], segment=self._segment).waiting)
            for field in self._fields
        ]
        while any(waiting):
            self._ready += [blocks.popleft() for blocks in waiting if blocks]


class SegmentPlay:
    """Plays what is left of the last segment of a run, and completes the run."""

    def __init__(
        self,
        info: RunInfo,
        configuration: Configuration,
        *,
        secret: Secret | None,
        writer: RunWriter,
        observer: Observer,
        crew: Crew,
        interrupts: Interrupts,
    ) -> None:
        """Takes the run as `run.json` has it; without a secret the deals come from the suite of the configuration."""
        self.info = info
        self._crew = crew
        self._interrupts = interrupts
        self._secret = secret
        self._writer = writer
        self._observer = observer
        self._segment = info.segments[-1]
        suite = configuration.suite if secret is None else None
        master = "" if secret is None else secret.master
        self._jobs = Jobs(configuration.groups, master=master, suite=suite)
        self._feed = feed_of(
            self._segment,
            seed=schedule_seed(master if suite is None else suite.name, segment=self._segment.number),
            replaces=info.withdraw is not None,
        )
        self._void = {one.block for one in info.void}
        self._withdrawals = Withdrawals(info.segments, info.withdraw)
        self._figures = Figures(info.segments)
        # Only the first segment can end early: whoever extends a run has decided to play on.
        asks = info.until is not None and self._segment.number == 0
        self._early_end = EarlyEnd(info, say=observer.note) if asks else None
        self._standings = StandingsListener(info)
        self._listeners_of_run: tuple[Listener, ...] = (self._figures.note, self._withdraw, self._standings.note)
        self._listeners: tuple[Listener, ...] = (
            self._feed.note,
            *(() if self._early_end is None else (self._early_end.note,)),
            *self._listeners_of_run,
        )
        self._ahead: Block | None = None

    def pass_over_written(self) -> None:
        """Tells the listeners of the blocks that have been played before.

        Raises `RunError` when they do not follow the schedule, `Interrupted` when the user stops it.
        """
        try:
            for _, games in groupby(read_results(self._writer.folder), key=lambda result: result.block):
                played = list(games)
                block = Block.from_id(played[0].block, order=played[0].seats)
                is_due = block.segment == self._segment.number
                if is_due:
                    self._check_due(block)
                for listen in self._listeners if is_due else self._listeners_of_run:
                    listen(block, played)
        except KeyboardInterrupt:
            raise Interrupted(f"Stopped before a game was played. {self._how_to_go_on()}") from None

    def _check_due(self, block: Block) -> None:
        due = self._next_block()
        if due != block:
            raise RunError(
                f"{self._writer.folder} does not follow its schedule: expected the block "
                f"{'none' if due is None else describe(due)}, found {describe(block)}. "
                "The records were changed, or another version made the schedule: begin a new run."
            )

    def look_ahead(self) -> Block | None:
        """Returns the block that will be played next; None when there is none."""
        self._ahead = self._next_block()
        return self._ahead

    def play(self) -> None:
        """Plays what is left: block by block, each written before the listeners are told of it.

        Raises `Interrupted` when the user stops it, with the command that goes on.
        """
        stop = Stop(self._interrupts)
        crew = self._crew
        with listening(stop):
            try:
                self._write(state=RunState.RUNNING, continued=self._continued())
                self._observer.started(self.info, self._writer.folder, games=self._figures.games)
                jobs = crew.play(self._next_job, is_stopping=lambda: stop.asked, on_kill=self._note_kill)
                while not self._is_decided and (settled := next(jobs, None)) is not None:
                    block, played = settled.job.block, settled.played
                    if self._withdrawals.concern(block):
                        self._feed.leave_out(block)  # it was in flight when one of its entrants was withdrawn
                    elif played is None:
                        self._make_void(block)
                    else:
                        self._writer.append_block(
                            lines=played.lines,
                            results=played.results,
                            clocks=played.clocks,
                            faults=played.faults,
                            logs=played.logs,
                            traces=played.traces,
                        )
                        for listen in self._listeners:
                            listen(block, played.results)
                        self._observer.block(block, played.results)
                crew.close(at_once=self._is_decided)
                if stop.asked and not self._is_decided and self._next_block() is not None:
                    raise KeyboardInterrupt
                info = self._completed()
                standings = self._standings_of(info)
                stop.is_ending = True
            except KeyboardInterrupt:
                # The first thing done, and no call: no signal can come between.
                stop.is_ending = True
                crew.close(at_once=True)
                self._write(state=RunState.INTERRUPTED, segments=self._with_cluster())
                self._observer.finished(self.info, self._writer.folder)
                raise Interrupted(f"Stopped after {self._figures.games} games. {self._how_to_go_on()}") from None
            except BaseException:
                stop.is_ending = True
                crew.close(at_once=True)
                with suppress(RunError):  # on a full disk, too, what failed first is what is told
                    self._write(state=RunState.FAILED, segments=self._with_cluster())
                raise
            if standings is not None:
                self._writer.write_standings(standings)
            self._writer.write_run(info)
            remove_secrets(self._writer.folder)
        self.info = info
        folder = self._writer.folder
        try:
            self._observer.finished(self.info, folder)
        except KeyboardInterrupt:
            raise Interrupted(
                f"{folder} is complete. Its standings:\n  {format_command('standings', folder)}"
            ) from None

    @property
    def _is_decided(self) -> bool:
        return self._early_end is not None and self._early_end.decision is not None

    def _continued(self) -> tuple[Continuation, ...]:
        """Returns the versions with which the run was continued, with those of now; notes when they are others."""
        before, now_playing = versions_of(self.info), versions()
        if before == now_playing:
            return self.info.continued
        self._observer.note(
            kept_gettext(
                "{run} was played with {before} so far, and goes on with {after}; its run.json says so.",
                run=str(self._writer.folder),
                before=format_versions(before),
                after=format_versions(now_playing),
            )
        )
        return (*self.info.continued, Continuation(versions=now_playing, games=self._figures.games))

    def _standings_of(self, info: RunInfo) -> dict[str, Any] | None:
        """Returns the standings of the complete run; None when they fail, because the run is complete all the same."""
        try:
            standings = self._standings.file(info)
            check_valid("standings.v2", standings, STANDINGS_FILE)
        except Exception as error:
            self._observer.note(
                f"{self._writer.folder} is complete, but its standings could not be worked out "
                f"({type(error).__name__}: {error}). Report this, with the folder."
            )
            return None
        return standings

    def _how_to_go_on(self) -> str:
        return f"Go on with:\n  {format_command('resume', self._writer.folder)}"

    def _completed(self) -> RunInfo:
        """Returns the run as it is when nothing is left to be played."""
        *earlier, segment = self._with_cluster()
        if self._secret is not None:
            segment = msgspec.structs.replace(segment, salt=self._secret.salt, master=self._secret.master)
        if segment.format is Format.KNOCKOUT:
            segment = msgspec.structs.replace(segment, blocks=self._figures.blocks, games=self._figures.games)
        info = msgspec.structs.replace(self.info, state=RunState.COMPLETE, finished=now(), segments=(*earlier, segment))
        if self._early_end is not None:
            info = self._early_end.with_decision(info)
        return self._figures.with_figures(info)

    def _with_cluster(self) -> tuple[SegmentInfo, ...]:
        """Returns the segments, the last with what the workers of a cluster did for it before and now."""
        before, new = self._segment.cluster, self._crew.cluster_play()
        if new is None or not (new.workers or new.lost_workers):
            return self.info.segments
        if before is not None:
            new = ClusterPlay(
                workers=before.workers + new.workers,
                lost_workers=before.lost_workers + new.lost_workers,
                lost_blocks=before.lost_blocks + new.lost_blocks,
            )
        return (*self.info.segments[:-1], msgspec.structs.replace(self._segment, cluster=new))

    def _next_block(self) -> Block | None:
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return ahead
        while (block := self._feed.next()) is not None:
            if self._feed.begun:
                self._note_begun(self._feed.begun)
            if self._early_end is not None:
                self._early_end.expect(block, self._feed.begun)
            if block.id in self._void:
                self._feed.note(block, ())
            elif self._withdrawals.concern(block):
                self._feed.leave_out(block)
            else:
                return block
        return None

    def _note_begun(self, fields: Sequence[Field]) -> None:
        counts = [kept_gettext("{blocks} of {group}", blocks=field.blocks, group=field.group) for field in fields]
        self._observer.note(
            kept_gettext(
                "In place of blocks that were left out, those who are left play others: {blocks}.",
                blocks=kept_row(counts),
            )
        )

    def _next_job(self) -> Job | None:
        block = self._next_block()
        return None if block is None else self._jobs.job(block)

    def _make_void(self, block: Block) -> None:
        void = VoidBlock(block=block.id, why=KILLED)
        self._write(void=(*self.info.void, void))
        self._feed.note(block, ())
        self._observer.note(
            kept_gettext(
                "The block {block} is void: {why}. At the table: {names}.",
                block=block.id,
                why=kept_gettext(KILLED),
                names=", ".join(block.order),
            )
        )

    def _withdraw(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Takes entrants out whose bots kept failing up to this block."""
        new = self._withdrawals.note(block.id, results)
        for one in new:
            self._feed.withdraw(one.entrant)
            if self._early_end is not None:
                self._early_end.withdraw(one.entrant)
        known = {one.entrant for one in self.info.withdrawn}
        new = [one for one in new if one.entrant not in known]
        if new:
            self._write(withdrawn=(*self.info.withdrawn, *new))
            for one in new:
                self._observer.note(
                    kept_gettext(
                        "{name} is withdrawn: {why}. No later block with it is played.",
                        name=one.entrant,
                        why=one.why,
                    )
                )

    def _note_kill(self, job: Job) -> None:
        block = job.block.id
        self._observer.note(
            kept_gettext("A worker died while it played {block}; the block is played again.", block=block)
        )

    def _write(self, **changes: object) -> None:
        self.info = msgspec.structs.replace(self.info, **changes)
        self._writer.write_run(self.info)


def describe(block: Block) -> str:
    """Returns a block and who sits there."""
    return f"{block.id} ({', '.join(block.order)})"
