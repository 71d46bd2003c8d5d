"""`tournament repro`: writes a folder in which one moment of a game can be played again, with a debugger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from os import PathLike
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tournament.configuration.file import read_configuration
from tournament.deals import bot_rng, bot_rng_text
from tournament.entrants.model import BotKind, BotSource
from tournament.errors import RecordError, RunError, UsageError
from tournament.games import game_names
from tournament.ids import rotation_of
from tournament.players import protocol
from tournament.players.base import clock_of
from tournament.players.bot import GameStart
from tournament.records.codec import AnyRecord, canonical_bytes, codec_for, seal
from tournament.records.protocol import has_raised_in_start
from tournament.records.record import Fault, FaultKind
from tournament.records.results import CLOCKS_FILE, FAULTS_FILE, GameClock
from tournament.records.run import RunInfo
from tournament.records.settings import Isolation, Limits, TimeControl, with_entry
from tournament.referee import result_of
from tournament.replaying.positions import Replay
from tournament.run.resuming import resolve_again
from tournament.store.files import read_regular
from tournament.store.folder import read_run
from tournament.store.layout import CONFIGURATION_FILE, parse_reference
from tournament.store.reader import find_record
from tournament.text import format_place, option

RECORD_FILE: Final = "record.json"
REQUEST_FILE: Final = "request.json"
REQUESTS_FILE: Final = "requests.jsonl"
SETTINGS_FILE: Final = "repro.json"
STDERR_FILE: Final = "stderr.txt"
TRACEBACK_FILE: Final = "traceback.txt"
SCRIPT_FILE: Final = "repro.py"

SCRIPT: Final = '''\
"""Plays a moment of a game again.

    python repro.py --bot my_bot.py            up to there, and tells what the bot does
    python repro.py --bot my_bot.py --pdb      in this process, in the debugger at its last decision
    python repro.py --bot my_bot.py --wait     waits before the last request, to attach a debugger to the bot
    python repro.py --command "./my_bot -v"    a program in any language
"""

import sys
from pathlib import Path

try:
    from tournament.lab.reproducing import main
except ModuleNotFoundError as error:
    if error.name != "tournament":
        raise
    sys.exit("This needs the package tournament, which plays the game. Install it: pip install tournament")

sys.exit(main(Path(__file__).parent, sys.argv[1:]))
'''
"""The same for every bot: names that bots give themselves are data, and never part of a program."""


class BotSettings(Struct, frozen=True, kw_only=True):
    """How a bot was set up in the run, without paths of the host's machine."""

    spec: str
    """What the configuration says, without folders."""

    kind: BotKind
    class_name: str | None
    params: dict[str, Any]
    games: tuple[str, ...]
    env: dict[str, str]
    """Variables of its environment, without those whose values are paths."""


class Times(Struct, frozen=True, kw_only=True):
    """The times of the bot in the whole game, as the run noted them."""

    longest_ms: float
    bank_left_ms: int | None
    """At the end of the game."""


class ReproSettings(Struct, frozen=True, kw_only=True):
    """What playing a moment again needs beside the record; nothing in it is about the host's machine."""

    title: str = ""
    """The moment in words, for people."""

    seat: int
    at: int
    """Moves made before."""

    in_start: bool
    """Whether the last request is `start`, and not `act`."""

    expected: str
    """What the bot did in the run: its fault or its answer, in words."""

    bot: BotSettings
    isolation: Isolation
    clock: TimeControl
    limits: Limits
    bank_ms: int | None
    """What was left of the bank before the last request; None where the times of the run do not tell."""

    times: Times | None
    """None where the run has none."""


class ReproMoment(NamedTuple):
    """One request to one bot in a game: the one that is played again."""

    seat: int
    at: int
    fault: Fault | None
    in_start: bool


class ReproDecision(NamedTuple):
    """What a seat was asked, and what it did; the action is None at the last request."""

    step: int
    view: Any
    action: Any | None


