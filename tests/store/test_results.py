"""Results that contradict themselves or their run: every reader says so in a sentence, and `validate` finds them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tournament import read_records
from tournament.cli.app import app
from tournament.configuration.validation import validate_files
from tournament.errors import RecordError, TournamentError
from tournament.store.results import read_results

RUN = Path(__file__).parents[1] / "data" / "runs-0.1.0" / "round-robin"


def changed(**changes):
    return lambda line: {**line, **changes}


def with_id(old, new):
    return lambda line: {**line, "id": line["id"].replace(old, new)}


DAMAGE = {
    "an unknown entrant": (lambda line: {**line, "seats": ["nobody", *line["seats"][1:]]}, "nobody is no entrant of"),
    "an unknown group": (with_id("scout-2p", "scout-9p"), "the run has no group scout-9p"),
    "a segment that is none": (with_id(".0.", ".7."), "is of a segment that the run has not"),
    "short places": (changed(places=[1]), "expected 2 places, one a seat, found 1"),
    "short scores": (changed(scores=[1]), "expected 2 scores, one a seat, found 1"),
    "one seat": (changed(seats=["first"], scores=[1], places=[1]), "expected 2 seats in scout-2p, found 1"),
    "place 9": (changed(places=[1, 9]), "expected places from 1 to 2, found 1, 9"),
    "nobody first": (changed(places=[2, 2]), "expected place 1 where 0 are better, found 2, 2"),
    "a forfeit of seat 9": (changed(forfeits=[9]), "expected seats from 0 to 1, found seat 9"),
    "a fault of seat 9": (changed(faults=[[9, "crash"]]), "expected seats from 0 to 1, found seat 9"),
    "a score of 10^23": (changed(scores=[10**23, 0]), "scores"),
    "a score of 10^13": (changed(scores=[10**13, 0]), "scores"),
}


@pytest.fixture(params=DAMAGE)
def damaged(request, tmp_path):
    """A run of which the fourth result is damaged, and what is said of it."""
    folder = tmp_path / "run"
    shutil.copytree(RUN, folder)
    path = folder / "results.jsonl"
    lines = path.read_text().splitlines()
    change, text = DAMAGE[request.param]
    lines[3] = json.dumps(change(json.loads(lines[3])), separators=(",", ":"))
    path.write_text("".join(f"{line}\n" for line in lines))
    return folder, text


def test_what_does_not_fit_is_named_with_its_line(damaged):
    """Record, line, seat, expected and found, and what the reader can do."""
    folder, text = damaged

    with pytest.raises(RecordError, match="line 4") as raised:
        list(read_results(folder))
    assert text in str(raised.value)


def test_validate_finds_it(damaged):
    """Before, such files were said to fit."""
    folder, text = damaged
    [problem] = validate_files([folder / "results.jsonl"])

    assert 4 == problem.line
    assert text in problem.text


def test_a_result_that_stands_twice_is_found(tmp_path):
    """As a record that does."""
    folder = tmp_path / "run"
    shutil.copytree(RUN, folder)
    path = folder / "results.jsonl"
    path.write_text(path.read_text() + path.read_text().splitlines(keepends=True)[0])

    [problem] = validate_files([path])

    assert "stands here a second time (first in line 1)" in problem.text


@pytest.mark.parametrize(
    "words",
    [
        ["standings", "RUN", "--all"],
        ["standings", "RUN", "--segment", "0"],
        ["standings", "RUN", "--show", "times"],
        ["compare", "RUN", "RUN"],
        ["compare", "RUN", "--bots", "first", "last"],
        ["gate", "RUN", "--new", "first", "--old", "last"],
        ["report", "RUN", "--out", "OUT"],
        ["watch", "RUN", "--once"],
        ["audit", "RUN"],
        ["validate", "RUN"],
        ["export", "RUN", "--rows", "games", "--format", "csv"],
        ["resume", "RUN"],
        ["extend", "RUN", "--deals", "1"],
        ["final", "RUN", "--deals", "1"],
        ["disqualify", "RUN", "first", "--reason", "no"],
    ],
    ids=" ".join,
)
def test_no_command_ends_in_a_traceback(damaged, tmp_path, words):
    """A user's file is no reason for one."""
    folder, _ = damaged
    given = [{"RUN": str(folder), "OUT": str(tmp_path / "out")}.get(word, word) for word in words]

    shown = CliRunner().invoke(app, given)

    assert shown.exception is None or isinstance(shown.exception, TournamentError | SystemExit), shown.exception


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"places": [1]}, "expected 2 places, one a seat, found 1"),
        ({"scores": [10**23, 0]}, "scores"),
        ({"forfeits": [9]}, "expected seats from 0 to 1, found seat 9"),
    ],
    ids=["short places", "a score of 10^23", "a forfeit of seat 9"],
)
def test_damaged_records_give_no_traceback_either(tmp_path, change, text):
    """A file of records is ranked from its results, too."""
    lines = [json.loads(line) for line in (RUN / "games.jsonl").read_text().splitlines()]
    lines[3]["result"].update(change)
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    shown = CliRunner().invoke(app, ["standings", str(path)])

    assert isinstance(shown.exception, RecordError)
    assert text in str(shown.exception)
    assert any(text in problem.text for problem in validate_files([path]))


def test_what_is_not_damaged_is_read_as_before():
    """All results of all kinds of runs of 0.1.0 fit."""
    for folder in sorted(path for path in RUN.parent.iterdir() if (path / "run.json").exists()):
        assert [] == [str(one) for one in validate_files([folder / "results.jsonl"])]
    assert list(read_records(RUN))
