"""Ctrl-C at awkward moments: the exact command is printed, twice stops at once, exit code 130."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess

import pytest
from small_runs import command, python, wait_until, write_configuration

from tournament import Run, run_tournament
from tournament.blocks import setup_of
from tournament.cli.streams import stopped
from tournament.errors import Interrupted
from tournament.records.results import RESULTS_FILE
from tournament.records.run import RunState
from tournament.run.listeners import Observers
from tournament.run.workers import _Worker
from tournament.store.folder import read_run
from tournament.store.writer import RunWriter

STOPPING = """
import os, signal

from tournament import Bot

if "STOP" in os.environ:
    os.kill(os.getpid(), signal.SIGINT)


class Stopping(Bot):
    \"\"\"Has the user press Ctrl-C while it is loaded.\"\"\"

    def act(self, view):
        return view.legal_actions()[0]
"""

WHILE_LOADED = """
import atexit, os, signal, sys

from tournament.cli.main import run


class Moment:
    def find_spec(self, name, *rest):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, Moment())
atexit.register(os.kill, os.getpid(), signal.SIGINT)
run()
"""


def press() -> None:
    """Sends this process what Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGINT)


class Pressing(Observers):
    """Presses Ctrl-C so many times when the first block has been written."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    def block(self, block, results):
        while self._times:
            self._times -= 1
            press()


@pytest.fixture
def interrupted(bots, configure, tmp_path):
    """A run that was stopped after its first block."""
    (bots / "dora.py").write_text(STOPPING)
    folder = tmp_path / "a run"
    with pytest.raises(Interrupted):
        run_tournament(configure(), out=folder, observer=Pressing(1))
    return folder


def test_the_command_that_goes_on_can_be_typed_as_it_is(bots, configure, tmp_path):
    """The exact command, also for a folder with a blank in its name."""
    folder = tmp_path / "a run"
    with pytest.raises(Interrupted) as stop:
        run_tournament(configure(), out=folder, observer=Pressing(1))

    assert ["tournament", "resume", str(folder)] == shlex.split(str(stop.value).splitlines()[-1])


def test_a_resume_that_is_stopped_while_bots_load_prints_the_command_that_goes_on(interrupted):
    """The exact command printed on interruption, whenever that is."""
    process = command("resume", interrupted, "-q", environment={"STOP": "1"})
    _, errors = process.communicate(timeout=60)

    assert 130 == process.returncode, errors
    assert ["tournament", "resume", str(interrupted), "-q"] == shlex.split(errors.splitlines()[-1])
    assert "Go on with:" in errors


def test_a_run_that_is_stopped_while_bots_load_leaves_nothing_and_says_how_to_begin_again(bots, tmp_path):
    """The exact command, and no folder that would be in its way."""
    (bots / "dora.py").write_text(STOPPING)
    configuration = write_configuration(tmp_path)
    process = command("run", configuration, "--out", tmp_path / "run", environment={"STOP": "1"})
    _, errors = process.communicate(timeout=60)

    assert 130 == process.returncode, errors
    assert "Begin again with:\n  tournament run" in errors
    assert not (tmp_path / "run").exists()


def test_a_command_that_is_stopped_while_it_is_loaded_prints_no_traceback(tmp_path):
    """Exit code 130 from the first moment to the last: Ctrl-C is pressed again when Python ends."""
    done = subprocess.run(python("-c", WHILE_LOADED, "resume", "run"), capture_output=True, text=True, check=False)

    assert (130, "Stopped before a game was played. Go on with:\n  tournament resume run\n") == (
        done.returncode,
        done.stderr,
    )


def test_a_command_that_leaves_nothing_undone_says_nothing_when_it_is_stopped():
    """Who follows a run with `watch` ends that with Ctrl-C."""
    done = subprocess.run(python("-c", WHILE_LOADED, "watch", "run"), capture_output=True, check=False)

    assert (130, b"") == (done.returncode, done.stderr)


def test_what_a_run_says_when_it_is_stopped_outlasts_one_more_interrupt():
    """Ctrl-C once more while the command ends takes the place of what it was about to say."""
    said = Interrupted("Stopped after 2 games.")
    again = KeyboardInterrupt()
    again.__context__ = said

    assert said is stopped(again)


def test_a_third_interrupt_does_not_keep_the_state_from_being_written(configure, tmp_path, monkeypatch):
    """Twice stops at once, and further ones change nothing."""
    write_run = RunWriter.write_run

    def write_slowly(self, info):
        if info.state is RunState.INTERRUPTED:
            press()
        write_run(self, info)

    monkeypatch.setattr(RunWriter, "write_run", write_slowly)
    folder = tmp_path / "run"
    with pytest.raises(Interrupted, match="tournament resume"):
        run_tournament(configure(), out=folder, observer=Pressing(2))

    assert RunState.INTERRUPTED is read_run(folder).state


def test_interrupts_do_not_keep_a_run_from_being_completed_halfway(configure, tmp_path, monkeypatch):
    """Standings, `run.json` and the end of the secret belong together."""
    write_standings = RunWriter.write_standings

    def write_slowly(self, values):
        press()
        press()
        write_standings(self, values)

    monkeypatch.setattr(RunWriter, "write_standings", write_slowly)
    folder = run_tournament(configure(), out=tmp_path / "run")

    assert RunState.COMPLETE is read_run(folder).state


def test_a_resume_that_is_stopped_while_it_reads_what_was_played_says_how_to_go_on(interrupted, monkeypatch):
    """The exact command printed on interruption, whenever that is."""

    def read_results(folder):
        raise KeyboardInterrupt

    monkeypatch.setattr("tournament.run.segment.read_results", read_results)
    with pytest.raises(Interrupted, match="Go on with"):
        Run.open(interrupted).play()


def test_an_interrupt_does_not_end_a_worker_that_has_just_been_started(configure):
    """A terminal sends it to all processes, and the runner decides what becomes of it."""
    worker = _Worker(setup_of(configure()), None)
    (process,) = worker.executor._processes
    os.kill(process, signal.SIGINT)
    try:
        assert worker.ready.exception() is None
    finally:
        worker.end(at_once=True)
        worker.executor.shutdown()


def test_a_runner_that_is_killed_leaves_no_warning_in_the_terminal(bots, tmp_path):
    """Python's own watcher of semaphores frees those of the workers without a word."""
    configuration = write_configuration(tmp_path, "budget: {deals: 100}\nworkers: 2\n")
    process = command("run", configuration, "--out", tmp_path / "run", "-q")
    wait_until((tmp_path / "run" / RESULTS_FILE).exists, process)
    os.kill(process.pid, signal.SIGKILL)
    _, errors = process.communicate(timeout=60)

    assert "leaked" not in errors


def test_what_is_interrupted_here_is_started_as_in_a_terminal():
    """These tests hold below `nohup` and in the background of a script, too, where both signals are ignored."""
    told = "import signal; print(signal.getsignal(signal.SIGINT).__name__, signal.getsignal(signal.SIGHUP).name)"
    ignoring = ["sh", "-c", 'trap "" INT HUP; exec "$@"', "sh", *python("-c", told)]
    done = subprocess.run(ignoring, capture_output=True, text=True, check=True)

    assert done.stdout == "default_int_handler SIG_DFL\n"
