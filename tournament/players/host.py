"""Speaks protocol 1 for a Python bot, in the bot's own process.

The first line says which bot it is, because others could read that in the arguments of the process. The protocol uses
private descriptors: what the bot prints goes to stderr, and its stdin is empty. Bots are loaded, and made anew for each
game, by the same code as in the process of the tournament.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

import msgspec

from tournament.entrants.model import BotSource
from tournament.errors import BotError
from tournament.games import load_game
from tournament.games.contract import options_from
from tournament.players.base import Interrupts, PlayerFault
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.inline import InlinePlayer, load_bot_class
from tournament.records.protocol import (
    NOT_IMPORTED,
    TRACEBACK_CHARACTERS,
    Act,
    ActionAnswer,
    EndMessage,
    Failed,
    Hello,
    Ok,
    Quit,
    Ready,
    StartMessage,
)

ACT: Final = b'{"type":"act"'
"""How a request for a decision begins: these are told from other requests before they are decoded."""

READ_BYTES: Final = 65_536


@cache
def _act_decoder(game: str) -> Callable[[bytes], Any]:
    view: Any = load_game(game).View
    return msgspec.json.Decoder(Act[view]).decode


def main() -> None:
    """Hosts the bot of a source, which is the first line, until it is told to quit or its requests end."""
    _Host(*_private_descriptors()).serve()
    sys.stdout.flush()
    os._exit(0)  # no thread and no exit handler of a bot can delay its end


def _private_descriptors() -> tuple[int, int]:
    """Moves the protocol away from stdin and stdout, where a bot's own input and output are."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    return requests, answers


class _Host:
    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._buffer = bytearray()
        self._source = msgspec.json.decode(self._read() or b"", type=BotSource)
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Hello | StartMessage | EndMessage | Quit).decode
        self._decode_act: Callable[[bytes], Any] = msgspec.json.Decoder(Act[Any]).decode
        self._clock = Clock()
        self._game = ""
        self._player: InlinePlayer | None = None

    def serve(self) -> None:
        while (line := self._read()) is not None:
            if line.startswith(ACT):
                self._act(self._decode_act(line))
                continue
            request = self._decode(line)
            if isinstance(request, Hello):
                self._hello(request)
            elif isinstance(request, StartMessage):
                self._start(request)
            elif isinstance(request, EndMessage):
                self._end(request)
            else:
                return

    def _hello(self, request: Hello) -> None:
        try:
            bot_class = load_bot_class(self._source)
        except BotError as error:
            self._write(Failed(id=request.id, detail=NOT_IMPORTED, traceback=str(error)[:TRACEBACK_CHARACTERS]))
            return
        self._player = InlinePlayer(bot_class, self._source, interrupts=Interrupts(), on_end_error=sys.stderr.write)
        self._write(Ready(id=request.id, version=self._source.version, games=self._source.games or None, legal=False))

    def _start(self, request: StartMessage) -> None:
        game = load_game(request.game)
        self._game = game.name
        self._decode_act = _act_decoder(game.name)
        self._clock = Clock(move_ms=request.clock.move_ms, bank_ms=request.clock.bank_ms)
        info = GameStart(
            game=request.game,
            players=request.players,
            seat=request.seat,
            options=options_from(game, request.options),
            rng=Random(int(request.rng, 16)),
            clock=self._clock,
            seed=request.rng,
        )
        try:
            self._hosted().start(info)
        except PlayerFault as fault:
            self._fail(request.id, fault)
        else:
            self._write(Ok(id=request.id))

    def _act(self, request: Act[Any]) -> None:
        clock = self._clock
        if request.bank_ms != clock.bank_ms:
            clock = self._clock = Clock(move_ms=clock.move_ms, bank_ms=request.bank_ms)
        try:
            action = self._hosted().act(request.view, clock)
        except PlayerFault as fault:
            self._fail(request.id, fault)
        else:
            self._write(ActionAnswer(id=request.id, action=action))

    def _end(self, request: EndMessage) -> None:
        news: Any = load_game(self._game).News
        self._hosted().end(
            GameEnd(
                scores=request.scores,
                places=request.places,
                ending=request.ending,
                news=msgspec.convert(request.news, tuple[news, ...]),
            )
        )

    def _hosted(self) -> InlinePlayer:
        if self._player is None:
            raise RuntimeError("a game was begun before hello")
        return self._player

    def _fail(self, request_id: int, fault: PlayerFault) -> None:
        self._write(Failed(id=request_id, detail=fault.detail, answer=fault.answer, traceback=fault.traceback))

    def _read(self) -> bytes | None:
        """Returns the next line; None when there are no more."""
        buffer = self._buffer
        while (end := buffer.find(b"\n")) < 0:
            data = os.read(self._requests, READ_BYTES)
            if not data:
                return None
            if not buffer and data.find(b"\n") == len(data) - 1:  # nearly always the case, so it has a short way
                return data
            buffer += data
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        return line

    def _write(self, message: Any) -> None:
        data = self._encode(message) + b"\n"
        while data:
            data = data[os.write(self._answers, data) :]
