"""Kills."""

from __future__ import annotations

import os
import pty
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_runs import KILLER, children_of, command, is_running, kill, python, wait_until, write_configuration

from tournament import Run, audit, run_tournament
from tournament.records.results import RESULTS_FILE
from tournament.records.run import RunState
from tournament.store.folder import read_run
from tournament.store.results import read_results

EXITING = """
import os
from pathlib import Path

from tournament import Bot

MARKER = Path(os.environ["MARKER"])


class Exiting(Bot):
    \"\"\"Ends the process it is in, once.\"\"\"

    def act(self, view):
        if not MARKER.exists():
            MARKER.touch()
            os._exit(5)
        return view.legal_actions()[0]
"""

WAITING = """
import os
import signal
from contextlib import suppress
from pathlib import Path

from tournament import Bot


class Waiting(Bot):
    \"\"\"Once, after the first results, it tells which process it is in and waits there for its end.\"\"\"

    def act(self, view):
        marker = Path(os.environ["MARKER"])
        with suppress(FileExistsError):
            if Path(os.environ["RESULTS"]).exists():
                marker.mkdir()
                (marker / str(os.getpid())).touch()
                signal.pause()
        return view.legal_actions()[0]
"""

DYING = Path(__file__).parent / "dying.py"


def data(folder: Path) -> bytes:
    """Returns records and results."""
    return (folder / "games.jsonl").read_bytes() + (folder / RESULTS_FILE).read_bytes()


def size(folder: Path) -> int:
    """Returns how much of the results is there."""
    path = folder / RESULTS_FILE
    return path.stat().st_size if path.exists() else 0


