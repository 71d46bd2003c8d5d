"""Output that is cut off, as by `| head -1`, is the wish of who reads it and no failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tournament.records.run import RunState
from tournament.records.store import read_run

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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux that has no room")
@pytest.mark.parametrize("words", ["standings run", "export run --rows moves", "game list", "audit run"])
def test_an_output_without_room_is_an_error_in_a_sentence(place, words):
    """1 would be what a check says that found something."""
    command = [sys.executable, "-m", "tournament", *words.split()]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=place, text=True, check=False)

    assert 2 == done.returncode
    assert done.stderr.startswith("Error: ")
    assert 1 == done.stderr.count("cannot be written: No space left on device. ")
