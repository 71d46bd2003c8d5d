"""The data card of an export: it says what is in the file, and what the file is not good for."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from made_records import illegal_fault, short_record
from made_runs import small_run
from msgspec import structs
from needs import need_module
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.ids import group_of
from tournament.numbering import numbering_of
from tournament.records.run import Disqualification, RunState, VoidBlock, Withdrawal
from tournament.report.card import ExportCounts, format_card
from tournament.report.choices import COLUMNS, Rows, Seats
from tournament.report.facts import read_facts
from tournament.report.rows import rows_of
from tournament.report.tables import markdown_text
from tournament.store.folder import read_run
from tournament.store.reader import read_records


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run with faults."""
    return small_run(tmp_path_factory.mktemp("runs"))


def tallied(records, *, kind=Rows.VIEWS, seats=Seats.ALL):
    """Returns the counted of an export and its rows."""
    counted = ExportCounts()
    return counted, list(rows_of(records, kind, seats=seats, counted=counted))


def carded(records, *, kind=Rows.VIEWS, seats=Seats.ALL, source="some-run", run=None):
    """Returns the card of an export."""
    counted, _ = tallied(records, kind=kind, seats=seats)
    return format_card(counted, kind=kind, seats=seats, source=source, out=Path("rows.parquet"), run=run)


def table_in(card, title):
    """Returns the rows of the table below a heading, each as what it says by column."""
    lines = [
        line for line in card.partition(f"## {title}\n\n")[2].partition("\n## ")[0].splitlines() if line[:1] == "|"
    ]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def test_the_card_counts_games_and_rows_by_group(run):
    """A data card says how many rows, of which games."""
    records = list(read_records(run))
    _, rows = tallied(records, seats=Seats.WINNER)
    groups = {group_of(record.id): record.game for record in records}
    found = {row["group"]: row for row in table_in(carded(records, seats=Seats.WINNER), "Games")}

    assert set(groups) == set(found)
    for name, game in groups.items():
        assert str(game.rules_version) == found[name]["rules version"]
        assert str(game.players) == found[name]["players"]
        assert sum(record.id.startswith(f"{name}.") for record in records) == int(found[name]["games"])
        assert sum(row["group"] == name for row in rows) == int(found[name]["rows"])


def test_the_card_names_every_bot_with_its_fingerprint_and_its_rows(run):
    """A data card says whose decisions these are."""
    records = list(read_records(run))
    _, rows = tallied(records)
    bots = {
        (markdown_text(seat.bot), record.game.name, seat.fingerprint) for record in records for seat in record.seats
    }
    found = table_in(carded(records), "Bots")

    assert sorted(bots) == sorted((row["entrant"], row["game"], row["fingerprint"]) for row in found)
    for row in found:
        of_bot = [one for one in rows if (markdown_text(one["entrant"]), one["game"]) == (row["entrant"], row["game"])]

        assert len(of_bot) == int(row["rows"])


def test_the_digest_of_the_games_is_that_of_the_report(run):
    """The same records, recognised wherever they are told of."""
    counted, _ = tallied(read_records(run), kind=Rows.GAMES)

    assert read_facts(run).digest == counted.digest


def test_the_card_says_what_the_numbers_mean_in_which_version_of_the_rules():
    """Numbers change only with the version of the rules."""
    card = carded([short_record("scout", 3, 3)])

    assert f"0 to {numbering_of('scout', 3).size - 1}" in card
    assert 'tournament.numbering.numbering_of("scout", 3).names' in card


def test_moves_of_stand_ins_are_counted():
    """What to leave out when learning from a bot."""
    record = short_record("scout", 3, 3, faults=(illegal_fault(9, 2),))
    stand_ins = sum(move.by is not None for move in record.moves)
    card = carded([record])

    assert f"{stand_ins} of them are moves of stand-ins" in card
    assert "Seats forfeited in games: 1." in card
    assert "0 of them are moves of stand-ins" in carded([record], seats=Seats.WINNER)


@pytest.mark.parametrize("kind", Rows)
def test_the_card_lists_the_columns_in_their_order(kind):
    """A data card says what every column means."""
    listed = table_in(carded([short_record("explorers", 2, 4)], kind=kind), "Columns")

    assert [(f"`{name}`", column.meaning) for name, column in COLUMNS[kind].items()] == [
        (row["column"], row["what it says"]) for row in listed
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"keep": "faults"}, "Only some games of the run have records (faults)"),
        ({"state": RunState.INTERRUPTED}, "The run was interrupted when this was made"),
        (
            {"withdrawn": (Withdrawal(entrant="a_b", after="x.0.000001", why="8 faults"),)},
            r"a\_b was taken out of the run",
        ),
        ({"void": (VoidBlock(block="x.0.000001", why="no memory"),)}, "Blocks that could not be played: 1."),
        (
            {"disqualified": (Disqualification(entrant="a_b", reason="it *cheated*"),)},
            r"a\_b was disqualified (it \*che",
        ),
    ],
    ids=["keep", "state", "withdrawn", "void", "disqualified"],
)
def test_what_is_missing_or_does_not_count_in_a_run_is_among_the_limits(run, changes, sentence):
    """A data card says what the data are no picture of."""
    info = read_run(run)

    assert sentence in carded([], run=structs.replace(info, **changes))
    assert sentence not in carded([], run=info)


def test_a_name_stays_a_name_in_the_card():
    """Names are whatever people choose."""
    card = carded([short_record("explorers", 2, 4, names=("a|b", "<script>"))])

    assert r"| a\|b |" in card
    assert r"| \<script\> |" in card


def test_the_card_says_nothing_about_the_machine():
    """It goes where the file goes: no path."""
    assert "/home" not in carded([], source="/home/ann/runs/open")


def test_the_command_in_the_card_makes_the_file_and_its_card_again(run, monkeypatch):
    """A data card says how to reproduce; the same bytes, whenever."""
    need_module("pyarrow", extra="parquet")
    monkeypatch.chdir(run.parent)
    words = [run.name, "--rows", "views", "--seat", "winner", "--format", "parquet", "--out", "rows.parquet"]
    first = CliRunner().invoke(app, ["export", *words])
    made = [Path(name).read_bytes() for name in ("rows.parquet", "rows.parquet.md")]
    command = re.search(r"```sh\n(.*)\n```", made[1].decode())[1]
    for name in ("rows.parquet", "rows.parquet.md"):
        Path(name).unlink()
    again = CliRunner().invoke(app, shlex.split(command)[1:])

    assert (0, 0) == (first.exit_code, again.exit_code)
    assert made == [Path(name).read_bytes() for name in ("rows.parquet", "rows.parquet.md")]
    assert f"records of the run {markdown_text(read_run(run).name)}" in made[1].decode()
