"""A scheduler that is found by the file it writes, and that a run waits for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from tournament.cli.options import cluster_from
from tournament.errors import ConfigurationError, RunError, UsageError
from tournament.run import cluster_sides
from tournament.run.cluster_sides import read_scheduler_file

FILE = '{"type": "Scheduler", "id": "Scheduler-1", "address": "tcp://10.0.0.5:41235", "workers": {}}'


def test_the_address_is_in_the_file(tmp_path):
    (tmp_path / "scheduler.json").write_text(FILE)

    assert "tcp://10.0.0.5:41235" == cluster_from(None, tmp_path / "scheduler.json")


def test_a_file_that_comes_later_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_sides, "SCHEDULER_SECONDS", 60.0)
    monkeypatch.setattr(cluster_sides, "ASK_SECONDS", 0.01)
    path = tmp_path / "scheduler.json"
    path.write_text(FILE[:20])  # while it is being written
    timer = Timer(0.1, path.write_text, [FILE])
    timer.start()

    assert "tcp://10.0.0.5:41235" == read_scheduler_file(path)
    timer.join()


@pytest.mark.parametrize("text", [None, "", "{}", "[1]"])
def test_a_file_that_has_no_address_is_told_with_what_writes_one(tmp_path, text):
    path = tmp_path / "my scheduler.json"
    if text is not None:
        path.write_text(text)

    with pytest.raises(RunError, match=r"has no address of a scheduler .* dask scheduler --scheduler-file '.*/my sch"):
        read_scheduler_file(path)


def test_without_dask_no_file_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_sides, "find_spec", lambda name: None)

    with pytest.raises(RunError, match="needs Dask Distributed"):
        cluster_from(None, tmp_path / "scheduler.json")


def test_an_address_in_a_file_is_checked_as_any_other(tmp_path):
    (tmp_path / "scheduler.json").write_text('{"address": "nowhere"}')

    with pytest.raises(ConfigurationError, match="expected the address of a Dask scheduler"):
        read_scheduler_file(tmp_path / "scheduler.json")


def test_a_file_and_an_address_exclude_each_other():
    with pytest.raises(UsageError, match="exclude each other"):
        cluster_from("local", Path("scheduler.json"))


@pytest.mark.long
def test_the_recipe_of_a_batch_job_plays_on_one_machine(tmp_path):
    """Scheduler, worker and run begin at once, as in the job; without `srun`. Long: three programs that load Dask."""
    program = Path(sys.executable).parent
    scheduler = [
        program / "dask",
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--dashboard-address",
        "127.0.0.1:0",
    ]
    worker = [
        program / "dask",
        "worker",
        "--host",
        "127.0.0.1",
        "--nthreads",
        "1",
        "--dashboard-address",
        "127.0.0.1:0",
    ]
    run = [
        sys.executable,
        "-m",
        "tournament",
        "run",
        "--game",
        "scout:2",
        "--bots",
        "scout_greedy,scout_cautious",
        "--deals",
        "2",
    ]
    file = ["--scheduler-file", tmp_path / "scheduler.json"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path, "env": os.environ}
    with subprocess.Popen([*scheduler, *file], **quiet) as one, subprocess.Popen([*worker, *file], **quiet) as two:
        try:
            done = subprocess.run(
                [*run, *file, "--out", "far", "--quiet"], cwd=tmp_path, capture_output=True, text=True, check=False
            )
        finally:
            two.terminate()
            one.terminate()

    assert ("far\n", 0) == (done.stdout, done.returncode), done.stderr
