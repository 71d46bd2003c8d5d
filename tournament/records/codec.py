"""Records as bytes and back: canonical form, digest, and the types of each game filled in.

A record's canonical bytes are what `json.dumps(record, sort_keys=True, separators=(",", ":"))` gives; its digest is
the SHA-256 of these bytes without the field `digest`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias, Union, get_args

import msgspec
from msgspec import structs

from tournament.errors import GameError, RecordError
from tournament.games import load_game
from tournament.games.contract import Game
from tournament.records.record import FORMAT, VERSION, By, Move, Record, check_id

AnyRecord: TypeAlias = Record[Any, Any, Any, Any]

_ENCODER = msgspec.json.Encoder()
_SORTING_ENCODER = msgspec.json.Encoder(order="sorted")
_FIELDS = sorted(Record.__struct_fields__)
_BEFORE_MOVES = frozenset(name for name in _FIELDS if name < "moves")
_DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, RecursionError)


class _HeadGame(msgspec.Struct):
    name: str


class _Head(msgspec.Struct):
    """The fields of a record that say how to read the rest."""

    format: str
    version: int
    game: _HeadGame


_HEAD = msgspec.json.Decoder(_Head)


class _Actions(dict[Move, Any]):
    """Makes the action of a move when it is first asked for."""

    def __init__(self, types: dict[Any, Any]) -> None:
        super().__init__()
        self._types = types

    def __missing__(self, move: Move) -> Any:
        kind = self._types[type(move)]
        action = self[move] = kind(**{name: getattr(move, name) for name in kind.__struct_fields__})
        return action


class _OwnSeats(dict[Move, int]):
    """Tells whose bot chose a move."""

    def __missing__(self, move: Move) -> int:
        seat = self[move] = move.seat if move.by is None else NOBODY
        return seat


NOBODY: Final = -1
"""In place of a seat: no bot of the table chose this move, but a stand-in."""


class _Texts(dict[Move, bytes]):
    """Makes the canonical bytes of a move when they are first asked for."""

    def __missing__(self, move: Move) -> bytes:
        text = self[move] = canonical_bytes(move)
        return text


class _KnownMoves(dict[bytes, Move]):
    """Reads a move from its canonical bytes, which stand here without their braces, when it is first asked for."""

    def __init__(self, move_type: Any) -> None:
        super().__init__()
        self._decoder: msgspec.json.Decoder[Move] = msgspec.json.Decoder(move_type)

    def __missing__(self, inside: bytes) -> Move:
        """Raises `ValueError` or a `msgspec.MsgspecError` for anything that is no move in canonical form."""
        text = b"{%b}" % inside
        move = self._decoder.decode(text)
        if canonical_bytes(move) != text:
            raise ValueError("not in canonical form")
        self[inside] = move
        return move


class Sealed(NamedTuple):
    """A record with its digest, and what it was worked out from."""

    record: AnyRecord
    values: dict[str, Any]
    """The record as JSON values with sorted keys, but for its moves."""

    line: bytes
    """Its canonical bytes: a line of a file without its newline."""


class Codec:
    """Reads and writes the records of one game; `game` is None for a game that is not known here."""

    def __init__(self, game: Game | None) -> None:
        self.game = game
        if game is None:
            self._action_types: dict[Any, Any] = {}
            self.record_type: Any = Record[dict[str, Any], Any, dict[str, Any], Any]
        else:
            self._move_types = {action: _move_type(game, action) for action in get_args(game.Action) or (game.Action,)}
            self._action_types = {move: action for action, move in self._move_types.items()}
            # The union is made at run time: no type checker can follow it.
            any_move: Any = Union[tuple(self._action_types)]  # noqa: UP007
            options: Any = game.Options
            deal: Any = game.Deal
            detail: Any = game.Detail
            self.record_type = Record[options, deal, any_move, detail]
            self._known_moves = _KnownMoves(any_move)
        self._decoder = msgspec.json.Decoder(self.record_type)
        # All are bounded by the game's finite set of actions, and make a move a look-up.
        self._moves: dict[tuple[int, Any, By | None], Move] = {}
        self.actions: dict[Move, Any] = _Actions(self._action_types)
        """The action of a move, made when it is first looked up: iterating gives only those made so far."""

        self._own_seats = _OwnSeats()
        self._texts = _Texts()

    def to_move(self, seat: int, action: Any, by: By | None = None) -> Move:
        """Returns the move of a record: an action with the seat that made it."""
        move = self._moves.get((seat, action, by))
        if move is None:
            fields = {name: getattr(action, name) for name in action.__struct_fields__}
            move = self._moves[seat, action, by] = self._move_types[type(action)](seat=seat, by=by, **fields)
        return move

    def to_action(self, move: Any) -> Any:
        """Returns the action of a move."""
        return self.actions[move]

    def to_actions(self, moves: Sequence[Any]) -> list[Any]:
        """Returns the actions of moves."""
        return list(map(self.actions.__getitem__, moves))

    def own_seats(self, moves: Sequence[Any]) -> list[int]:
        """Returns for each move the seat whose own bot chose it, or `NOBODY`."""
        return list(map(self._own_seats.__getitem__, moves))

    def values_of(self, record: AnyRecord) -> dict[str, Any]:
        """Returns a record as JSON values with sorted keys, but for its moves."""
        fields = {name: getattr(record, name) for name in _FIELDS if name != "moves"}
        return {
            name: msgspec.to_builtins(value, order="sorted")
            for name, value in fields.items()
            if value is not None or name == "deal"  # of a game not known here even null is a deal
        }

    def moves_text(self, record: AnyRecord) -> bytes:
        """Returns the canonical bytes of the moves of a record."""
        if self.game is None:
            return canonical_bytes(record.moves)
        return b"[%b]" % b",".join(map(self._texts.__getitem__, record.moves))

    def decode(self, line: bytes) -> AnyRecord:
        """Returns the record in a line. Raises `msgspec.DecodeError` for anything that is none of this game."""
        record: AnyRecord = self._decoder.decode(line)
        return record

    def unseal(self, line: bytes) -> Sealed | None:
        """Returns the record in a line that is canonical and has its digest, as `seal` gave it; None for any other.

        It is several times as quick as `decode` and `seal`. Moves are most of a line, and few of them differ: their
        text is cut out, and each is looked up. A wrong cut does no harm, for what was read is written again, and the
        line must be the same.
        """
        if self.game is None:
            return None
        head, _, rest = line.partition(_MOVES_BEGIN)
        moves_text, _, tail = rest.partition(_MOVES_END)
        try:
            without_moves = self._decoder.decode(b'%b"moves":[]%b' % (head, tail))
            moves = tuple(map(self._known_moves.__getitem__, moves_text.split(_BETWEEN_MOVES)))
            record = structs.replace(without_moves, moves=moves)
            sealed = _sealed(record, self.values_of(record), b"[{%b}]" % moves_text)
        except _DECODE_ERRORS:
            return None
        return sealed if sealed.line == line and record.game.name == self.game.name else None


_MOVES_BEGIN: Final = b'"moves":[{'
_BETWEEN_MOVES: Final = b"},{"
_MOVES_END: Final = b"}]"


def _move_type(game: Game, action: Any) -> Any:
    """Returns the type of moves with this kind of action: its fields, the seat, and who chose it."""
    fields = [
        (field.name, field.type, msgspec.field(default=field.default, name=field.encode_name))
        if field.default is not msgspec.NODEFAULT
        else (field.name, field.type, msgspec.field(name=field.encode_name))
        for field in structs.fields(action)
    ]
    return msgspec.defstruct(
        f"{action.__name__}Move",
        fields,
        bases=(Move,),
        tag=action.__struct_config__.tag,
        module=f"{__name__}.{game.name}",
        namespace={"__doc__": action.__doc__},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        gc=action.__struct_config__.gc,
        cache_hash=True,  # each is looked up for its action, its seat and its bytes
    )


@cache
def codec_for(name: str) -> Codec:
    """Returns the codec of a game by its name; for an unknown game one that keeps its parts as plain JSON values."""
    try:
        return Codec(load_game(name))
    except GameError:
        return Codec(None)


def codec_named_in(data: bytes) -> Codec | None:
    """Returns the codec of the game that a record names; None for what is no record."""
    try:
        return codec_for(_HEAD.decode(data).game.name)
    except _DECODE_ERRORS:
        return None


def canonical_bytes(value: Any) -> bytes:
    """Returns the canonical form of any value: sorted keys, no blanks, ASCII only."""
    return _ascii(_SORTING_ENCODER.encode(value))


def _ascii(encoded: bytes) -> bytes:
    if encoded.isascii() and b"\x7f" not in encoded:
        return encoded
    return json.dumps(json.loads(encoded), sort_keys=True, separators=(",", ":")).encode()


def seal(record: AnyRecord) -> Sealed:
    """Returns a record with its digest, its JSON values and its line."""
    codec = codec_for(record.game.name)
    return _sealed(record, codec.values_of(record), codec.moves_text(record))


def _sealed(record: AnyRecord, values: dict[str, Any], moves: bytes) -> Sealed:
    values.pop("digest", None)
    bare = _line_of(values, moves)
    values["digest"] = digest = sha256(bare).hexdigest()
    # In sorted order the digest stands right behind the deal, which comes first.
    behind_deal = len(b'{"deal":') + len(_ascii(_ENCODER.encode(values["deal"])))
    line = b'%b,"digest":"%b"%b' % (bare[:behind_deal], digest.encode(), bare[behind_deal:])
    return Sealed(structs.replace(record, digest=digest), values, line)


def _line_of(values: dict[str, Any], moves: bytes) -> bytes:
    """Returns the canonical bytes of a record from its values and those of its moves, which stand in the middle."""
    before = {name: value for name, value in values.items() if name in _BEFORE_MOVES}
    behind = {name: value for name, value in values.items() if name not in _BEFORE_MOVES}
    return b'%b,"moves":%b,%b' % (_ascii(_ENCODER.encode(before))[:-1], moves, _ascii(_ENCODER.encode(behind))[1:])


def digest_of(record: AnyRecord) -> str:
    """Returns the SHA-256 over the canonical record without its digest, as hex."""
    digest = seal(record).record.digest
    assert digest is not None, "a sealed record has its digest"
    return digest


def has_its_digest(line: bytes) -> bool:
    """Returns whether a line holds a record whose digest is that of its bytes. Cost: their SHA-256."""
    head, _, rest = line.partition(b',"digest":"')
    digest, quote, tail = rest[:64], rest[64:65], rest[65:]
    if quote == b'"' and sha256(head + tail).hexdigest().encode() == digest:
        return True
    try:  # in another layout, or none
        record = parse_record(line)
    except RecordError:
        return False
    return digest_of(record) == record.digest


def format_record(record: AnyRecord) -> bytes:
    """Returns the canonical bytes of a record: a line of a file without its newline."""
    codec = codec_for(record.game.name)
    return _line_of(codec.values_of(record), codec.moves_text(record))


def parse_record(line: bytes | str, where: str = "record") -> AnyRecord:
    """Returns the record in a line of JSON, as `decode_record` does. Raises `RecordError` naming `where`."""
    try:
        return decode_record(line.encode() if isinstance(line, str) else line)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from None


def decode_record(data: bytes) -> AnyRecord:
    """Returns the record in a line of JSON; of a game not known here, with its parts as plain JSON values.

    Checks shape only; whether the record is true is for the audit. Raises `RecordError` saying what was
    expected and what was found.
    """
    try:
        head = _HEAD.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"this is no record ({error}). Give a file that `tournament run` wrote.") from None
    if head.format != FORMAT:
        raise RecordError(f'format is "{head.format}", expected "{FORMAT}". Give a file of records.')
    if head.version != VERSION:
        raise RecordError(
            f"this is version {head.version} of the record format, and this tournament reads version "
            f"{VERSION}. A newer tournament wrote it: use that one, or a later one, for it."
        )
    try:
        record = codec_for(head.game.name).decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"{error}. `tournament audit` says everything that is wrong.") from None
    check_id(record.id)
    if record.digest is None:
        raise RecordError("the digest is missing. `tournament audit` says everything that is wrong.")
    return record
