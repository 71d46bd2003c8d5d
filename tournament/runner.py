"""A schedule played and written, block by block; the only owner of signals and, later, of concurrency."""

from __future__ import annotations

import platform
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from tournament import __version__
from tournament.blocks import BlockPlayer, Job, Setup
from tournament.configuration import Configuration, Group, Source, default_source, read_configuration, resolve
from tournament.deals import commitment_of, deal_seed, draw_salt, schedule_seed
from tournament.entrants import BotKind, Entrant
from tournament.errors import BotError, ConfigurationError, Interrupted
from tournament.players.base import Interrupts
from tournament.ranking.from_records import results_from_records
from tournament.ranking.summary import standings_file
from tournament.records import run as model
from tournament.records.codec import AnyRecord
from tournament.records.read import read_records
from tournament.records.run import RunInfo, RunState
from tournament.records.store import RunWriter
from tournament.schedule import Block, Field, Format, round_robin, with_deals


class Observer(Protocol):
    """Who follows a run; called from the thread that plays."""

    def started(self, info: RunInfo, folder: Path) -> None:
        """The folder is there, nothing has been played."""
        ...

    def block(self, block: Block, records: tuple[AnyRecord, ...]) -> None:
        """A block has been written."""
        ...

    def finished(self, info: RunInfo, folder: Path) -> None:
        """All blocks and the standings have been written."""
        ...


def run_tournament(
    configuration: Configuration | Source | str | Path | None = None,
    *,
    out: str | Path | None = None,
    observer: Observer | None = None,
) -> Path:
    """Plays a tournament and returns its folder, which has every record and the standings.

    `configuration` is the path of a file, or what `tournament.configuration` made; left out, four
    entrants that play both games. `out` is the folder, by default `records/NAME`. Raises
    `TournamentError` for whatever a user can mend, `Interrupted` when the user stops it.
    """
    resolved = _resolved(configuration)
    _refuse_commands(resolved.entrants)
    interrupts = Interrupts()
    blocks = BlockPlayer(Setup(tournament=resolved.name, entrants=resolved.entrants), interrupts=interrupts)
    folder = Path(out) if out is not None else free_folder(resolved.name)
    with RunWriter(folder) as writer:
        return _Run(resolved, blocks, writer, observer=observer, interrupts=interrupts).play()


def free_folder(name: str) -> Path:
    """Returns `records/NAME`, or the first of `records/NAME-2`, `-3` ... that does not exist."""
    folder = Path("records") / name.replace("/", "_")
    number = 2
    free = folder
    while free.exists():
        free = folder.with_name(f"{folder.name}-{number}")
        number += 1
    return free


def _resolved(configuration: Configuration | Source | str | Path | None) -> Configuration:
    if isinstance(configuration, Configuration):
        return configuration
    if configuration is None:
        configuration = default_source()
    elif not isinstance(configuration, Source):
        configuration = read_configuration(Path(configuration))
    return resolve(configuration)


def _refuse_commands(entrants: tuple[Entrant, ...]) -> None:
    for entrant in entrants:
        if any(bot.kind is BotKind.COMMAND for bot in entrant.bots):
            raise BotError(
                f'"{entrant.name}" is a command, and isolation "none" plays Python bots only: a command needs '
                "a process of its own, which this version does not start. Leave it out."
            )


