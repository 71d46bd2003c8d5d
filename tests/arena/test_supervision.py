"""`tournament arena start`: what it keeps running is started again when it dies, and ends with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

KEEPER = """
import sys
from tournament.arena.operating.supervision import keep_running
from tournament.errors import TournamentError
commands = {{name: (sys.executable, "-c", code) for name, code in {codes!r}.items()}}
try:
    keep_running(commands, say=lambda text: print(text, flush=True))
except TournamentError as error:
    print(error)
    sys.exit(error.exit_code)
print("all ended", flush=True)
"""
pytestmark = pytest.mark.long

LIVES = """
import os, signal, sys
from tournament.arena.operating.supervision import end_with_keeper
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
end_with_keeper()
os.write(1, b"{name} %d\\n" % os.getpid())  # whole: two write to one pipe
signal.sigwait([signal.SIGTERM])
os.write(1, b"{name} is told to end\\n")
"""
DIES_FIRST = """
import pathlib, sys

seen = pathlib.Path({path!r})
if not seen.exists():
    seen.touch()
    sys.exit(1)
"""


@pytest.fixture
def keep():
    """Starts a keeper of programs, by name their code; it is killed at the end of the test, if it still lives."""
    keepers = []

    def begin(**codes: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", KEEPER.format(codes=codes)]
        keepers.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True))
        return keepers[-1]

    yield begin
    for keeper in keepers:
        keeper.kill()
        keeper.wait()
        keeper.stdout.close()


def line_of(keeper, *, begins):
    """Returns the next line that begins with a word."""
    return next(line.strip() for line in keeper.stdout if line.startswith(begins))


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_of_them_and_then_the_keeper(keep, stop):
    keeper = keep(one=LIVES.format(name="one"), two=LIVES.format(name="two"))
    for _ in range(2):
        line_of(keeper, begins=("one", "two"))
    keeper.send_signal(stop)
    told = keeper.communicate()[0].splitlines()

    assert (0, ["all ended", "one is told to end", "two is told to end"]) == (keeper.returncode, sorted(told))
    assert "all ended" == told[-1]


def test_one_that_is_killed_is_started_again_and_that_is_said(keep):
    keeper = keep(one=LIVES.format(name="one"), two=LIVES.format(name="two"))
    pids = dict(line_of(keeper, begins=("one", "two")).split() for _ in range(2))
    os.kill(int(pids["one"]), signal.SIGKILL)
    said = line_of(keeper, begins="The process")
    again = line_of(keeper, begins="one")

    assert "The process `one` was ended by SIGKILL. It starts again in 1 s." == said
    assert again.split()[1] != pids["one"]
    assert Path(f"/proc/{pids['two']}").exists()


def test_one_that_ends_with_the_exit_code_of_a_mistake_ends_all_with_that_code(keep):
    keeper = keep(one="import sys; sys.exit(3)", two=LIVES.format(name="two"))
    told = keeper.communicate()[0]

    assert 3 == keeper.returncode
    assert "The process `one` cannot start: see above." in told


def test_one_that_crashes_at_first_is_started_again(keep, tmp_path):
    code = DIES_FIRST.format(path=str(tmp_path / "seen")) + LIVES.format(name="one")
    keeper = keep(one=code)
    said = line_of(keeper, begins="The process")

    assert "The process `one` ended with exit code 1. It starts again in 1 s." == said
    assert line_of(keeper, begins="one")


def test_when_the_keeper_is_killed_those_it_keeps_end(keep):
    keeper = keep(one=LIVES.format(name="one"))
    line_of(keeper, begins="one")
    keeper.kill()

    assert "one is told to end" == line_of(keeper, begins="one is")
