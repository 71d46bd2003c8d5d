"""Plays a bot in a process of its own (`isolation: process` and `sandbox`), which is kept from game to game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from time import monotonic_ns
from typing import Any, Final

from tournament.entrants.model import BotSource
from tournament.games import game_names
from tournament.players import protocol
from tournament.players.base import FaultReason, PlayerFault, clock_of
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.linux.child import Child, LaunchError
from tournament.players.linux.files import remove_left, remove_tree
from tournament.players.linux.spawner import Spawner
from tournament.players.linux.supervision import MS
from tournament.players.output import Write
from tournament.records.protocol import Failed, Quit, Wanted
from tournament.records.record import FaultKind
from tournament.records.settings import Isolation, Limits, TimeControl

QUIT_MS: Final = 500
UNASKED_LINES: Final = 1000
"""How many lines that a kept process wrote after its last game are skipped when the next begins."""

Trace = Callable[[str, bytes, int], object]
"""Takes `->` or `<-`, a line without its newline, and the monotonic clock in nanoseconds."""

_QUIT: Final = protocol.encode(Quit())


class ProcessPlayer:
    """A bot as a child process that speaks protocol 1."""

    def __init__(
        self,
        source: BotSource,
        spawner: Spawner,
        *,
        isolation: Isolation,
        clock: TimeControl,
        limits: Limits,
        write: Write | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Starts no process yet. What the bot prints goes to `write`, each line of the protocol to `trace`."""
        self._source = source
        self._spawner = spawner
        self._isolation = isolation
        self._clock = clock
        self._limits = limits
        self._write = write
        self._trace = trace
        self._child: Child | None = None
        self._place = ""
        self._games: tuple[str, ...] | None = None
        self._players: tuple[int, ...] | None = None
        self.lists = False
        self._decode = protocol.decode_ok
        self._game: str | None = None
        self.taken_ns = 0
        self.start_ms = 0.0

    def start(self, info: GameStart) -> None:
        """Begins a game, in the process of the game before if that still runs. Raises `PlayerFault`."""
        self.start_ms = 0.0
        self._decode, self._game = protocol.action_decoder(info.game), info.game
        if self._child is not None and not self._child.has_ended():
            # What a bot does between games is no fault: it gets a new process.
            with contextlib.suppress(_GoneError):
                self._begin(info, kept=True)
                return
        self._let_go()
        self._spawn()
        self._begin(info, kept=False)

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns the action that the bot answered. Raises `PlayerFault`."""
        child = self._child
        if child is None:
            raise RuntimeError("act is asked of a bot that has not started this game, or has left it")
        clock = clock or clock_of(self._clock)
        request_id = protocol.new_id()
        line = protocol.act_line(request_id, view=view, clock=clock, legal=not self.lists)
        try:
            answer = self._ask(child, line, time_ms=(clock.move_ms or 0) + (clock.bank_ms or 0))
            said = protocol.parse_answer(answer, self._decode, wanted=Wanted.ACTION)
            if said.id != request_id:
                raise _wrong_id(answer)
            if isinstance(said, Failed):
                raise protocol.fault_of(said, answer, wanted=Wanted.ACTION, game=self._game)
        except PlayerFault as fault:
            raise self._ended_by(fault) from None
        finally:
            self.taken_ns = child.taken_ns
        return said.action

    def end(self, result: GameEnd) -> None:
        """Tells the bot how the game ended; it can read that when it runs again."""
        child = self._child
        if child is None:
            return
        line = protocol.encode(protocol.end(result))
        self._note("->", line)
        child.tell(line)
        self._pass_on(child)

    def dismiss(self) -> str | None:
        """Ends the process, so that the next game begins in a new one; returns the end of its stderr."""
        child = self._child
        self._let_go()
        return None if child is None else child.tail() or None

    def request_quit(self) -> None:
        """Asks the bot to exit; `close` waits for it."""
        if self._child is not None:
            self._note("->", _QUIT)
            self._child.request_quit(_QUIT)

    def close(self) -> None:
        """Gives the process half a second to exit, ends it, and removes its scratch folder."""
        self.request_quit()
        self._let_go(wait_ms=QUIT_MS)

    def _spawn(self) -> None:
        """Starts a process and sends it `hello`. Raises `PlayerFault` (start)."""
        begun = monotonic_ns()
        deadline = begun + self._clock.start_ms * MS
        child, self._place = self._spawner.start(self._source, isolation=self._isolation, limits=self._limits)
        self._child = child
        request_id = protocol.new_id()
        hello = protocol.hello(request_id, games=self._source.games or game_names(), limits=self._limits)
        try:
            child.launched(deadline)
            answer = self._ask(child, protocol.encode(hello), time_ms=(deadline - monotonic_ns()) / MS)
            said = protocol.parse_answer(answer, protocol.decode_ready, wanted=Wanted.READY)
            if said.id != request_id:
                raise _wrong_id(answer)
            if isinstance(said, Failed):
                raise protocol.fault_of(said, answer, wanted=Wanted.READY)
        except LaunchError as error:
            text, reason = f"{self._source.spec}: {error}\n", FaultReason.NOT_EXECUTED
            fault = PlayerFault(FaultKind.START, "cannot be executed", traceback=text, reason=reason)
            raise self._ended_by(fault) from None
        except PlayerFault as early:
            raise self._ended_by(_as_start(early)) from None
        self._games, self._players, self.lists = said.games, said.players, not said.legal
        self.start_ms = (monotonic_ns() - begun) / MS

    def _begin(self, info: GameStart, *, kept: bool) -> None:
        """Sends `start`. Raises `PlayerFault`, or `_GoneError` for a kept process that cannot go on."""
        child = self._child
        assert child is not None
        if self._games is not None and info.game not in self._games:
            detail = f"ready says that it does not play {info.game}"
            raise self._ended_by(PlayerFault(FaultKind.START, detail, reason=FaultReason.OTHER_GAME))
        if self._players is not None and info.players not in self._players:
            detail = f"ready says that it does not play with {info.players} players"
            raise self._ended_by(PlayerFault(FaultKind.START, detail, reason=FaultReason.OTHER_PLAYERS))
        child.begin_game()
        request_id = protocol.new_id()
        line = protocol.encode(protocol.start(request_id, info))
        deadline = monotonic_ns() + self._clock.newgame_ms * MS
        unasked = 0
        try:
            while True:
                answer = self._ask(child, line, time_ms=(deadline - monotonic_ns()) / MS)
                said = self._parse_ok(answer, kept=kept)
                if said is not None and said.id == request_id:
                    break
                if not kept or unasked == UNASKED_LINES:
                    raise _wrong_id(answer)
                line = b""
                unasked += 1
            child.check_memory()
        except PlayerFault as fault:
            # What it wrote after its last game was no fault then, and is none now.
            if kept and (unasked or fault.kind in (FaultKind.CRASH, FaultKind.MALFORMED)):
                raise _GoneError from None
            raise self._ended_by(_as_start(fault)) from None
        if isinstance(said, Failed):
            raise self._ended_by(_as_start(protocol.fault_of(said, answer, wanted=Wanted.OK)))

    def _parse_ok(self, answer: bytes, *, kept: bool) -> Any:
        """Returns the answer to `start`; None for a line that a kept process wrote after its last game."""
        try:
            return protocol.parse_answer(answer, protocol.decode_ok, wanted=Wanted.OK)
        except PlayerFault:
            if kept:
                return None
            raise

    def _ask(self, child: Child, line: bytes, *, time_ms: float) -> bytes:
        if self._trace is None:
            return child.ask(line, time_ms=time_ms)
        if line:
            self._note("->", line)
        answer = child.ask(line, time_ms=time_ms)
        self._note("<-", answer)
        return answer

    def _note(self, direction: str, line: bytes) -> None:
        if self._trace is not None:
            self._trace(direction, line.rstrip(b"\n"), monotonic_ns())

    def _ended_by(self, fault: PlayerFault) -> PlayerFault:
        fault.stderr = self.dismiss()
        return fault

    def _pass_on(self, child: Child) -> None:
        text = child.printed()
        if text and self._write is not None:
            self._write(text)

    def _let_go(self, *, wait_ms: int = 0) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        try:
            child.close(wait_ms=wait_ms)
        finally:
            with contextlib.suppress(OSError):
                self._pass_on(child)
            remove_tree(self._place)
            if child.uid is not None:
                remove_left(child.uid)


class _GoneError(Exception):
    """A kept process has ended between two games, or wrote so much that its answers cannot be found."""


def _wrong_id(answer: bytes) -> PlayerFault:
    return PlayerFault(
        FaultKind.MALFORMED, protocol.WRONG_ID, answer=protocol.format_answer(answer), reason=FaultReason.WRONG_ID
    )


def _as_start(fault: PlayerFault) -> PlayerFault:
    """Returns a fault from before the first decision as one of kind `start`: a bot that cannot be started.

    An exception in the bot's own `start` stays a crash, and too much memory or output stays what it is.
    """
    if fault.kind in (FaultKind.FLOOD, FaultKind.MEMORY) or fault.reason is FaultReason.RAISED_IN_START:
        return fault
    return PlayerFault(
        FaultKind.START,
        fault.detail,
        answer=fault.answer,
        traceback=fault.traceback,
        late=fault.late,
        reason=fault.reason,
    )
