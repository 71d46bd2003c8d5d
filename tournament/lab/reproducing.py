"""Plays a moment again from a folder that `tournament repro` wrote, whose script calls `main` here."""

from __future__ import annotations

import argparse
import os
import pdb
import shlex
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from tournament.entrants.entries import entrants_from
from tournament.entrants.model import BotKind, BotSource
from tournament.errors import ConfigurationError, IllegalAction, TournamentError, UsageError
from tournament.games.contract import State
from tournament.lab.repro import (
    RECORD_FILE,
    SETTINGS_FILE,
    ReproDecision,
    ReproSettings,
    answered,
    decisions_of,
    start_of,
)
from tournament.players.base import Player, PlayerFault, clock_of
from tournament.players.bot import GameStart
from tournament.players.linux.sandbox import check_sandbox
from tournament.players.linux.spawner import Spawner
from tournament.players.linux.trees import descendants
from tournament.players.loader import bot_folder, load_bot_class
from tournament.players.process import ProcessPlayer
from tournament.records.codec import parse_record
from tournament.records.record import FaultKind
from tournament.records.settings import Isolation, TimeControl
from tournament.replaying.positions import Replay
from tournament.text import printable_lines

HOUR_MS = 3_600_000
NS_PER_MS = 1_000_000
NO_HURRY = TimeControl(move_ms=HOUR_MS, bank_ms=0, start_ms=HOUR_MS, newgame_ms=HOUR_MS)

Say = Callable[[str], object]
Ask = Callable[[str], object]
Spec = str | list[str]
"""A Python file, or a command with its arguments."""


class _Moment(NamedTuple):
    settings: ReproSettings
    decisions: list[ReproDecision]
    start: GameStart
    state: State
    """The state of the game at the last request."""


def main(folder: Path, words: Sequence[str]) -> int:
    """Plays the moment of a folder again, as the arguments `words` say; returns an exit code."""
    parser = argparse.ArgumentParser(description="Plays one moment of a game again.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--bot", metavar="FILE", help="the bot, a Python file")
    which.add_argument("--command", metavar="WORDS", help="the bot, a program in any language with its arguments")
    parser.add_argument("--pdb", action="store_true", help="a Python bot in this process, in the debugger")
    parser.add_argument("--wait", action="store_true", help="wait before the last request, to attach a debugger")
    asked = parser.parse_args(words)
    try:
        spec: Spec = shlex.split(asked.command) if asked.command is not None else asked.bot
        if asked.pdb:
            debug(folder, spec)
        else:
            print(printable_lines(reproduce(folder, spec, ask=input if asked.wait else None, say=_print)))  # noqa: T201
    except TournamentError as error:
        _print(f"Error: {error}")
        return error.exit_code
    return 0


def _print(text: str) -> None:
    print(printable_lines(text))  # noqa: T201 (a script prints)


def reproduce(folder: Path, spec: Spec, *, ask: Ask | None = None, say: Say) -> str:
    """Returns what a bot did in the run and what it does now, in words; a spec that is a list is a command.

    With `ask` the bot has no time limit, and before its last request `ask` is called with the number of its process.
    Raises `BotError` for a bot that cannot be found.
    """
    moment = _read(folder)
    settings = moment.settings
    source = _source(settings, spec)
    clock = settings.clock if ask is None else NO_HURRY
    start = replace(moment.start, clock=clock_of(clock))
    spawner = Spawner()
    player = ProcessPlayer(
        source,
        spawner,
        isolation=_isolation_here(settings.isolation, say),
        clock=clock,
        limits=settings.limits,
        write=lambda text: say(f"stderr: {text.rstrip()}"),
    )
    try:
        now = _play(player, moment._replace(start=start), ask=ask, say=say)
    finally:
        player.close()
        spawner.close()
    then = settings.expected
    if settings.times is not None:
        say(f"Times in the run: {_format_times(settings)}")
    if ask is None and not settings.in_start:
        say(f"The last request now: {player.taken_ns / NS_PER_MS:,.0f} ms{_format_had(settings)}.")
    return f"In the run: {then}\nNow:        {now}\n{'The same.' if now == then else 'Not the same.'}"


def _format_times(settings: ReproSettings) -> str:
    times, clock = settings.times, settings.clock
    assert times is not None, "the run has times"
    left = []
    if settings.bank_ms is not None:
        left.append(f"about {settings.bank_ms:,} ms before the last request")
    if times.bank_left_ms is not None:
        left.append(f"{times.bank_left_ms:,} ms at the end")
    bank = f"; left of its bank of {clock.bank_ms:,} ms: {', '.join(left)}" if left else ""
    return f"longest move {times.longest_ms:,.0f} ms, {clock.move_ms:,} ms of each are free{bank}."