def write_repro(
    source: str,
    *,
    seat: int | None = None,
    move: int | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> Path:
    """Writes a folder for one moment of the game `RUN#ID`, by default its first fault, and returns the folder.

    `seat` chooses the first fault of a seat, `move` the decision at a move. With `force` a folder that an earlier
    call wrote is written over; its other files stay.

    Raises `UsageError` for a moment at which that seat was not asked and for a folder that exists, `RunError` for
    a game outside a run, `RecordError` for a record that cannot be read or replayed.
    """
    reference = parse_reference(source)
    if reference.id is None:
        raise UsageError(
            f"Say which game: {format_place(f'{source}#ID')}. `tournament audit {format_place(source)}` and the report "
            "name games."
        )
    record = find_record(reference)
    folder = reference.path if reference.path.is_dir() else reference.path.parent
    info = read_run(folder)
    walk = Replay.from_record(record, to_the_break=True)
    moment = _moment(record, walk, seat=seat, move=move)
    bot = _source_of(folder, info, record, moment.seat)
    decisions = list(decisions_of(record, walk, moment.seat, end=moment.at))
    clock = with_entry(info.clock or TimeControl(), bot.clock)
    times = _times(folder, record.id, moment.seat)
    bank_ms = _bank_before(moment, times, clock)
    requests = list(_requests(record, moment, bot, decisions, info, bank_ms=bank_ms))
    out = Path(f"repro-{record.id}-seat{moment.seat}" if out is None else out)
    settings = ReproSettings(
        title=f"{record.seats[moment.seat].bot} in {record.id}, seat {moment.seat}, up to move {moment.at}",
        seat=moment.seat,
        at=moment.at,
        in_start=moment.in_start,
        expected=_done(record, moment),
        bot=BotSettings(
            spec=" ".join(PurePath(word).name for word in bot.command) or PurePath(bot.spec).name,
            kind=bot.kind,
            class_name=bot.class_name,
            params=bot.params,
            games=bot.games,
            env={name: text for name, text in bot.env.items() if "/" not in text},
        ),
        isolation=Isolation.PROCESS if info.isolation is Isolation.NONE else info.isolation,
        clock=clock,
        limits=with_entry(info.limits or Limits(), bot.limits),
        bank_ms=bank_ms,
        times=times,
    )
    texts = {
        RECORD_FILE: seal(_cut(record, walk, moment)).line + b"\n",
        REQUESTS_FILE: b"".join(requests),
        REQUEST_FILE: requests[-1],
        SETTINGS_FILE: msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n",
        SCRIPT_FILE: SCRIPT.encode(),
        **_said(folder, record.id, moment.seat),
    }
    try:
        out.mkdir(parents=True, exist_ok=force and (out / SCRIPT_FILE).is_file())
        for file, text in texts.items():
            (out / file).write_bytes(text)
    except FileExistsError:
        raise UsageError(
            f"{out} exists already. Give another {option('--out')}; a folder that `repro` wrote is written "
            f"over with {option('--force')}."
        ) from None
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}. Give another {option('--out')}.") from None
    return out


def _times(folder: Path, record_id: str, seat: int) -> Times | None:
    decoder = msgspec.json.Decoder(GameClock)
    for line in _lines_about(folder / CLOCKS_FILE, record_id):
        with suppress(msgspec.DecodeError):  # a torn line; nothing depends on times
            clock = decoder.decode(line)
            if clock.id == record_id and seat < len(clock.seats):
                return Times(longest_ms=clock.seats[seat].longest_ms, bank_left_ms=clock.seats[seat].bank_ms)
    return None


def _bank_before(moment: ReproMoment, times: Times | None, clock: TimeControl) -> int | None:
    """Returns what was left of the bank before the last request, or None.

    After a timeout it is what the move took beyond its own time, because that used up the bank. After another fault
    it is the bank at the end of the game. What the bank was in the middle of a game is not written down.
    """
    if times is None or moment.fault is None:
        return None
    if moment.fault.kind is FaultKind.TIMEOUT:
        return min(clock.bank_ms, max(0, round(times.longest_ms) - clock.move_ms))
    return times.bank_left_ms


def decisions_of(record: AnyRecord, walk: Replay, seat: int, *, end: int) -> Iterator[ReproDecision]:
    """Yields the requests to the bot of a seat with its actions, up to that at move `end`, whose action is None."""
    codec = codec_for(record.game.name)
    for step, state in enumerate(walk.states()):
        if state.to_move == seat and (step == end or record.moves[step].by is None):
            yield ReproDecision(step, state.view(seat), None if step == end else codec.to_action(record.moves[step]))
        if step == end:
            return


def start_of(record: AnyRecord, seat: int, clock: TimeControl) -> GameStart:
    """Returns what the bot of a seat was told in `start`. Raises `RecordError` for a record without a seed."""
    if record.seed is None:
        raise RecordError(f"{record.id} has no seed, so its bots cannot be given theirs. Play it with `whatif`.")
    rotation = rotation_of(record.id)
    return GameStart(
        game=record.game.name,
        players=record.game.players,
        seat=seat,
        options=record.game.options,
        rng=bot_rng(record.seed, rotation=rotation, seat=seat),
        clock=clock_of(clock),
        seed=bot_rng_text(record.seed, rotation=rotation, seat=seat),
    )


