"""Records as rows: what they say, and that all forms say the same (issue 6, 6)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from made_records import illegal_fault, short_record

from tournament.errors import UsageError
from tournament.games import load_game
from tournament.report.export import COLUMNS, Rows, rows_of, write_csv, write_json, write_parquet

DICTIONARY = Path(__file__).parents[2] / "docs" / "export.md"


@pytest.fixture(scope="module")
def records():
    """A game of each kind, one with a fault and a name that a spreadsheet would run."""
    names = ("=1+1", "beta", "gamma")
    return [short_record("scout", 3, 3, faults=(illegal_fault(9, 2),), names=names), short_record("explorers", 2, 4)]


@pytest.mark.parametrize("kind", Rows)
def test_rows_have_the_columns_of_their_kind_with_their_types(records, kind):
    """Issue 6, 6: rows of all games fit one table."""
    for row in rows_of(records, kind):
        assert list(COLUMNS[kind]) == list(row)
        assert all(value is None or type(value) is COLUMNS[kind][name] for name, value in row.items())


def test_there_is_a_row_for_every_seat_move_and_decision(records):
    """Issue 6, 6: games, moves, views."""
    moves = sum(len(record.moves) for record in records)

    assert {"games": 5, "moves": moves, "views": moves} == {
        str(kind): len(list(rows_of(records, kind))) for kind in Rows
    }


def test_a_row_of_games_says_how_a_seat_did(records):
    """Issue 6, 6: score, place, fault."""
    record = records[0]
    rows = list(rows_of([record], Rows.GAMES))

    assert list(record.result.scores) == [row["score"] for row in rows]
    assert [None, None, "illegal"] == [row["fault"] for row in rows]
    assert [False, False, True] == [row["forfeited"] for row in rows]


def test_a_row_of_views_has_what_the_seat_saw_and_chose(records):
    """Issue 6, 6: for training: view, legal actions, the choice among them."""
    record = records[1]
    state = load_game("explorers").start(record.deal, record.game.options)
    row = next(rows_of([record], Rows.VIEWS))
    legal = json.loads(row["legal"])

    assert list(state.view(row["seat"]).hand) == json.loads(row["view"])["hand"]
    assert len(state.legal_actions()) == len(legal)
    assert json.loads(row["action"]) == legal[row["choice"]]
    assert row["score"] == record.result.scores[row["seat"]]


def test_moves_of_stand_ins_are_marked(records):
    """Issue 6, 6: what to leave out when learning from a bot."""
    stand_ins = [row["step"] for row in rows_of(records[:1], Rows.MOVES) if row["stand_in"]]

    assert [step for step, move in enumerate(records[0].moves, start=1) if move.by is not None] == stand_ins
    assert stand_ins


@pytest.mark.parametrize("kind", Rows)
def test_csv_json_and_parquet_say_the_same(records, kind, tmp_path):
    """Issue 6, 6: three forms; a spreadsheet runs nothing of the CSV."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="no pyarrow: install the extra parquet")
    rows = list(rows_of(records, kind))
    text, lines = io.StringIO(), io.StringIO()
    write_csv(iter(rows), kind, text)
    write_json(iter(rows), lines)
    write_parquet(iter(rows), kind, tmp_path / "rows.parquet")
    shown = [
        {
            name: "" if value is None else str(value).lower() if type(value) is bool else str(value)
            for name, value in row.items()
        }
        for row in rows
    ]
    for row in shown:
        row["entrant"] = row["entrant"].replace("=1+1", "'=1+1")

    assert shown == list(csv.DictReader(io.StringIO(text.getvalue())))
    assert rows == [json.loads(line) for line in lines.getvalue().splitlines()]
    assert rows == parquet.read_table(tmp_path / "rows.parquet").to_pylist()


def test_a_file_that_cannot_be_written_is_told(records, tmp_path):
    """House style: expected, found, what to do."""
    pytest.importorskip("pyarrow", reason="no pyarrow: install the extra parquet")

    with pytest.raises(UsageError, match="cannot be written"):
        write_parquet(rows_of(records, Rows.GAMES), Rows.GAMES, tmp_path / "none" / "rows.parquet")


def test_the_data_dictionary_names_every_column():
    """Issue 6, 6: data dictionary in the docs."""
    text = DICTIONARY.read_text()

    assert [] == [(kind, name) for kind in Rows for name in COLUMNS[kind] if f"| `{name}` |" not in text]
