"""Runs that somebody sent: whatever is in them, a command ends in time and says what is wrong."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from made_runs import small_run
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import TournamentError

GAME = "scout-3p.0.000000.1"
FILES = (
    *("run.json", "results.jsonl", "games.jsonl", "games.jsonl.index", "clocks.jsonl", "faults.jsonl"),
    *("standings.json", "tournament.yaml"),
)
SECONDS = 30
"""Far more than any of these commands takes: a command that waits for ever is ended then."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished run."""
    return small_run(tmp_path_factory.mktemp("runs"), deals=1)


def commands(run: Path) -> list[list[str]]:
    """Returns commands that read a run, as words."""
    return [
        ["standings", str(run), "--all"],
        ["report", str(run), "--out", str(run.with_name("report"))],
        ["audit", str(run)],
        ["validate", str(run)],
        ["watch", str(run), "--once"],
        ["export", str(run), "--rows", "games"],
        ["replay", f"{run}#{GAME}", "--plain", "--to", "1"],
        ["resume", str(run), "-q"],
        ["disqualify", str(run), "cautious", "--reason", "odd"],
    ]


def end(signal_number: int, frame: object) -> None:
    """Ends a command that waits."""
    raise AssertionError("it waits for ever")


def check(made: Path, folder: Path, spoil: Callable[[Path], None]) -> set[int]:
    """Carries out the commands, each on a copy of a run that is spoilt; returns their exit codes."""
    codes = set()
    before = signal.signal(signal.SIGALRM, end)
    for words in commands(folder / "run"):
        shutil.rmtree(folder / "run", ignore_errors=True)
        shutil.rmtree(folder / "report", ignore_errors=True)
        shutil.copytree(made, folder / "run")
        spoil(folder / "run")
        signal.alarm(SECONDS)
        try:
            done = CliRunner().invoke(app, words)
        finally:
            signal.alarm(0)
        assert isinstance(done.exception, SystemExit | TournamentError | None), (words, done.exception)
        codes.add(done.exception.exit_code if isinstance(done.exception, TournamentError) else done.exit_code)
    signal.signal(signal.SIGALRM, before)
    return codes


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["a pipe", "a device"])
@pytest.mark.parametrize("name", FILES)
def test_no_command_waits_for_what_is_no_file(made, tmp_path, name, make):
    """A pipe that nobody writes into would keep its reader for ever, and a device fill its memory."""

    def spoil(run: Path) -> None:
        (run / name).unlink()
        make(run / name)

    assert {0, 1, 3, 6, 7} >= check(made, tmp_path, spoil)


DIGITS = b"9" * 5000
ODD = {
    "ids of any length": ("results.jsonl", b".000000.", b"." + DIGITS + b"."),
    "ids of any length in records": ("games.jsonl", b".000000.", b"." + DIGITS + b"."),
    "ids that are none": ("results.jsonl", b'"id":"', b'"id":7,"was":"'),
    "ids of other segments": ("results.jsonl", b"p.0.", b"p.77."),
    "scores without end": ("results.jsonl", b'"scores":[', b'"scores":[' + DIGITS + b","),
    "places of nobody": ("results.jsonl", b'"places":[', b'"places":[77,'),
    "a knockout without deals": ("run.json", b'"round-robin"', b'"knockout"'),
    "a group that is not there": ("run.json", b'"group": "scout-3p"', b'"group": "chess-2p"'),
    "tables without end": ("run.json", b'"players": 3', b'"players": 300000000'),
    "segments out of order": ("run.json", b'"number": 0', b'"number": 4'),
    "void blocks that are none": (
        "run.json",
        b'"started"',
        b'"void": [{"block": "scout-3p.%b", "why": "odd"}], "started"' % DIGITS,
    ),
    "a version of any length": ("run.json", b'"version": 1', b'"version": ' + DIGITS),
    "clocks that are none": ("clocks.jsonl", b'"seats":[', b'"seats":[7,'),
    "moves without end in the clocks": ("clocks.jsonl", b'"moves":', b'"moves":1' + b"0" * 400),
    "moves of some time without end": ("clocks.jsonl", b'"spread":[', b'"spread":[1' + b"0" * 400 + b","),
    "faults that are none": ("faults.jsonl", b'"seat":', b'"seat":7,"was":'),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_values_are_told(made, tmp_path, odd):
    """Never a traceback."""
    name, old, new = ODD[odd]

    def spoil(run: Path) -> None:
        data = (run / name).read_bytes()
        assert old in data
        (run / name).write_bytes(data.replace(old, new))

    codes = check(made, tmp_path, spoil)

    assert {0, 1, 3, 6, 7} >= codes
    assert codes & {1, 6, 7}, "somebody must say what is wrong"


@pytest.mark.parametrize("make", ["link", "pipe"])
@pytest.mark.parametrize("name", ["run.json.new", "standings.json.new", "synced.json"])
def test_nothing_is_written_through_what_lies_beside(made, tmp_path, name, make):
    """Whoever sent the run may have put it there: it would lead where they like, or keep the writer waiting."""
    run = Path(shutil.copytree(made, tmp_path / "run"))
    target = tmp_path / "mine"
    target.write_text("mine")
    if make == "link":
        (run / name).symlink_to(target)
    else:
        os.mkfifo(run / name)
    done = CliRunner().invoke(app, ["disqualify", str(run), "cautious", "--reason", "odd"])

    assert isinstance(done.exception, SystemExit | TournamentError | None), done.exception
    assert "mine" == target.read_text()
