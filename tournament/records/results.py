"""The lines that a run writes beside its records: a result for each game, clocks, faults, and events.

`results.jsonl` has the result of every game, whichever records are kept. `clocks.jsonl` has a line for each game and
`faults.jsonl` one for each fault: both depend on the machine that played. `--events FILE` has what happens in the run,
for other programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Final, Literal, Union

import msgspec
from msgspec import Meta, Struct

from tournament.errors import RecordError
from tournament.games.contract import Ending
from tournament.ids import block_of, group_of, parse_game_id, rotation_of
from tournament.records.codec import AnyRecord
from tournament.records.record import Count, FaultKind, Hex256, Name, Positive, RecordId, Score, Seat, check_id
from tournament.records.run import RunState
from tournament.records.settings import is_kept

RESULTS_FILE: Final = "results.jsonl"

_ENCODER = msgspec.json.Encoder()


class ResultLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a ranking needs of one game; tuples go by seat."""

    id: RecordId
    seats: Annotated[tuple[Name, ...], Meta(min_length=1)]
    scores: tuple[Score, ...]
    places: tuple[Positive, ...]
    ending: str
    forfeits: tuple[Seat, ...] = ()
    faults: tuple[tuple[Seat, FaultKind], ...] = ()
    digest: Hex256
    """Of the record, kept or not."""

    @property
    def block(self) -> str:
        """The id of its block."""
        return block_of(self.id)

    @property
    def segment(self) -> int:
        """The number of its segment."""
        return parse_game_id(self.id).segment

    @property
    def lead(self) -> int:
        """By how many points the best seat was ahead of the second best."""
        best, second = sorted(self.scores, reverse=True)[:2] if len(self.scores) > 1 else (0, 0)
        return best - second

    @property
    def half_points(self) -> tuple[int, ...]:
        """Twice the placement points of each seat, in units of 1 / (players - 1), as integers."""
        return half_points(self.places, self.forfeits, self.ending)


@lru_cache(maxsize=65536)  # a few hundred patterns of places make up a tournament
def half_points(places: tuple[int, ...], forfeits: tuple[int, ...], ending: str) -> tuple[int, ...]:
    """Returns by seat h = 2 * (seats beaten) + (seats tied); placement points are h / (2 * (players - 1)).

    A forfeited seat, and every seat of an aborted game, gets 0.
    """
    if ending == Ending.ABORTED:
        return (0,) * len(places)
    return tuple(
        0 if seat in forfeits else 2 * sum(place < other for other in places) + places.count(place) - 1
        for seat, place in enumerate(places)
    )


class GameResult(ResultLine, frozen=True, kw_only=True, gc=False):
    """A result with its game, as it is ranked, alone or pooled with those of other runs."""

    game: str
    group: str
    """The name of the game and `-4p` for four players; all games of a group have the same number of players."""

    block: str
    """Equal for all rotations of one block and for no other game that is ranked together with them."""

    rotation: int
    deal: str | None = None
    """The name of the deal when several blocks were played on it (runs on one suite); None: the block has its own."""

    @property
    def players(self) -> int:
        """How many sat at the table."""
        return len(self.seats)

    @classmethod
    def from_line(cls, line: ResultLine, *, game: str) -> GameResult:
        """Returns the result in a line, `game` being that of its group."""
        return cls(
            id=line.id,
            seats=line.seats,
            scores=line.scores,
            places=line.places,
            ending=line.ending,
            forfeits=line.forfeits,
            faults=line.faults,
            digest=line.digest,
            game=game,
            group=group_of(line.id),
            block=line.block,
            rotation=rotation_of(line.id),
        )


_DECODER = msgspec.json.Decoder(ResultLine)


def result_line(record: AnyRecord) -> ResultLine:
    """Returns the result of a record."""
    return ResultLine(
        id=record.id,
        seats=tuple(seat.bot for seat in record.seats),
        scores=record.result.scores,
        places=record.result.places,
        ending=str(record.result.ending),
        forfeits=record.result.forfeits,
        faults=tuple((fault.seat, fault.kind) for fault in record.faults),
        digest=record.digest or "",
    )


def has_record(result: ResultLine, *, keep: str) -> bool:
    """Returns whether a run with this `keep` has the record of a game."""
    return is_kept(keep, record_id=result.id, has_faults=bool(result.faults))


def format_result(result: ResultLine) -> bytes:
    """Returns a result as a line without its newline."""
    return _ENCODER.encode(result)


def parse_result(data: bytes, where: str = RESULTS_FILE) -> ResultLine:
    """Returns the result in a line. Raises `RecordError` naming `where`."""
    try:
        return decode_result(data)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from None


def decode_result(data: bytes) -> ResultLine:
    """Returns the result in a line. Raises `RecordError` saying what is wrong with it."""
    try:
        result = _DECODER.decode(data)
    except msgspec.DecodeError as error:
        raise RecordError(
            f"{error}. `tournament resume` makes the file anew where a run keeps all its records."
        ) from None
    check_id(result.id)
    return result


