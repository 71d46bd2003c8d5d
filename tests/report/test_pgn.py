"""Results as PGN, as Ordo and BayesElo read them."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import UsageError

TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$')


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def read_pgn(text):
    """Returns the tags of each game, and checks that its text says the result alone."""
    games = []
    for part in text.strip().split("\n\n\n"):
        tags, moves = part.split("\n\n")
        games.append(dict(TAG.match(line).groups() for line in tags.splitlines()))
        assert games[-1]["Result"] == moves
    return games


def test_a_game_of_two_is_a_game(made, tmp_path):
    """White is the lower seat; better, worse and tied."""
    records = [
        made.record(["Ann", 'B"o\\b'], [5, 3], block=0, rotation=0),
        made.record(['B"o\\b', "Ann"], [2, 2], block=0, rotation=1),
    ]
    path = made.write(tmp_path / "two.jsonl", records)
    first, second = read_pgn(call("export", path, "--format", "pgn").stdout)

    assert ("Ann", 'B\\"o\\\\b', "1-0") == (first["White"], first["Black"], first["Result"])
    assert ('B\\"o\\\\b', "Ann", "1/2-1/2") == (second["White"], second["Black"], second["Result"])
    assert ("0.000000.0", "????.??.??", "?") == (first["Round"], first["Date"], first["Site"])


def test_a_table_of_three_is_a_game_of_each_pair(made, tmp_path):
    """In seat order, by places; a forfeited seat lost to the others."""
    names = ["Ann", "Bob", "Cyd"]
    records = [
        made.record(names[turn:] + names[:turn], [3, 2, 9], block=0, rotation=turn, forfeits=(2,) if turn == 0 else ())
        for turn in range(3)
    ]
    games = read_pgn(call("export", made.write(tmp_path / "three.jsonl", records), "--format", "pgn").stdout)

    assert 9 == len(games)
    assert [("Ann", "Bob", "1-0"), ("Ann", "Cyd", "1-0"), ("Bob", "Cyd", "1-0")] == [
        (one["White"], one["Black"], one["Result"]) for one in games[:3]
    ]
    assert [("Bob", "Cyd", "1-0"), ("Bob", "Ann", "0-1"), ("Cyd", "Ann", "0-1")] == [
        (one["White"], one["Black"], one["Result"]) for one in games[3:6]
    ]


def test_games_in_which_both_forfeited_are_left_out(made, tmp_path):
    """They are tied for the last place, and nobody got points."""
    names = ["Ann", "Bob", "Cyd"]
    records = [
        made.record(names[turn:] + names[:turn], [3, 2, 9], block=0, rotation=turn, forfeits=(1, 2))
        for turn in range(3)
    ]
    games = read_pgn(call("export", made.write(tmp_path / "out.jsonl", records), "--format", "pgn").stdout)

    assert 6 == len(games)
    assert {"1-0"} == {one["Result"] for one in games}


def test_several_groups_are_not_mixed(small, tmp_path):
    """A tool would rate them as one game: one is to be chosen."""
    asked = call("export", small, "--format", "pgn").exception
    assert isinstance(asked, UsageError)
    assert "--group explorers-2p" in str(asked)

    out = tmp_path / "games.pgn"
    assert 0 == call("export", small, "--format", "pgn", "--group", "scout-3p", "--out", out).exit_code
    games = read_pgn(out.read_text())
    assert 72 * 3 == len(games)
    assert all(one["Event"].endswith(", scout-3p") for one in games)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--format", "pgn", "--group", "scout-9p"], "there is no scout-9p"),
        (["--format", "pgn", "--rows", "games"], "PGN has only results"),
        (["--format", "csv", "--group", "scout-3p"], "--group is only for --format pgn"),
    ],
)
def test_what_does_not_fit_together_is_refused(small, words, text):
    """Expected, found, what to do."""
    assert text in str(call("export", small, *words).exception)
