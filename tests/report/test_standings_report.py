"""Standings in every form, from pooled files of records."""

from __future__ import annotations

import csv
import io
import json

import msgspec
import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.ranking.sources import read_sources
from tournament.records.misfits import check_valid
from tournament.report.choices import Section
from tournament.report.shown.verdicts import headlines
from tournament.report.standings import LEGEND_WITHOUT_LETTERS, format_standings, format_standings_file


def call(*words, width=100):
    """Calls the command; returns its result."""
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": str(width)})


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("everything", [False, True], ids=["short", "all"])
def test_the_text_is_as_kept(small, width, everything, snapshot):
    """Tables at 80 and 120 columns; what people read first comes first."""
    shown = call("standings", small, *(["--all"] if everything else []), width=width)

    assert 0 == shown.exit_code
    assert max(map(len, shown.stdout.splitlines())) <= width
    snapshot(f"standings-{width}{'-all' if everything else ''}.txt", shown.stdout)


def test_markdown_is_as_kept(small, snapshot):
    """`--format markdown`."""
    snapshot("standings.md", call("standings", small, "--format", "markdown").stdout)


def test_json_fits_its_schema_and_has_everything(small):
    """JSON with its schema."""
    values = json.loads(call("standings", small, "--format", "json").stdout)

    check_valid("standings.v2", values, "standings")
    assert ["explorers-2p", "scout-3p"] == [group["group"] for group in values["groups"]]
    assert ["Cyd", "Bob", "Ann"] == [row["entrant"] for row in values["groups"][1]["rows"]]
    assert values == json.loads(call("standings", small, "--json").stdout)


def test_no_form_ever_has_a_nan_or_an_infinity(made, tmp_path):
    """Never nan or inf, also for a single block."""
    file = made.write(tmp_path / "one.jsonl", made.field(["Ann", "Bob"], players=2, blocks=1))
    for form in ("table", "markdown", "csv", "json"):
        words = ["--all"] if form in ("table", "markdown") else []
        text = call("standings", file, "--format", form, *words).stdout.lower()

        assert text
        assert not {"nan", "inf", "infinity"} & set(text.replace(",", " ").split())
    assert "too few games" in call("standings", file, "--all").stdout


def test_csv_has_a_row_an_entrant_and_group(small):
    """`--format csv`."""
    rows = list(csv.DictReader(io.StringIO(call("standings", small, "--format", "csv").stdout)))

    assert 9 == len(rows)
    assert {"explorers-2p", "scout-3p", "championship"} == {row["group"] for row in rows}
    assert "1" == next(row["place"] for row in rows if row["entrant"] == "Cyd")


def test_csv_of_several_sections_is_refused(small):
    """CSV is one table."""
    shown = call("standings", small, "--format", "csv", "--all")

    assert "CSV is one table" in str(shown.exception)


@pytest.mark.parametrize(("section", "rows"), [("head-to-head", 6), ("seats", 15)])
def test_other_sections_are_csv_too(small, section, rows):
    """Head to head and seats, for a spreadsheet."""
    shown = call("standings", small, "--format", "csv", "--show", section)

    assert rows == len(list(csv.DictReader(io.StringIO(shown.stdout))))


def test_results_without_forfeits_stand_beside_those_with(small):
    """Results with forfeits and without: one forfeit is over 1 % of 72 games."""
    text = format_standings_file(small)

    assert "scout-3p, with forfeits and without" in text
    assert "Forfeited more than 1 %" in text
    assert "explorers-2p, with forfeits" not in text


def test_a_run_that_is_not_complete_is_no_test(small):
    """An unfinished tournament prints "interim, not a test"."""
    import msgspec

    sources = read_sources([small])
    text = format_standings(msgspec.structs.replace(sources.standings(), interim=True))

    assert text.startswith("Interim, not a test")
    assert "interim" not in format_standings(sources.standings()).lower()


def test_half_a_block_is_left_out_and_reported(made, tmp_path):
    """Removing a record changes what it should and is reported."""
    records = made.field(["Ann", "Bob", "Cyd"], players=3, blocks=12)
    whole = read_sources([made.write(tmp_path / "whole.jsonl", records)])
    torn = read_sources([made.write(tmp_path / "torn.jsonl", records[1:])])

    assert 36 == whole.standings().groups[0].games
    assert 33 == torn.standings().groups[0].games
    assert "left out 2 games of scout-3p.0.000000 (half block)" in " ".join(
        format_standings(torn.standings(), width=200).split()
    )


