"""The messages of protocol 1: one JSON object a line, over a bot's stdin and stdout.

Requests carry an `id` that the answer repeats: a fresh random integer below 2^53, so nothing can
be sent ahead. Both sides ignore fields they do not know.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from tournament.games.contract import END_OF_TEXT
from tournament.records.record import ANSWER_CHARACTERS, Count, FaultKind, GameName

PROTOCOL: Final = 1
LINE_BYTES: Final = 65_536
"""The longest line a bot may send, without its newline."""

ID_BITS: Final = 53
"""Every language with IEEE numbers holds an integer of that many bits."""

TRACEBACK_CHARACTERS: Final = 4000

NOT_IMPORTED: Final = "the bot cannot be imported"
_TYPE_NAME: Final = r"[^\W\d]\w{0,59}"
_START_RAISED: Final = f"start raised {_TYPE_NAME}"
_WRONG_FIELD: Final = "act returned an action with a field of a wrong type"


class Wanted(StrEnum):
    """Which answer a request asks for."""

    READY = "ready"
    OK = "ok"
    ACTION = "action"


class Failure(Struct, frozen=True, kw_only=True):
    """A sentence with which a host says how its bot broke the contract: when it may, and what fault that is."""

    pattern: str
    wanted: Wanted
    kind: FaultKind
    has_answer: bool = False
    """Whether it says, too, what the bot chose; otherwise it may not."""


FAILURES: Final = (
    Failure(pattern=NOT_IMPORTED, wanted=Wanted.READY, kind=FaultKind.START),
    Failure(pattern=f"__init__ raised {_TYPE_NAME}", wanted=Wanted.OK, kind=FaultKind.START),
    Failure(pattern=_START_RAISED, wanted=Wanted.OK, kind=FaultKind.CRASH),
    Failure(pattern=f"act raised {_TYPE_NAME}", wanted=Wanted.ACTION, kind=FaultKind.CRASH),
    Failure(pattern=_WRONG_FIELD, wanted=Wanted.ACTION, kind=FaultKind.MALFORMED, has_answer=True),
    Failure(
        pattern=rf"act returned an object of type {_TYPE_NAME}, no action of (?P<game>[a-z][a-z0-9_-]{{0,31}})",
        wanted=Wanted.ACTION,
        kind=FaultKind.MALFORMED,
        has_answer=True,
    ),
)
"""All that a host may say, in a record too."""

FAILED: Final = rf"^(?:{'|'.join(failure.pattern.replace('?P<game>', '?:') for failure in FAILURES)})" + END_OF_TEXT

ActionT = TypeVar("ActionT")
ViewT = TypeVar("ViewT")

Id = Annotated[int, Meta(ge=0, lt=1 << ID_BITS)]
Milliseconds = Annotated[int, Meta(ge=0)]


class LimitsMessage(Struct, frozen=True, kw_only=True):
    """What a bot may use."""

    line_bytes: Count
    stderr_bytes: Count
    """In one game."""

    memory_mb: Count


class ClockMessage(Struct, frozen=True, kw_only=True):
    """The time for the moves of one game."""

    move_ms: Milliseconds
    """Free for each move."""

    bank_ms: Milliseconds
    """For the whole game: what moves take beyond `move_ms`."""


class Hello(Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first request, once a process; answered by `ready`."""

    id: Id
    protocol: int
    games: tuple[GameName, ...]
    """The games this bot may be asked to play."""

    limits: LimitsMessage


class StartMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="start"):
    """A game begins; answered by `ok`."""

    id: Id
    game: GameName
    players: Count
    seat: Count
    options: Any
    """The options of the game, as in its record."""

    rng: Annotated[str, Meta(pattern="^[0-9a-f]{32}" + END_OF_TEXT)]
    """The bot's own seed: draw from nothing else, and equal seeds give equal games."""

    clock: ClockMessage


class Act(Struct, Generic[ViewT], frozen=True, kw_only=True, tag_field="type", tag="act", omit_defaults=True):
    """A decision is due; answered by `action`."""

    id: Id
    bank_ms: Milliseconds
    """What is left of the bank before this move."""

    view: ViewT
    """What this seat may know now, with the news since its last request."""

    legal: tuple[Any, ...] | None = None
    """What this seat may do; left out for a bot that said `"legal": false`."""


class EndMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The game is over; no answer."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    ending: str
    news: tuple[Any, ...]
    """What this seat saw since its last request."""


class Quit(Struct, frozen=True, kw_only=True, tag_field="type", tag="quit"):
    """Nothing more is asked: exit within half a second."""


class Ready(Struct, frozen=True, kw_only=True, tag_field="type", tag="ready"):
    """Answers `hello`."""

    id: int
    protocol: Literal[1] = 1
    version: Annotated[str, Meta(max_length=64)] | None = None
    """For people; what stands in records comes from the configuration."""

    games: tuple[str, ...] | None = None
    """The games this bot plays; left out: all."""

    players: tuple[int, ...] | None = None
    """The numbers of players this bot plays with; left out: all."""

    legal: bool = True
    """Whether the bot wants the list of legal actions with every `act`."""


class Ok(Struct, frozen=True, kw_only=True, tag_field="type", tag="ok"):
    """Answers `start`."""

    id: int


class ActionAnswer(Struct, Generic[ActionT], frozen=True, kw_only=True, tag_field="type", tag="action"):
    """Answers `act`."""

    id: int
    action: ActionT


class Failed(Struct, frozen=True, kw_only=True, tag_field="type", tag="failed", omit_defaults=True):
    """Answers any request instead: the bot broke the contract, and its host says how. Optional; to exit is enough.

    It costs the seat the game like any other fault, and in a record it can say nothing but these sentences.
    """

    id: int
    detail: Annotated[str, Meta(pattern=FAILED)]
    answer: Annotated[str, Meta(max_length=ANSWER_CHARACTERS)] | None = None
    """What the bot chose, where it is no action."""

    traceback: Annotated[str, Meta(max_length=TRACEBACK_CHARACTERS)] | None = None
    """For the author; no part of the record."""


def has_raised_in_start(detail: str) -> bool:
    """Returns whether the sentence of a recorded fault says that the bot's own `start` raised an exception."""
    return re.fullmatch(_START_RAISED, detail) is not None


def kind_of_failure(said: Failed, *, wanted: Wanted, game: str | None = None) -> FaultKind | None:
    """Returns what fault a `failed` answer tells of; None when sentence or `answer` do not fit the request."""
    for failure in FAILURES:
        match = re.fullmatch(failure.pattern, said.detail)
        if match is None or failure.wanted is not wanted or failure.has_answer != (said.answer is not None):
            continue
        if match.groupdict().get("game", game) == game:
            return failure.kind
    return None


_Sent = Hello | StartMessage | Act[dict[str, Any]] | EndMessage | Quit
_Answered = Ready | Ok | ActionAnswer[dict[str, Any]] | Failed
Message = _Sent | _Answered
