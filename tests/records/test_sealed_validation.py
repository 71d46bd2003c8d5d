"""Sealed records are found to fit, or not to, as the schema alone finds them, though moves are looked at only once."""

from __future__ import annotations

from typing import Any

import pytest
from make_goldens import FOLDER
from msgspec import to_builtins
from msgspec.structs import replace

from tournament.errors import RecordError
from tournament.games import game_names
from tournament.records.codec import AnyRecord, Sealed, parse_record, seal
from tournament.records.misfits import check_sealed
from tournament.records.schema import SealedValidator, load_schema, record_schema_name, validator_for

GOLDENS = sorted(FOLDER.glob("*.json"))


def with_move(record: AnyRecord, index: int, **fields: Any) -> Sealed:
    """Returns a record, sealed, one of whose moves is another; nothing checks its fields."""
    moves = list(record.moves)
    moves[index] = replace(moves[index], **fields)
    return seal(replace(record, moves=tuple(moves)))


def golden(name: str = "scout-4p-emptied") -> AnyRecord:
    return parse_record((FOLDER / f"{name}.json").read_bytes())


@pytest.mark.parametrize("game", game_names())
def test_a_schema_says_nothing_of_moves_as_a_whole(game: str):
    """Or moves could not be looked at one by one."""
    assert {"type", "items"} == load_schema(record_schema_name(game))["properties"]["moves"].keys()


@pytest.mark.parametrize("game", game_names())
def test_records_fit_before_and_after_their_moves_are_known(game: str):
    validator = SealedValidator(game)
    sealed = [seal(parse_record(path.read_bytes())) for path in GOLDENS if path.name.startswith(game)]

    assert [True] * 2 * len(sealed) == [validator.is_valid(one) for one in sealed * 2]


def test_a_move_that_does_not_fit_is_found_each_time():
    validator = SealedValidator("scout")
    wrong = with_move(golden(), 7, seat=-1)

    assert [True, False, False] == [validator.is_valid(sealed) for sealed in (seal(golden()), wrong, wrong)]


def test_what_does_not_fit_beside_the_moves_is_found_when_all_moves_are_known():
    validator = SealedValidator("scout")
    record = golden()
    validator.is_valid(seal(record))

    assert not validator.is_valid(seal(replace(record, id="?")))


def test_moves_of_a_record_that_does_not_fit_are_not_taken_as_fitting():
    validator = SealedValidator("scout")
    wrong = with_move(golden(), 7, seat=-1)
    validator.is_valid(wrong)
    schema = validator_for("record-scout.v1")
    its_move = replace(wrong.record, moves=wrong.record.moves[7:8])

    assert schema.is_valid(to_builtins(its_move)) == validator.is_valid(seal(its_move))


def test_a_record_of_an_unknown_game_is_judged_by_the_general_schema():
    line = (FOLDER / "scout-4p-emptied.json").read_bytes().replace(b'"scout"', b'"unknown"')
    sealed = seal(parse_record(line))
    validator = SealedValidator("unknown")

    assert [True, False] == [validator.is_valid(one) for one in (sealed, seal(replace(sealed.record, id="?")))]


def test_a_record_that_does_not_fit_is_told_with_its_move():
    wrong = with_move(golden(), 7, seat=-1)

    with pytest.raises(RecordError, match=rf"{wrong.record.id}: \$\.moves\[7\]"):
        check_sealed(wrong)
