"""Output that is cut off, as by `| head -1`, is the wish of who reads it and no failure."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from forked_commands import run_command

from tournament.cli.app import until_enough
from tournament.cli.streams import PatientStream
from tournament.records.run import RunState
from tournament.store.folder import read_run
from tournament.store.results import read_results

HEAD = "import sys; sys.stdin.buffer.readline()"


def cut_off(folder, *words):
    """Runs a command whose first line alone is read; returns its exit code and what it complained of."""
    command = subprocess.Popen(
        [sys.executable, "-m", "tournament", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )
    subprocess.run([sys.executable, "-c", HEAD], stdin=command.stdout, check=True)
    command.stdout.close()
    complaint = command.stderr.read()
    command.stderr.close()
    return command.wait(), complaint


PAIR = ("--game", "explorers:2", "--bots", "random_legal,explorers_cautious")
RUN = ("run", *PAIR, "--deals", "1", "--isolation", "none", "--seed", "short")
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="a device of Linux that has no room")


def unread(folder, *words):
    """Runs a command whose output and complaints nobody reads from the start, as by `2>&1 | true`; returns its code."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "tournament", *words]
    done = subprocess.run(command, stdout=writing, stderr=writing, cwd=folder, check=False)
    os.close(writing)
    return done.returncode


def games_in(run):
    """Returns how many games of a complete run were played."""
    assert RunState.COMPLETE is read_run(run).state
    return sum(1 for _ in read_results(run))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a run that was played while nobody read what it printed."""
    folder = tmp_path_factory.mktemp("pipes")
    words = ("run", "--game", "explorers:2", "--deals", "2", "--isolation", "none", "--verbose", "--out", "run")

    assert (0, b"") == cut_off(folder, *words)
    return folder


def test_a_run_goes_on_when_nobody_reads_it_any_more(place):
    """A run writes records; what it prints is beside the point."""
    assert RunState.COMPLETE is read_run(place / "run").state


def test_a_run_is_played_when_nobody_reads_its_first_words(tmp_path):
    """That its seed is short, on stderr; an extension and a final say so, too."""
    assert 0 == unread(tmp_path, *RUN, "--out", "run")
    assert 2 == games_in(tmp_path / "run")
    assert 0 == unread(tmp_path, "extend", "run", "--deals", "1", "--seed", "k")
    assert 4 == games_in(tmp_path / "run")
    assert 0 == unread(tmp_path, "final", "run", "--deals", "1", "--seed", "k")
    assert 4 < games_in(tmp_path / "run")


@pytest.mark.parametrize(
    ("words", "code"),
    [((*RUN, "--out", "run"), 7), (("extend", "run"), 2), (("run", "nowhere.yaml"), 3), (("standings", "no"), 7)],
)
def test_a_complaint_that_nobody_reads_has_its_exit_code(place, words, code):
    """A command that played nothing does not end with nought."""
    assert code == unread(place, *words)


@needs_full
def test_a_run_goes_on_when_what_it_prints_has_no_room(tmp_path):
    """What counts is in its folder."""
    command = [sys.executable, "-m", "tournament", *RUN, "--verbose", "--out", "run"]
    with FULL.open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, text=True, check=False)

    assert 0 == done.returncode
    assert 2 == games_in(tmp_path / "run")
    assert ["The seed is short"] == [line.partition(":")[0] for line in done.stderr.splitlines()]


def test_a_run_is_played_without_any_output(tmp_path):
    """As daemons are started: what it would print has no place at all."""
    command = [sys.executable, "-m", "tournament", *RUN, "--out", "run"]
    done = subprocess.run(["sh", "-c", '"$@" >&- 2>&-', "sh", *command], cwd=tmp_path, check=False)

    assert 0 == done.returncode
    assert 2 == games_in(tmp_path / "run")


@pytest.mark.parametrize(
    "words", ["export run --rows moves --format csv", "replay run#explorers-2p.0.000000.0 --plain"]
)
def test_a_command_that_prints_much_ends_with_nought(place, words):
    """1 would be what a check says that found something."""
    assert (0, b"") == cut_off(place, *words.split())


@pytest.mark.parametrize(
    "words", ["export run --rows moves --format csv", "replay run#explorers-2p.0.000000.0 --plain", "standings run"]
)
def test_a_command_whose_output_is_closed_prints_nowhere(place, words):
    """As daemons are started, and `>&-` of a shell."""
    command = [sys.executable, "-m", "tournament", *words.split()]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], capture_output=True, cwd=place, check=False)

    assert (0, b"") == (done.returncode, done.stderr)


@needs_full
@pytest.mark.parametrize("words", ["standings run", "export run --rows moves", "game list", "audit run"])
def test_an_output_without_room_is_an_error_in_a_sentence(place, words):
    """1 would be what a check says that found something."""
    done = run_command(*words.split(), folder=place, into=FULL)

    assert 2 == done.code
    assert done.err.startswith("Error: ")
    assert 1 == done.err.count("cannot be written: No space left on device. ")


def test_a_pipe_that_breaks_elsewhere_is_not_taken_for_the_output(monkeypatch):
    """A command that plays prints on whoever reads it; when something else breaks it has not done its work."""
    monkeypatch.setattr(sys, "stdout", PatientStream(io.TextIOWrapper(io.BytesIO())))
    with pytest.raises(BrokenPipeError), until_enough():
        raise BrokenPipeError