def shape_misfit(players: int, *, scores: Sequence[int], places: Sequence[int], named: Iterable[int]) -> str | None:
    """Returns what is wrong with a result of this many players, as a sentence; None when nothing is."""
    for what, values in (("scores", scores), ("places", places)):
        if len(values) != players:
            return f"expected {players} {what}, one a seat, found {len(values)}."
    if any(not 0 < place <= players for place in places):
        return f"expected places from 1 to {players}, found {', '.join(map(str, places))}."
    wrong = _wrong_place(tuple(places))
    if wrong is not None:
        return wrong
    for seat in named:
        if not 0 <= seat < players:
            return f"expected seats from 0 to {players - 1}, found seat {seat}."
    return None


@lru_cache(maxsize=1024)
def _wrong_place(places: tuple[int, ...]) -> str | None:
    """Returns what is wrong with places; None when each is one more than the number of better seats."""
    for place in places:
        better = sum(other < place for other in places)
        if place != better + 1:
            return f"expected place {better + 1} where {better} are better, found {', '.join(map(str, places))}."
    return None


CLOCKS_FILE = "clocks.jsonl"
FAULTS_FILE = "faults.jsonl"

Milliseconds = Annotated[float, Meta(ge=0)]

SPREAD_STEPS: Final = 64
_FIRST_BITS: Final = 26
"""Of the square of 8,192 ns. Squares have a bit more each time that times grow by the root of 2."""


def spread_step(taken_ns: int) -> int:
    """Returns the place in `SeatClock.spread` of a move that took so long."""
    step = (taken_ns * taken_ns).bit_length() - _FIRST_BITS
    return 0 if step < 0 else step if step < SPREAD_STEPS else SPREAD_STEPS - 1


def spread_bound_ms(step: int) -> float:
    """Returns what every move counted at a place in `SeatClock.spread` took less than."""
    return float(2.0 ** ((step + _FIRST_BITS) / 2) / 1e6)


Tally = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A count that is divided and added up: every reader takes it as it stands."""


class SeatClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time one bot took in one game, measured from outside."""

    moves: Tally
    """Requests for a move, the one that ended in a fault included."""

    total_ms: Milliseconds
    longest_ms: Milliseconds
    bank_ms: Tally | None = None
    """What was left of its bank at the end; None where nobody limits it."""

    start_ms: Milliseconds = 0.0
    """For starting its process; 0 when that lived already."""

    spread: Annotated[tuple[Tally, ...], Meta(max_length=SPREAD_STEPS)] = ()
    """How many moves took how long, in steps of 41 %: under 8.192 µs, then under 11.585 µs, 16.384 µs and so on.

    Without zeros at its end; empty in runs of 0.1.0.
    """


class GameClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of `clocks.jsonl`."""

    id: RecordId
    seats: tuple[SeatClock, ...]


class TroubleKind(StrEnum):
    """What went wrong with a bot: a fault, named as in `FaultKind`, or a failure after the game."""

    START = "start"
    """Could not be started."""

    CRASH = "crash"
    """Stopped, or raised an exception, while an answer was due."""

    TIMEOUT = "timeout"
    """Did not answer in time."""

    ILLEGAL = "illegal"
    """A well-formed action that the rules do not allow."""

    MALFORMED = "malformed"
    """An answer that is none."""

    FLOOD = "flood"
    """Printed too much."""

    MEMORY = "memory"
    """Used too much memory."""

    AFTER_END = "after-end"
    """It failed once the game was over: no fault."""


class TroubleLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of `faults.jsonl`; a failure after the end of a game has neither seat nor step."""

    id: RecordId
    bot: Name
    kind: TroubleKind
    seat: Seat | None = None
    at: Count | None = None
    """Moves made before it."""

    detail: str | None = None
    """As in the record."""

    traceback: str | None = None
    stderr: str | None = None
    """The end of what the bot printed."""


EVENT_FORMAT: Final = "tournament-event"
EVENT_VERSION: Final = 1


class RunEvent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event"):
    """The fields of every event."""

    format: Literal["tournament-event"]
    version: Literal[1]
    at: str
    """UTC, ISO 8601."""


class RunStarted(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="started"):
    """Play begins or goes on."""

    run: Name
    folder: str
    entrants: tuple[Name, ...]
    games: Count
    """Of all segments; a knockout may have more."""

    played: Count
    """How many of them were there already."""


class BlockPlayed(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="block"):
    """A block has been written."""

    block: str
    order: tuple[Name, ...]
    """The entrants by seat in rotation 0."""

    scores: tuple[tuple[int, ...], ...]
    """By rotation, by seat."""

    places: tuple[tuple[int, ...], ...]
    played: Count
    """Games so far."""


class FaultSeen(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="fault"):
    """A bot broke the contract in a game of the block before."""

    id: str
    seat: Seat
    entrant: Name
    kind: FaultKind


class Noted(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="note"):
    """Something a user should know, in words."""

    text: str


class RunFinished(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="finished"):
    """Play has ended."""

    state: RunState
    played: Count


AnyEvent = Union[RunStarted, BlockPlayed, FaultSeen, Noted, RunFinished]  # noqa: UP007 (a type for msgspec, at run time)


def format_event(event: AnyEvent) -> bytes:
    """Returns an event as a line without its newline."""
    return _ENCODER.encode(event)
