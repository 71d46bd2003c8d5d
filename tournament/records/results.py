"""`results.jsonl`: the result of every game of a run in one short line, whichever records are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from tournament.errors import RecordError
from tournament.games.contract import Ending
from tournament.ids import block_of, group_of, parse_game_id, rotation_of
from tournament.records.codec import AnyRecord
from tournament.records.record import FaultKind, Hex256, Name, Positive, RecordId, Score, Seat, check_id
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