class _Run:
    """One run from its first to its last block."""

    def __init__(
        self,
        configuration: Configuration,
        blocks: BlockPlayer,
        writer: RunWriter,
        *,
        observer: Observer | None,
        interrupts: Interrupts,
    ) -> None:
        self._configuration = configuration
        self._blocks = blocks
        self._writer = writer
        self._observer = observer
        self._interrupts = interrupts
        self._groups = {group.name: group for group in configuration.groups}
        self._fields = with_deals(
            [
                Field(group=group.name, players=group.players, entrants=group.entrants, blocks=0)
                for group in configuration.groups
            ],
            configuration.deals,
        )

    def play(self) -> Path:
        configuration, writer = self._configuration, self._writer
        self._check_suite()
        salt = draw_salt()
        info = self._info(salt)
        writer.write_configuration(configuration.text)
        if configuration.suite is None:
            writer.write_secret(master=configuration.master, salt=salt)
        writer.write_run(info)
        if self._observer is not None:
            self._observer.started(info, writer.folder)
        try:
            with _listening(self._interrupts):
                self._play_blocks()
        except KeyboardInterrupt:
            writer.write_run(msgspec.structs.replace(info, state=RunState.INTERRUPTED))
            raise Interrupted(
                f"Stopped. The finished blocks are in {writer.folder}; `tournament standings {writer.folder}` "
                "ranks them as interim."
            ) from None
        except BaseException:
            writer.write_run(msgspec.structs.replace(info, state=RunState.FAILED))
            raise
        segment = info.segments[0]
        if configuration.suite is None:
            segment = msgspec.structs.replace(segment, salt=salt, master=configuration.master)
        info = msgspec.structs.replace(info, state=RunState.COMPLETE, finished=_now(), segments=(segment,))
        results = results_from_records(read_records(writer.folder))
        writer.write_standings(
            standings_file(results, runs=(configuration.name,), interim=False, weights=configuration.weights)
        )
        writer.write_run(info)
        writer.remove_secret()
        if self._observer is not None:
            self._observer.finished(info, writer.folder)
        return writer.folder

    def _check_suite(self) -> None:
        suite = self._configuration.suite
        if suite is None:
            return
        needed = max(field.blocks for field in self._fields)
        if needed > len(suite.seeds):
            raise ConfigurationError(
                f"The suite {suite.name} has {len(suite.seeds)} deals, and this run needs {needed}. "
                "Ask for fewer deals, or take a longer suite."
            )

    def _info(self, salt: str) -> RunInfo:
        configuration = self._configuration
        suite = configuration.suite
        blocks = sum(field.blocks for field in self._fields)
        games = sum(field.blocks * field.players for field in self._fields)
        return RunInfo(
            format=model.FORMAT,
            version=model.VERSION,
            name=configuration.name,
            state=RunState.RUNNING,
            schedule="round-robin",
            budget={"deals": configuration.deals},
            isolation="none",
            workers=1,
            groups=tuple(map(_group_info, configuration.groups)),
            entrants=tuple(_entrant_info(entrant, configuration.groups) for entrant in configuration.entrants),
            segments=(
                model.SegmentInfo(
                    number=0,
                    format=Format.ROUND_ROBIN,
                    fields=self._fields,
                    blocks=blocks,
                    games=games,
                    commitment=None if suite is not None else commitment_of(salt=salt, master=configuration.master),
                    suite=None if suite is None else suite.name,
                ),
            ),
            weights=configuration.weights,
            versions={"tournament": __version__, "python": platform.python_version()},
            started=_now(),
        )

    def _play_blocks(self) -> None:
        suite = self._configuration.suite
        seed = schedule_seed(self._configuration.master if suite is None else suite.name, segment=0)
        for block in round_robin(self._fields, seed=seed):
            played = self._blocks.play(self._job(block))
            self._writer.append_block(lines=played.lines, clocks=played.clocks, faults=played.faults, logs=played.logs)
            if self._observer is not None:
                self._observer.block(block, played.records)

    def _deal_seed(self, block: Block, group: Group) -> str:
        suite = self._configuration.suite
        if suite is not None:
            return suite.deal_seed(game=group.game.name, players=group.players, block=block.number)
        return deal_seed(
            self._configuration.master,
            game=group.game.name,
            players=group.players,
            segment=block.segment,
            block=block.number,
        )

    def _job(self, block: Block) -> Job:
        group = self._groups[block.group]
        return Job(
            block=block,
            game=group.game.name,
            players=group.players,
            options=msgspec.to_builtins(group.options),
            seed=self._deal_seed(block, group),
        )


def _group_info(group: Group) -> model.GroupInfo:
    return model.GroupInfo(
        name=group.name,
        game=group.game.name,
        players=group.players,
        rules_version=group.game.rules_version,
        options=msgspec.to_builtins(group.options),
        entrants=group.entrants,
    )


def _entrant_info(entrant: Entrant, groups: tuple[Group, ...]) -> model.EntrantInfo:
    games = dict.fromkeys(group.game.name for group in groups if entrant.name in group.entrants)
    return model.EntrantInfo(
        name=entrant.name,
        bots=tuple(
            model.BotInfo(game=game, spec=bot.spec, version=bot.version, fingerprint=bot.fingerprint, params=bot.params)
            for game, bot in ((game, entrant.bot_for(game)) for game in games)
        ),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def _listening(interrupts: Interrupts) -> Iterator[None]:
    """Notes the user's Ctrl-C, so that it is told from a `KeyboardInterrupt` a bot raises."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers; a notebook's own stays
        return
    before = signal.signal(signal.SIGINT, interrupts.ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
