"""Records as rows: what they say, and that all forms say the same."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest
from languages.pseudo import pseudo_language
from made_records import PAIRS, illegal_fault, random_record, short_record
from msgspec import structs
from needs import need_module

from tournament.errors import RecordError, UsageError
from tournament.games import load_game
from tournament.games.contract import Ending
from tournament.games.explorers.types import ExplorersDeal
from tournament.numbering import numbering_of
from tournament.records.codec import seal
from tournament.report.choices import COLUMNS, TYPE_WORDS, ExportFormat, Rows, Seats
from tournament.report.export import MOST_GAMES, MOST_REPLAYED, print_records, write_export
from tournament.report.rows import RowsWanted, make_rows, rows_of
from tournament.store.lines import PassedOver

DICTIONARY = Path(__file__).parents[2] / "docs" / "export.md"


@pytest.fixture(scope="module")
def records():
    """A game of each kind, one with a fault and a name that a spreadsheet would run."""
    names = ("=1+1", "beta", "gamma")
    return [short_record("scout", 3, 3, faults=(illegal_fault(9, 2),), names=names), short_record("explorers", 2, 4)]


def sealed(record):
    return seal(record).record


@pytest.fixture
def write(tmp_path):
    """Returns what writes records to a file and exports them, as rows of games unless asked otherwise."""

    def export(records, path, **choices):
        source = tmp_path / "records.jsonl"
        source.write_bytes(b"".join(seal(record).line + b"\n" for record in records))
        return write_export(source, path, **{"rows": "games", "form": "parquet"} | choices)

    return export


@pytest.mark.parametrize("kind", Rows)
def test_rows_have_the_columns_of_their_kind_with_their_types(records, kind):
    """Rows of all games fit one table."""
    for row in rows_of(records, kind):
        assert list(COLUMNS[kind]) == list(row)
        assert [] == [name for name, value in row.items() if value is None and not COLUMNS[kind][name].optional]
        assert all(value is None or type(value) is COLUMNS[kind][name].type for name, value in row.items())


@pytest.mark.parametrize("kind", Rows)
def test_rows_are_english_in_every_language(records, kind):
    english = list(rows_of(records, kind))
    with pseudo_language():
        assert english == list(rows_of(records, kind))


def test_there_is_a_row_for_every_seat_move_and_decision(records):
    """Games, moves, views."""
    moves = sum(len(record.moves) for record in records)

    assert {"games": 5, "moves": moves, "views": moves} == {
        str(kind): len(list(rows_of(records, kind))) for kind in Rows
    }


def test_a_row_of_games_says_how_a_seat_did(records):
    """Score, place, fault."""
    record = records[0]
    rows = list(rows_of([record], Rows.GAMES))

    assert list(record.result.scores) == [row["score"] for row in rows]
    assert [None, None, "illegal"] == [row["fault"] for row in rows]
    assert [False, False, True] == [row["forfeited"] for row in rows]


def test_a_row_of_views_has_what_the_seat_saw_and_chose(records):
    """For training: view, legal actions, the choice among them."""
    record = records[1]
    state = load_game("explorers").start(record.deal, record.game.options)
    row = next(rows_of([record], Rows.VIEWS))
    legal = json.loads(row["legal"])

    assert list(state.view(row["seat"]).hand) == json.loads(row["view"])["hand"]
    assert len(state.legal_actions()) == len(legal)
    assert json.loads(row["action"]) == legal[row["choice"]]
    assert row["score"] == record.result.scores[row["seat"]]


def test_moves_of_stand_ins_are_marked(records):
    """What to leave out when learning from a bot."""
    stand_ins = [row["step"] for row in rows_of(records[:1], Rows.MOVES) if row["stand_in"]]

    assert [step for step, move in enumerate(records[0].moves, start=1) if move.by is not None] == stand_ins
    assert stand_ins


@pytest.mark.parametrize("kind", Rows)
def test_csv_json_and_parquet_say_the_same(records, kind, tmp_path, write):
    """Three forms; a spreadsheet runs nothing of the CSV."""
    parquet = need_module("pyarrow.parquet", extra="parquet")
    rows = list(rows_of(map(sealed, records), kind))
    text, lines = io.StringIO(), io.StringIO()
    for form, out in (("csv", text), ("json", lines), ("parquet", tmp_path / "rows.parquet")):
        write(records, out, rows=str(kind), form=form)
    shown = [
        {
            name: ""
            if value is None
            else json.dumps(value, separators=(",", ":"))
            if type(value) in (bool, list)
            else str(value)
            for name, value in row.items()
        }
        for row in rows
    ]
    for row in shown:
        row["entrant"] = row["entrant"].replace("=1+1", "'=1+1")

    assert shown == list(csv.DictReader(io.StringIO(text.getvalue())))
    assert rows == [json.loads(line) for line in lines.getvalue().splitlines()]
    assert rows == parquet.read_table(tmp_path / "rows.parquet").to_pylist()


def test_a_file_that_cannot_be_written_is_told(records, tmp_path, write):
    """House style: expected, found, what to do."""
    need_module("pyarrow", extra="parquet")

    with pytest.raises(UsageError, match="cannot be written"):
        write(records, tmp_path / "none" / "rows.parquet")


def test_a_folder_is_no_place_for_a_file(records, tmp_path, write):
    """Told before the rows are made, and nothing is written beside the folder."""
    need_module("pyarrow", extra="parquet")
    folder = tmp_path / "folder"
    folder.mkdir()

    with pytest.raises(UsageError, match="is a folder"):
        write(records, folder)
    assert ["folder", "records.jsonl"] == sorted(path.name for path in tmp_path.iterdir())


def test_an_export_that_fails_on_the_way_leaves_the_file_as_it_was(records, tmp_path, write):
    """A file that stops in the middle looks like a whole one."""
    need_module("pyarrow", extra="parquet")
    path = tmp_path / "rows.parquet"
    path.write_text("older")
    broken = structs.replace(records[1], moves=records[1].moves[1:])
    with pytest.raises(RecordError):
        write([records[0], broken], path, rows="views", force=True)

    assert ["records.jsonl", "rows.parquet"] == sorted(file.name for file in tmp_path.iterdir())
    assert "older" == path.read_text()


@pytest.mark.parametrize("kind", Rows)
def test_the_schema_of_a_parquet_file_says_what_each_column_means_and_what_may_be_absent(
    records, kind, tmp_path, write
):
    """Parquet with a schema and a data card."""
    parquet = need_module("pyarrow.parquet", extra="parquet")
    path = tmp_path / "rows.parquet"
    write(records, path, rows=str(kind))
    schema = parquet.read_schema(path)

    assert list(COLUMNS[kind]) == schema.names
    for field, column in zip(schema, COLUMNS[kind].values(), strict=True):
        assert column.meaning == field.metadata[b"description"].decode()
        assert column.optional == field.nullable


def test_a_parquet_file_has_its_data_card_inside_and_beside_it(records, tmp_path, write):
    """A data card, which must not get lost."""
    parquet = need_module("pyarrow.parquet", extra="parquet")
    path = tmp_path / "rows.parquet"
    write(records, path)
    card = (tmp_path / "rows.parquet.md").read_text()

    assert card.startswith("# Data card: rows.parquet\n")
    assert card.encode() == parquet.read_metadata(path).metadata[b"data_card"]


@pytest.mark.parametrize("form", [ExportFormat.PGN, "xml"])
def test_rows_in_a_form_that_has_none_are_refused(form):
    """They were JSON lines."""
    with pytest.raises(UsageError, match=rf"Rows cannot be written as {form}\. Choose json, csv or parquet"):
        make_rows([], RowsWanted(form, Rows.GAMES, Seats.ALL, None))


def many(records, count=300):
    """More records than a worker is given at a time, some of them broken."""
    copies = [structs.replace(records[1], id=f"explorers-2p.0.{number:06}.0") for number in range(count)]
    lines = [seal(copy).line + b"\n" for copy in copies]
    lines[count - 9] = lines[7] = b"{\n"
    return b"".join(lines)


@pytest.mark.parametrize(
    ("kind", "form", "count"),
    [
        ("games", "csv", MOST_GAMES + 50),
        ("moves", "json", MOST_REPLAYED * 3),
        ("views", "csv", MOST_REPLAYED * 3),
        ("views", "parquet", 170),  # of 64 rows each: more than are held at a time
    ],
)
def test_several_workers_write_the_same_bytes(records, kind, form, count, tmp_path):
    source = tmp_path / "many.jsonl"
    source.write_bytes(many(records, count))
    written, told = [], []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        passed = PassedOver(skips_bad=True)
        games = write_export(source, folder / "rows", form=form, rows=kind, passed=passed, workers=workers)
        written.append([path.read_bytes() for path in sorted(folder.iterdir())])
        told.append((games, list(passed.notes())))

    assert written[0] == written[1]
    assert told[0] == told[1]
    assert count - 2 == told[0][0]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_comes_before_a_broken_record_is_written(records, workers, tmp_path):
    source = tmp_path / "many.jsonl"
    source.write_bytes(many(records))
    out = io.StringIO()
    with pytest.raises(RecordError, match="line 8"):
        write_export(source, out, form="json", workers=workers)

    assert 7 * 2 == len(out.getvalue().splitlines())


@pytest.mark.parametrize("count", [0, 1, 2, 45])
def test_whole_records_are_one_json_list(records, count, tmp_path):
    """However many a worker takes at a time."""
    lines = [seal(records[1]).line] * count
    source = tmp_path / "records.jsonl"
    source.write_bytes(b"".join(line + b"\n" for line in lines))
    out = io.StringIO()

    assert count == print_records(source, out, passed=PassedOver())
    assert json.dumps([json.loads(line) for line in lines], indent=2) + "\n" == out.getvalue()


def test_a_file_with_one_record_is_printed_as_one(records, tmp_path):
    source = tmp_path / "record.json"
    source.write_bytes(seal(records[1]).line)
    out = io.StringIO()

    assert 1 == print_records(source, out, passed=PassedOver())
    assert json.dumps(json.loads(source.read_bytes()), indent=2) + "\n" == out.getvalue()


@pytest.mark.parametrize(("name", "players"), PAIRS)
def test_a_view_and_the_number_of_a_choice_are_the_action(name, players):
    """Legal actions numbered as in the environments."""
    game, numbering = load_game(name), numbering_of(name, players)
    rows = list(rows_of([random_record(name, players, 5, stock=20 if name == "explorers" else None)], Rows.VIEWS))
    for row in rows:
        view = msgspec.json.decode(row["view"], type=game.View)
        action = msgspec.json.decode(row["action"], type=game.Action)

        assert action == numbering.action_of(view, row["choice_number"])
        assert view.legal_actions()[row["choice"]] == action
        assert row["legal_numbers"][row["choice"]] == row["choice_number"]
        assert set(numbering.choices(view)) == set(row["legal_numbers"])
        assert len(json.loads(row["legal"])) == len(row["legal_numbers"])


def test_decisions_with_actions_that_have_no_number_have_none():
    """Only hand-made deals bring them about: here five clubs aces with a place for three."""
    deal = ExplorersDeal((("AC",) * 10, ("2C",) * 10), ("AC",) * 20)

    def starting(state, legal):
        return [action for action in legal if action.do in ("start", "draw")][:1] or legal

    rows = list(rows_of([random_record("explorers", 2, 1, deal=deal, prefer=starting)], Rows.VIEWS))
    absent = [row for row in rows if row["legal_numbers"] is None]

    assert 0 < len(absent) < len(rows)
    assert [None] * len(absent) == [row["choice_number"] for row in absent]
    assert json.loads(absent[0]["legal"])[absent[0]["choice"]] == json.loads(absent[0]["action"])


@pytest.mark.parametrize(
    ("places", "forfeits", "ending", "winners"),
    [
        ((2, 1, 3), (), "complete", [1]),
        ((1, 3, 1), (), "complete", [0, 2]),
        ((3, 1, 3), (0, 2), "complete", [1]),
        ((1, 1, 1), (), "move-limit", []),
        ((1, 1, 1), (0, 1, 2), "aborted", []),
    ],
    ids=["one", "tied", "against forfeits", "void", "aborted"],
)
def test_winners_are_in_place_one_without_a_forfeit_in_a_game_that_counts(records, places, forfeits, ending, winners):
    result = structs.replace(records[0].result, places=places, forfeits=forfeits, ending=Ending(ending))
    rows = rows_of([structs.replace(records[0], result=result)], Rows.GAMES, seats=Seats.WINNER)

    assert winners == [row["seat"] for row in rows]


@pytest.mark.parametrize("kind", Rows)
def test_rows_of_winners_are_the_rows_of_all_without_the_others(records, kind):
    chosen = list(rows_of(records, kind, seats=Seats.WINNER))
    won = {(record.id, seat) for record in records for seat, place in enumerate(record.result.places) if place == 1}

    assert [row for row in rows_of(records, kind) if (row["id"], row["seat"]) in won] == chosen
    assert len(won) >= len(records)
    assert chosen


def test_the_data_dictionary_says_of_every_column_what_the_schema_says():
    """Data dictionary in the docs."""
    text = DICTIONARY.read_text()
    absent = [
        line
        for kind in Rows
        for name, column in COLUMNS[kind].items()
        if (line := f"| `{name}` | {TYPE_WORDS[column.type]} | {column.meaning} |\n") not in text
    ]

    assert [] == absent
