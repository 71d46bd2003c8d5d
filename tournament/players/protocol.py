"""Protocol 1 as the runner speaks it: requests become lines, and answers are checked and decoded."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from tournament.games import load_game
from tournament.players.base import FaultReason, PlayerFault
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.records.protocol import (
    ID_BITS,
    LINE_BYTES,
    PROTOCOL,
    ActionAnswer,
    ClockMessage,
    EndMessage,
    Failed,
    Hello,
    LimitsMessage,
    Ok,
    Quit,
    Ready,
    StartMessage,
    Wanted,
    kind_of_failure,
)
from tournament.records.record import ANSWER_CHARACTERS, FaultKind
from tournament.records.settings import Limits

Decode = Callable[[bytes], Any]

IDS_AT_ONCE: Final = 512
_ids: list[int] = []
_encode = msgspec.json.Encoder().encode

WRONG_ID: Final = "spoke when nothing was asked, or answered with the id of another request"
_REASON: Final = {
    (Wanted.READY, FaultKind.START): FaultReason.NOT_IMPORTED,
    (Wanted.OK, FaultKind.START): FaultReason.RAISED,
    (Wanted.OK, FaultKind.CRASH): FaultReason.RAISED_IN_START,
    (Wanted.ACTION, FaultKind.CRASH): FaultReason.RAISED,
}
"""Why a host said `failed`, by what was asked and by the kind of fault."""

NO_ANSWER: Final = {
    Wanted.READY: "the answer to hello is not ready",
    Wanted.OK: "the answer to start is not ok",
    Wanted.ACTION: "the answer to act is not an action of this game",
}

decode_ready: Final[Decode] = msgspec.json.Decoder(Ready | Failed).decode
decode_ok: Final[Decode] = msgspec.json.Decoder(Ok | Failed).decode


@cache
def action_decoder(game: str) -> Decode:
    """Returns the decoder of answers to `act` in a game."""
    action: Any = load_game(game).Action
    return msgspec.json.Decoder(ActionAnswer[action] | Failed).decode


def new_id() -> int:
    """Returns an id that nobody can guess, so that no request can be answered before it is made."""
    if not _ids:
        _ids.extend(
            number >> (64 - ID_BITS) for number in struct.unpack(f"{IDS_AT_ONCE}Q", os.urandom(8 * IDS_AT_ONCE))
        )
    return _ids.pop()


def encode(message: Hello | StartMessage | EndMessage | Quit) -> bytes:
    """Returns a message as a line, with its newline."""
    return _encode(message) + b"\n"


def hello(request_id: int, *, games: Sequence[str], limits: Limits) -> Hello:
    """Returns the first request to a process."""
    return Hello(
        id=request_id,
        protocol=PROTOCOL,
        games=tuple(games),
        limits=LimitsMessage(line_bytes=LINE_BYTES, stderr_bytes=limits.stderr_bytes, memory_mb=limits.memory_mb),
    )


def start(request_id: int, info: GameStart) -> StartMessage:
    """Returns the request that begins a game."""
    return StartMessage(
        id=request_id,
        game=info.game,
        players=info.players,
        seat=info.seat,
        options=info.options,
        rng=info.seed,
        clock=ClockMessage(move_ms=info.clock.move_ms or 0, bank_ms=info.clock.bank_ms or 0),
    )


def act_line(request_id: int, *, view: Any, clock: Clock, legal: bool) -> bytes:
    """Returns the request for a decision as a line, an `Act`, with the legal actions if the bot wants them."""
    line = b'{"type":"act","id":%d,"bank_ms":%d,"view":%b' % (request_id, clock.bank_ms or 0, _encode(view))
    return line + (b',"legal":%b}\n' % _encode(view.legal_actions()) if legal else b"}\n")


def end(result: GameEnd) -> EndMessage:
    """Returns the message that ends a game."""
    return EndMessage(scores=result.scores, places=result.places, ending=result.ending, news=result.news)


def fault_of(said: Failed, line: bytes, *, wanted: Wanted, game: str | None = None) -> PlayerFault:
    """Returns the fault that a `failed` answer reports; malformed when it does not fit the request."""
    kind = kind_of_failure(said, wanted=wanted, game=game)
    if kind is None:
        return PlayerFault(FaultKind.MALFORMED, NO_ANSWER[wanted], answer=format_answer(line))
    reason = _REASON.get((wanted, kind))
    return PlayerFault(kind, said.detail, answer=said.answer, traceback=said.traceback, reason=reason)


def parse_answer(line: bytes, decode: Decode, *, wanted: Wanted) -> Any:
    """Returns an answer of one of the types of `decode`; the caller checks its id.

    Raises `PlayerFault` (malformed) with the fixed sentence for the request.
    """
    try:
        if not line.isascii():
            line.decode()
        return decode(line)
    except UnicodeDecodeError:
        detail, why = "the answer is not UTF-8", ""
    except RecursionError:
        detail, why = "the answer is nested too deeply", ""
    except msgspec.ValidationError as error:
        detail, why = NO_ANSWER[wanted], str(error)
    except msgspec.DecodeError as error:
        detail, why = "the answer is not JSON", str(error)
    raise PlayerFault(FaultKind.MALFORMED, detail, answer=format_answer(line), traceback=why or None)


def format_answer(line: bytes) -> str:
    """Returns a raw answer as a record has it: shortened, and with backslashes for what is not UTF-8."""
    return line[: 4 * ANSWER_CHARACTERS].decode("utf-8", "backslashreplace")[:ANSWER_CHARACTERS]
