"""Plays a moment again that `tournament repro` wrote down; its script calls `main`."""

from __future__ import annotations

import argparse
import os
import pdb
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from tournament.entrants import BotKind
from tournament.errors import IllegalAction, TournamentError, UsageError
from tournament.games.base import State
from tournament.lab.repro import RECORD_FILE, SETTINGS_FILE, Decision, Settings, answered, decisions_of, start_of
from tournament.players.base import Player, PlayerFault
from tournament.players.bot import Clock, GameStart
from tournament.players.launching import Launcher
from tournament.players.loading import bot_folder, load_bot_class
from tournament.players.process import ProcessPlayer
from tournament.players.trees import descendants
from tournament.records.codec import parse_record
from tournament.records.hosting import TimeControl
from tournament.records.model import FaultKind
from tournament.replay import replay

HOUR_MS = 3_600_000
NO_HURRY = TimeControl(move_ms=HOUR_MS, bank_ms=0, start_ms=HOUR_MS, newgame_ms=HOUR_MS)

Say = Callable[[str], object]
Ask = Callable[[str], object]


class _Moment(NamedTuple):
    settings: Settings
    decisions: list[Decision]
    start: GameStart
    state: State
    """At the last request."""


def main(folder: Path, words: Sequence[str]) -> int:
    """Plays the moment of a folder again, as the words ask; returns an exit code."""
    parser = argparse.ArgumentParser(description="Plays one moment of a game again.")
    parser.add_argument("--pdb", action="store_true", help="a Python bot in this process, in the debugger")
    parser.add_argument("--wait", action="store_true", help="wait before the last request, to attach a debugger")
    asked = parser.parse_args(words)
    try:
        if asked.pdb:
            debug(folder)
        else:
            print(reproduce(folder, ask=input if asked.wait else None, say=print))  # noqa: T201 (a script prints)
    except TournamentError as error:
        print(f"Error: {error}")  # noqa: T201
        return error.exit_code
    return 0


def reproduce(folder: Path, *, ask: Ask | None = None, say: Say) -> str:
    """Returns what the bot does now at the moment, as a sentence.

    With `ask` nobody hurries the bot, and before its last request `ask` is called with the number of its process.
    """
    moment = _read(folder)
    settings = moment.settings
    clock = settings.clock if ask is None else NO_HURRY
    start = replace(moment.start, clock=Clock(move_ms=clock.move_ms, bank_ms=clock.bank_ms))
    launcher = Launcher()
    player = ProcessPlayer(
        settings.source,
        launcher,
        isolation=settings.isolation,
        clock=clock,
        limits=settings.limits,
        write=lambda text: say(f"stderr: {text.rstrip()}"),
    )
    try:
        now = _play(player, moment._replace(start=start), ask=ask, say=say)
    finally:
        player.close()
        launcher.close()
    then = settings.expected
    return f"In the run: {then}\nNow:        {now}\n{'The same.' if now == then else 'Not the same.'}"


def _play(player: Player, moment: _Moment, *, ask: Ask | None, say: Say) -> str:
    settings, decisions, start, state = moment
    try:
        player.start(start)
        if settings.in_start:
            return "it starts"
        for decision in decisions:
            if ask is not None and decision.action is None:
                ask(_attach(settings))
            action = player.act(decision.view, start.clock)
            if decision.action is not None and action != decision.action:
                say(f"Move {decision.step}: now {answered(action)}, in the run {answered(decision.action)}.")
    except PlayerFault as fault:
        if fault.traceback:
            say(fault.traceback.rstrip())
        return f"{fault.kind}: {fault.detail}"
    return _judged(state, action)


def _judged(state: State, action: Any) -> str:
    """Returns what an action is, as the referee would say it."""
    try:
        state.check(action)
    except IllegalAction as error:
        return f"{FaultKind.ILLEGAL}: {error}"
    return answered(action)


def _attach(settings: Settings) -> str:
    pid = list(descendants(os.getpid()))[-1]
    debugger = "py-spy dump --pid" if settings.source.kind is not BotKind.COMMAND else "gdb -p"
    return f"The bot is process {pid}, for example: {debugger} {pid}\nPress Enter for its last request. "


def debug(folder: Path, *, debugger: pdb.Pdb | None = None) -> None:
    """Plays the moment with a Python bot in this process, the last request in the debugger.

    Raises `UsageError` for a bot that is a command, `BotError` for one that cannot be imported.
    """
    settings, decisions, start, _ = _read(folder)
    source = settings.source
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
    settings = msgspec.json.decode((folder / SETTINGS_FILE).read_bytes(), type=Settings)
    record = parse_record((folder / RECORD_FILE).read_bytes().strip(), str(folder / RECORD_FILE))
    walk = replay(record)
    return _Moment(
        settings=settings,
        decisions=list(decisions_of(record, walk, settings.seat, end=settings.at)),
        start=start_of(record, settings.seat, settings.clock),
        state=walk.state_at(settings.at),
    )