def test_a_record_given_twice_changes_nothing_and_is_reported(made, tmp_path):
    """Duplicating a record changes what it should and is reported."""
    records = made.field(["Ann", "Bob", "Cyd"], players=3, blocks=12)
    once = read_sources([made.write(tmp_path / "once.jsonl", records)]).standings()
    twice = read_sources([made.write(tmp_path / "twice.jsonl", [*records, records[4]])]).standings()

    assert once.groups == twice.groups
    assert "left out 1 game of scout-3p.0.000001 (duplicate)" in format_standings(twice, width=200)


def test_a_run_given_twice_counts_once(made, tmp_path):
    """Games are told apart by digest."""
    file = made.write(tmp_path / "a.jsonl", made.field(["Ann", "Bob"], players=2, blocks=12))
    copy = made.write(tmp_path / "b.jsonl", made.field(["Ann", "Bob"], players=2, blocks=12))

    assert read_sources([file]).standings().groups == read_sources([file, copy]).standings().groups


def test_sections_can_be_chosen(small):
    """Short by default, sections for the rest."""
    text = format_standings(read_sources([small]).standings(), sections=[Section.BALANCE])

    assert "each pair met in" in text
    assert "place" not in text


def test_another_fingerprint_is_named_and_can_be_merged(made, tmp_path):
    """The same name with another fingerprint is another bot unless `--merge NAME`."""
    old = made.write(tmp_path / "old.jsonl", made.field(["Ann", "Bob"], players=2, blocks=12, master="1"))
    changed = {"Bob": "f" * 64}
    new = made.write(
        tmp_path / "new.jsonl", made.field(["Ann", "Bob"], players=2, blocks=12, master="2", fingerprints=changed)
    )
    apart = call("standings", old, new, width=200).stdout
    merged = call("standings", old, new, "--merge", "Bob", width=200).stdout

    assert "Bob@ffffff" in apart
    assert "Bob is the name of several bots, listed by fingerprint: Bob@" in apart
    assert "Bob@" not in merged
    assert "Bots of the same name count as one: Bob." in merged


def test_a_bot_that_is_several_in_one_game_is_missed_in_the_championship(made, tmp_path):
    """Told apart in SCOUT alone it is ranked nowhere: that is said, with the command that adds its bots up."""
    names = ["Ann", "Bob", "Cyd"]
    files = [
        made.write(tmp_path / "old.jsonl", made.field(names, players=2, blocks=12, master="1")),
        made.write(
            tmp_path / "new.jsonl",
            [
                *made.field(names, players=2, blocks=12, master="2", fingerprints={"Bob": "f" * 64}),
                *made.field(names, players=2, blocks=12, master="2", game="explorers"),
            ],
        ),
    ]
    apart, merged = (call("standings", *files, *words, width=400).stdout for words in ((), ("--merge", "Bob")))

    assert "none of them played every group, so Bob is not in the championship. To count them as one: " in apart
    assert "tournament standings RUN... --merge Bob" in apart
    assert "is not in the championship" not in merged
    assert "Bob is not ranked" not in merged


def test_bots_of_one_name_are_missed_only_when_none_of_them_played_everything(made, tmp_path):
    """Two groups of one game: the old bot played both, and is ranked under the name it has here."""
    names = ["Ann", "Bob", "Cyd"]
    old = [
        *made.field(names, players=2, blocks=12, master="1"),
        *made.field(names, players=3, blocks=12, master="1"),
    ]
    new = made.field(names, players=2, blocks=12, master="2", fingerprints={"Bob": "f" * 64})
    files = [made.write(tmp_path / "old.jsonl", old), made.write(tmp_path / "new.jsonl", new)]
    text = call("standings", *files, width=400).stdout

    assert "Bob is the name of several bots" in text
    assert "is not in the championship" not in text


def test_a_bot_can_be_left_out(made, tmp_path):
    """`--without BOT`: its tables do not count."""
    file = made.write(tmp_path / "a.jsonl", made.field(["Ann", "Bob", "Cyd"], players=2, blocks=40))
    shown = call("standings", file, "--without", "Cyd", width=200).stdout

    assert "Without the tables of Cyd." in shown
    assert not any("Cyd" in line for line in shown.splitlines() if "Without" not in line)


def test_an_unknown_name_is_met_with_the_nearest(small):
    """A sentence with what to do, never a traceback."""
    shown = call("standings", small, "--without", "Cid")

    assert 'There is no entrant "Cid" for --without. Did you mean "Cyd"?' in str(shown.exception)