def _moment(record: AnyRecord, walk: Replay, *, seat: int | None, move: int | None) -> ReproMoment:
    if seat is not None and not 0 <= seat < record.game.players:
        raise UsageError(f"{option('--seat')} {seat}: {record.id} has the seats 0 to {record.game.players - 1}.")
    faults = [fault for fault in record.faults if seat in (None, fault.seat)]
    if move is None:
        if not faults:
            who = record.id if seat is None else f"seat {seat} of {record.id}"
            raise UsageError(
                f"{who} has no fault. Say which move: {option('--move')} 0 to {option('--move')} "
                f"{len(record.moves) - 1}."
            )
        fault = faults[0]
        return ReproMoment(fault.seat, fault.at, fault, _is_in_start(fault, walk))
    if not 0 <= move < len(record.moves):
        raise UsageError(f"{option('--move')} {move}: {record.id} has the moves 0 to {len(record.moves) - 1}.")
    mover = walk.to_move_at(move)
    if mover is None or seat not in (None, mover):
        raise UsageError(f"{option('--move')} {move}: that is a move of seat {mover}, not of seat {seat}.")
    for fault in record.faults:
        if fault.seat == mover and (fault.at < move or _is_in_start(fault, walk)):
            raise UsageError(
                f"{option('--move')} {move}: seat {mover} had forfeited at move {fault.at}. Give "
                f"{option('--move')} {fault.at}."
            )
    there = next((fault for fault in record.faults if (fault.seat, fault.at) == (mover, move)), None)
    return ReproMoment(mover, move, there, in_start=False)


def _done(record: AnyRecord, moment: ReproMoment) -> str:
    if moment.fault is not None:
        return f"{moment.fault.kind}: {moment.fault.detail}"
    return answered(codec_for(record.game.name).to_action(record.moves[moment.at]))


def answered(action: Any) -> str:
    """Returns an action as a sentence."""
    return f"it answers {canonical_bytes(action).decode()}"


def _is_in_start(fault: Fault, walk: Replay) -> bool:
    return (
        fault.kind is FaultKind.START
        or has_raised_in_start(fault.detail)
        or (fault.at == 0 and walk.to_move_at(0) != fault.seat)
    )


def _source_of(folder: Path, info: RunInfo, record: AnyRecord, seat: int) -> BotSource:
    name = record.seats[seat].bot
    configuration = resolve_again(read_configuration(folder / CONFIGURATION_FILE), folder, info)
    for entrant in configuration.entrants:
        if entrant.name == name:
            return entrant.bot_for(record.game.name)
    raise RunError(f'{folder} has no bot "{name}" in its configuration any more, so it cannot be started.')


def _requests(
    record: AnyRecord,
    moment: ReproMoment,
    source: BotSource,
    decisions: list[ReproDecision],
    info: RunInfo,
    *,
    bank_ms: int | None,
) -> Iterator[bytes]:
    """Yields the lines that the bot was sent. Not as in the run are their ids, and all banks but the last."""
    clock = with_entry(info.clock or TimeControl(), source.clock)
    limits = with_entry(info.limits or Limits(), source.limits)
    yield protocol.encode(protocol.hello(protocol.new_id(), games=source.games or game_names(), limits=limits))
    start = start_of(record, moment.seat, clock)
    yield protocol.encode(protocol.start(protocol.new_id(), start))
    if not moment.in_start:
        legal = source.kind is BotKind.COMMAND
        for decision in decisions:
            told = start.clock
            if decision.action is None and bank_ms is not None:
                told = replace(told, bank_ms=bank_ms)
            yield protocol.act_line(protocol.new_id(), view=decision.view, clock=told, legal=legal)


def _cut(record: AnyRecord, walk: Replay, moment: ReproMoment) -> AnyRecord:
    """Returns the record up to a moment, as a game that was aborted there, so that it can be replayed."""
    faults = tuple(fault for fault in record.faults if fault.at <= moment.at)
    outcome = walk.state_at(moment.at).standing()
    return replace(
        record,
        moves=record.moves[: moment.at],
        faults=faults,
        result=result_of(outcome, forfeits=sorted({fault.seat for fault in faults})),
    )


def _said(folder: Path, record_id: str, seat: int) -> dict[str, bytes]:
    """Returns the files with the stderr and the traceback of the bot's fault, as the run has them."""
    texts = {STDERR_FILE: b"", TRACEBACK_FILE: b""}
    for line in _lines_about(folder / FAULTS_FILE, record_id):
        values = json.loads(line)
        if (values.get("id"), values.get("seat")) == (record_id, seat):
            texts[STDERR_FILE] = (values.get("stderr") or "").encode()
            texts[TRACEBACK_FILE] = (values.get("traceback") or "").encode()
    return texts


def _lines_about(path: Path, record_id: str) -> Iterator[bytes]:
    """Yields the lines of a file beside the records that may be about a game; none where the file cannot be read."""
    with suppress(OSError):
        yield from (line for line in read_regular(path).splitlines() if record_id.encode() in line)