def _format_had(settings: ReproSettings) -> str:
    """Returns how long the last request may take, in words; an empty text where the run has no times."""
    if settings.bank_ms is None:
        return ""
    return f", and it may take {settings.clock.move_ms + settings.bank_ms:,} ms, as in the run"


def _source(settings: ReproSettings, spec: Spec) -> BotSource:
    """Returns the bot that the author names, set up as it was in the run."""
    bot = settings.bot
    entry: dict[str, Any] = {"name": "bot", "params": bot.params, "env": bot.env}
    if isinstance(spec, str):
        where = spec if bot.class_name is None or ":" in spec else f"{spec}:{bot.class_name}"
        entry["bot"] = where
    else:
        files = [word for word in spec[1:] if Path(word).is_file()]
        entry |= {"command": list(spec), "games": list(bot.games), "files": files}
    (entrant,) = entrants_from([entry], base=Path.cwd())
    return entrant.bots[0]


def _isolation_here(wanted: Isolation, say: Say) -> Isolation:
    """Returns the isolation of the run; level process instead of a sandbox where this machine has none."""
    if wanted is not Isolation.SANDBOX:
        return wanted
    try:
        check_sandbox()
    except ConfigurationError:
        say("The run was played in a sandbox, which this machine does not have: played in a plain process here.")
        return Isolation.PROCESS
    return wanted


def _play(player: Player, moment: _Moment, *, ask: Ask | None, say: Say) -> str:
    settings, decisions, start, state = moment
    try:
        player.start(start)
        if settings.in_start:
            return "it starts"
        for decision in decisions:
            if ask is not None and decision.action is None:
                ask(_attach(settings))
            clock = start.clock
            if ask is None and decision.action is None and settings.bank_ms is not None:
                clock = replace(clock, bank_ms=settings.bank_ms)
            action = player.act(decision.view, clock)
            if decision.action is not None and action != decision.action:
                say(f"Move {decision.step}: now {answered(action)}, in the run {answered(decision.action)}.")
    except PlayerFault as fault:
        if fault.traceback:
            say(fault.traceback.rstrip())
        return f"{fault.kind}: {fault.detail}"
    return _judged(state, action)


def _judged(state: State, action: Any) -> str:
    try:
        state.check(action)
    except IllegalAction as error:
        return f"{FaultKind.ILLEGAL}: {error}"
    return answered(action)


def _attach(settings: ReproSettings) -> str:
    pid = list(descendants(os.getpid()))[-1]
    debugger = "py-spy dump --pid" if settings.bot.kind is not BotKind.COMMAND else "gdb -p"
    return f"The bot is process {pid}, for example: {debugger} {pid}\nPress Enter for its last request. "


def debug(folder: Path, spec: Spec, *, debugger: pdb.Pdb | None = None) -> None:
    """Plays the moment with a Python bot in this process, its last request in the debugger.

    Raises `UsageError` for a bot that is a command, `BotError` for one that cannot be imported.
    """
    settings, decisions, start, _ = _read(folder)
    source = _source(settings, spec)
    if source.kind is BotKind.COMMAND:
        raise UsageError("A command cannot be debugged in this process. Use --wait and attach a debugger to it.")
    debugger = pdb.Pdb() if debugger is None else debugger
    bot_class = load_bot_class(source)
    with bot_folder(source.folder):
        bot = bot_class(**deepcopy(source.params))
        bot.clock = start.clock
        if settings.in_start:
            debugger.runcall(bot.start, start)
            return
        bot.start(start)
    for decision in decisions:
        if decision.action is None:
            debugger.runcall(bot.act, decision.view)
        else:
            bot.act(decision.view)


def _read(folder: Path) -> _Moment:
    settings = msgspec.json.decode((folder / SETTINGS_FILE).read_bytes(), type=ReproSettings)
    record = parse_record((folder / RECORD_FILE).read_bytes().strip(), str(folder / RECORD_FILE))
    walk = Replay.from_record(record)
    return _Moment(
        settings=settings,
        decisions=list(decisions_of(record, walk, settings.seat, end=settings.at)),
        start=start_of(record, settings.seat, settings.clock),
        state=walk.state_at(settings.at),
    )
