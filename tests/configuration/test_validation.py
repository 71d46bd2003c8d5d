"""`tournament validate` finds what the commands that read a file refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from make_goldens import FOLDER

from tournament.configuration.validation import validate_files
from tournament.records.misfits import first_misfit

RECORD = next(iter(sorted(FOLDER.glob("*.json")))).read_text()
LINE = json.dumps(json.loads(RECORD), sort_keys=True, separators=(",", ":"))


def found_in(folder: Path, text: str, name: str = "games.jsonl") -> list[str]:
    """Returns what is wrong in a file with that text, without the path."""
    path = folder / name
    path.write_text(text)
    return [str(problem).removeprefix(str(path)) for problem in validate_files([path])]


def test_a_good_record_is_valid(tmp_path: Path) -> None:
    """The rest of this file would prove nothing otherwise."""
    assert [] == found_in(tmp_path, f"{LINE}\n")


@pytest.mark.parametrize("text", ["# A title\n\nwords\nwords\n", "a,b\n1,2\n", "[1]\n[2]\n", '{"x": 1}\n{"x": 2}\n'])
def test_another_kind_of_file_is_told_once(tmp_path: Path, text: str) -> None:
    """One sentence, not one a line."""
    assert 1 == len(found_in(tmp_path, text))


def test_a_parquet_file_is_known_for_what_it_is(tmp_path: Path) -> None:
    """`export --format parquet` writes a data card beside it, and no schema of this project is for it."""
    [text] = found_in(tmp_path, "PAR1\n", "winners.parquet")

    assert text.startswith(": a Parquet file has its schema in itself and cannot be validated")
    assert "its data card, winners.parquet.md beside it" in text


def test_a_broken_first_line_hides_no_other(tmp_path: Path) -> None:
    """What begins as a record does is a file of records."""
    assert [", line 1", ", line 3"] == [
        one.partition(":")[0] for one in found_in(tmp_path, f"{LINE[:90]}\n{LINE}\n{LINE[:80]}\n")
    ]


def test_a_record_that_stands_twice_is_found(tmp_path: Path) -> None:
    """The audit finds two records of one game; so does this."""
    game = json.loads(LINE)["id"]

    assert [f", line 2: {game} stands here a second time (first in line 1)."] == found_in(tmp_path, f"{LINE}\n{LINE}\n")


def test_half_a_surrogate_pair_is_told_in_a_sentence(tmp_path: Path) -> None:
    """JSON Schema cannot see it, and no command reads it."""
    [text] = found_in(tmp_path, LINE.replace('"tournament":"', '"tournament":"\\ud800') + "\n")

    assert text.endswith("half a surrogate pair is no text.")


def test_a_name_that_stands_twice_in_a_record_is_read_as_the_commands_read_it(tmp_path: Path) -> None:
    """JSON takes the last of two; the reader of records looks at both."""
    [text] = found_in(tmp_path, LINE.replace('"seats":', '"seats":[],"seats":', 1) + "\n")

    assert ", line 1: Expected" in text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("budget: {deals: 1.0}", 1),
        ("name: x\nbudget: {}", 2),
        ("name: x\nbudget: {deals: 1, games: 2}", 2),
        ("seed: 1\ndeals_from: seeds/open.yaml", 1),
        ("schedule: gauntlet", 1),
        ("name: x\nfocus: [a]", 2),
        ("schedule: knockout\nuntil: decided", 2),
        ("schedule: gauntlet\nfocus: [a, b]\nuntil: sprt", 3),
        ("schedule: gauntlet\nuntil: decided\nfocus: [a]", 2),
        ("schedule: knockout\nbudget: {games: 9}", 2),
        ("name: x\nseed: ''", 2),
        ('seed: "  "', 1),
        ("bots: [a.py, b.py, c.py]\nuntil: sprt", 2),
        ("until: {sprt: {low: 0, high: 0.02}}\nbots: [a.py, b.py, c.py]", 1),
        ("workers: 5000", 1),
        ("name: a/b", 1),
        ("seed: 3\ngames: [{game: scuot, players: 3}]", 2),
        ("seed: 3\ngames: [{game: scout, players: 9}]", 2),
        ("seed: 3\ngames: [{game: scout, players: 3, options: {limit: 3}}]", 2),
        ("games: [{game: scout, players: [3, 3]}]", 1),
        ('name: "\\uD800"', 1),
    ],
)
def test_what_run_refuses_in_a_file_is_found_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    """All that a file alone tells; its bots are for `plan` and `run`."""
    [problem] = found_in(tmp_path, text, "mine.yaml")

    assert problem.startswith(f", line {line}: ")
    assert "mine.yaml" not in problem


def test_the_configuration_of_a_run_is_valid_where_its_game_is_not_installed(tmp_path: Path) -> None:
    """As its records are."""
    (tmp_path / "run.json").write_text("{}")

    assert [] == found_in(tmp_path, "games: [{game: chess, players: 2}]", "tournament.yaml")


def test_an_event_has_its_format_and_version() -> None:
    """As every other file: an object without a name is no event."""
    event = {"event": "note", "format": "tournament-event", "version": 1, "at": "2026-01-01T00:00:00Z", "text": "So."}
    misfits = [first_misfit("event.v1", {key: event[key] for key in event if key != name}) for name in event]

    assert first_misfit("event.v1", event) is None
    assert all(misfits)


def test_a_name_that_cannot_be_an_entrants_is_found_in_a_configuration(tmp_path: Path) -> None:
    """As `run` refuses it."""
    [text] = found_in(tmp_path, "bots:\n- {bot: bots/random_legal.py, name: a/b}\n", "cup.yaml")

    assert "'a/b' cannot name an entrant: it has a slash" in text