def test_without_letters_neither_a_column_nor_the_legend_speaks_of_them(small):
    """Over 26 columns only rank ranges are shown."""
    file = read_sources([small]).standings()
    groups = tuple(
        msgspec.structs.replace(group, rows=tuple(_without_letters(row) for row in group.rows)) for group in file.groups
    )
    text = format_standings(msgspec.structs.replace(file, groups=groups, championship=None))

    assert "tied" not in text
    assert text.endswith(LEGEND_WITHOUT_LETTERS)
    assert "1 (1-" in text


def _without_letters(row):
    return msgspec.structs.replace(row, rank=msgspec.structs.replace(row.rank, letters="", best_rank=1, worst_rank=3))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--show", "ratings"], "scout-3p, differences of ratings"),
        (["--anchor", "Ann=1000"], "scout-3p, ratings, Ann fixed"),
        (["--show", "superiority"], "probability in % that the row is better than the column"),
        (["--history"], "scout-3p, ratings over the course of play"),
    ],
)
def test_what_rating_tools_expect_is_offered(small, words, shown):
    """Differences with errors, an anchor, all pairs, the course; as text, Markdown, CSV and JSON."""
    assert shown in call("standings", small, *words, width=100).stdout
    assert "| --: |" in call("standings", small, *words, "--format", "markdown").stdout
    table = call("standings", small, *words, "--format", "csv").stdout.splitlines()
    assert {table[0].count(",")} == {line.count(",") for line in table}
    values = json.loads(call("standings", small, *words, "--json").stdout)
    check_valid("standings.v2", values, "standings")
    assert 2 == len(values["history" if "--history" in words else "ratings"])


def test_a_course_is_drawn(small, tmp_path):
    """The same bytes for the same results."""
    for name in ("one", "two"):
        assert 0 == call("standings", small, "--history", "--plots", tmp_path / name).exit_code
    one, two = ((tmp_path / name / "scout-3p-history.svg").read_bytes() for name in ("one", "two"))

    assert one == two
    assert b"ratings over the course of play" in one


def test_standings_without_being_asked_have_neither_ratings_nor_a_course(small):
    """They are worked out on request alone."""
    values = json.loads(call("standings", small, "--json").stdout)

    assert not {"ratings", "history"} & set(values)


def test_each_part_of_a_ranking_has_its_own_first(made, tmp_path):
    """No game joins them: nobody is first of both, and the head of a report says by what they are ranked."""
    files = [
        made.write(tmp_path / f"{pair}.jsonl", made.field(list(pair), players=2, blocks=40, spread=9))
        for pair in ("AB", "CD")
    ]
    standings = read_sources(files).standings()

    assert [("scout-2p, part 1", ("B",)), ("scout-2p, part 2", ("D",))] == [
        (headline.name, headline.winners) for headline in headlines(standings)
    ]
    assert all(headline.points.endswith("points, ranked by rating") for headline in headlines(standings))


def test_who_stands_in_no_part_keeps_the_columns_in_line(made, tmp_path):
    """A withdrawn bot is listed after all parts."""
    files = [
        made.write(tmp_path / f"{pair}.jsonl", made.field(list(pair), players=2, blocks=40)) for pair in ("AB", "CD")
    ]
    file = read_sources(files).standings()
    [group] = file.groups
    group = msgspec.structs.replace(group, parts=(("A", "B"), ("D",)))
    lines = format_standings(msgspec.structs.replace(file, groups=(group,))).splitlines()

    assert ["1", "1", "2", ""] == [line[:4].strip() for line in lines[3:7]]


def test_likelihoods_that_are_not_told_say_why(made, tmp_path):
    """Five deals tell nothing of anybody: `unknown` among ratings, `?` in the map."""
    few = made.write(tmp_path / "few.jsonl", made.field(["Ann", "Bob", "Cyd"], players=3, blocks=5))
    many = made.write(tmp_path / "many.jsonl", made.field(["Ann", "Bob", "Cyd"], players=3, blocks=12))
    why = "Unknown: one of the two has under 10 deals"

    for section, sign in (("ratings", "unknown"), ("superiority", "?")):
        shown = call("standings", few, "--show", section, width=100).stdout
        assert sign in shown.partition(why)[0]
        assert why in shown
        assert why not in call("standings", many, "--show", section, width=100).stdout