@pytest.mark.long
def test_twenty_kills_leave_the_bytes_of_an_undisturbed_run(bots, tmp_path):
    """SIGKILL at 10 random moments (the seed is printed) and at 10 fault points, then a last resume."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    configuration = write_configuration(tmp_path, "budget: {deals: 500}\nworkers: 2\n")
    folder = tmp_path / "run"
    process = command("run", configuration, "--out", folder, "-q")
    wait_until(lambda: size(folder) > 0, process)
    kill(process)
    points = [(point, number) for point in ("inside", "between") for number in (1, 2, 3, 5)] + [("rename", 1)] * 2
    kills: list[tuple[str, int] | None] = [None] * 9 + points  # type: ignore[assignment]
    rng.shuffle(kills)
    for one in kills:
        before = size(folder)
        assert read_run(folder).state is not RunState.COMPLETE, f"over before all kills, seed {seed}"
        if one is None:
            process = command("resume", folder, "-q")
            wait_until(lambda before=before: size(folder) > before, process)
            time.sleep(rng.random() * 0.2)
            kill(process)
        else:
            died = subprocess.run(
                [sys.executable, DYING, one[0], str(one[1]), "resume", folder, "-q", "--workers", "1"], check=False
            )
            assert -signal.SIGKILL == died.returncode
    Run.open(folder).play()
    whole = run_tournament(configuration, out=tmp_path / "whole")

    assert data(whole) == data(folder), f"seed {seed}"
    assert () == tuple(audit(folder).findings)


def test_a_killed_worker_costs_nothing(bots, tmp_path, monkeypatch):
    """The pool is rebuilt, the blocks go again; a worker that waits for a block has none to be told of."""
    marker = tmp_path / "playing"
    monkeypatch.setenv("MARKER", str(marker))
    monkeypatch.setenv("RESULTS", str(tmp_path / "run" / RESULTS_FILE))
    (bots / "dora.py").write_text(WAITING)
    configuration = write_configuration(tmp_path, "budget: {deals: 10}\nworkers: 2\n")
    process = command("run", configuration, "--out", tmp_path / "run")
    wait_until(lambda: marker.is_dir() and any(marker.iterdir()), process)
    (worker,) = (int(path.name) for path in marker.iterdir())
    assert worker in children_of(process.pid)
    os.kill(worker, signal.SIGKILL)
    output, errors = process.communicate(timeout=120)
    whole = run_tournament(configuration, out=tmp_path / "whole")

    assert 0 == process.returncode, errors
    assert "A worker died" in output
    assert data(whole) == data(tmp_path / "run")


def test_a_bot_that_ends_the_process_it_shares_is_told_of_by_resume(bots, tmp_path, monkeypatch):
    """At isolation none such a bot ends the tournament; what was written is kept, and the block is named."""
    (bots / "dora.py").write_text(EXITING)
    configuration, marker = write_configuration(tmp_path, "budget: {deals: 3}\n"), tmp_path / "exited"
    folder = tmp_path / "run"
    environment = {"MARKER": str(marker)}
    first = command("run", configuration, "--out", folder, environment=environment)
    first.communicate(timeout=60)
    written = [result.block for result in read_results(folder)]
    second = command("resume", folder, environment=environment)
    output, errors = second.communicate(timeout=60)
    assert (5, 0) == (first.returncode, second.returncode), errors
    monkeypatch.setenv("MARKER", str(marker))  # which is there: it exits no more
    whole = run_tournament(configuration, out=tmp_path / "whole")

    assert f"explorers-2p.0.{len(set(written)):06} (" in output
    assert "dora) is the first block that was not written" in output
    assert "begin a run with --isolation process" in output
    assert data(whole) == data(folder)


def test_a_block_that_kills_two_workers_is_void_and_the_rest_is_played(configure, bots, tmp_path):
    """A block that kills twice is void and reported, never a loop."""
    (bots / "dora.py").write_text(KILLER.format(condition='view.players == 2 and view.hand[0] == "5H"'))
    folder = run_tournament(configure(workers=2), out=tmp_path / "run")
    info = read_run(folder)
    played = {result.block for result in read_results(folder)}

    assert info.void
    assert all("killed two workers" in one.why for one in info.void)
    assert 18 == len(played) + len(info.void)
    assert () == tuple(audit(folder).findings)


@pytest.mark.parametrize(
    ("number", "times"), [(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1), (signal.SIGHUP, 1)]
)
def test_signals_stop_a_run_that_can_go_on(bots, tmp_path, number, times):
    """SIGINT once finishes the blocks in flight, twice stops at once; SIGTERM, SIGHUP as once; exit code not 0."""
    configuration = write_configuration(tmp_path, "budget: {deals: 100}\nworkers: 2\n")
    folder = tmp_path / "run"
    process = command("run", configuration, "--out", folder)
    wait_until(lambda: size(folder) > 0, process)
    for _ in range(times):
        os.killpg(process.pid, number)
        time.sleep(0.02)
    _, errors = process.communicate(timeout=60)

    assert 130 == process.returncode
    assert f"tournament resume {folder}" in errors
    assert RunState.INTERRUPTED is read_run(folder).state
    assert 0 == len(list(read_results(folder))) % 2


def test_a_run_whose_terminal_is_closed_can_go_on(bots, tmp_path):
    """That sends SIGHUP, and what is printed then fails."""
    configuration = write_configuration(tmp_path, "budget: {deals: 100}\n")
    folder = tmp_path / "run"
    process, terminal = pty.fork()
    if not process:
        os.execv(sys.executable, python("-m", "tournament", "run", configuration, "--out", folder))

    def has_begun() -> bool:
        if select.select([terminal], [], [], 0)[0]:
            os.read(terminal, 65536)
        return size(folder) > 0

    wait_until(has_begun)
    os.close(terminal)
    _, status = os.waitpid(process, 0)

    assert 130 == os.waitstatus_to_exitcode(status)
    assert RunState.INTERRUPTED is read_run(folder).state


def test_nohup_lets_a_run_go_on(bots, tmp_path):
    """Whoever ignores SIGHUP goes on ignoring it."""
    configuration = write_configuration(tmp_path, "budget: {deals: 30}\nworkers: 2\n")
    folder = tmp_path / "run"
    words = ["nohup", sys.executable, "-m", "tournament", "run", configuration, "--out", folder, "-q"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        wait_until(lambda: size(folder) > 0)
        os.killpg(run.pid, signal.SIGHUP)
        code = run.wait(60)

    assert (0, RunState.COMPLETE) == (code, read_run(folder).state)


def test_no_worker_outlives_a_killed_runner(bots, tmp_path):
    """Workers end with the runner."""
    configuration = write_configuration(tmp_path, "budget: {deals: 100}\nworkers: 2\n")
    process = command("run", configuration, "--out", tmp_path / "run")
    wait_until(lambda: size(tmp_path / "run") > 0, process)
    workers = children_of(process.pid)
    kill(process)
    wait_until(lambda: not any(map(is_running, workers)), seconds=10)
