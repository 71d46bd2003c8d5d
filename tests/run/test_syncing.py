"""What is written reaches the disk, in time and in the right order; what does not is told."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from time import monotonic, sleep

import pytest
from test_resume import Stopper, data, stopped

from tournament import Run, run_tournament
from tournament.errors import RunError
from tournament.records.results import RESULTS_FILE
from tournament.store import writer
from tournament.store.files import read_synced
from tournament.store.folder import begin_folder
from tournament.store.layout import LOGS_FOLDER, SECRET_FILE, SYNCED_FILE, records_path
from tournament.store.writer import RunWriter

LOUD = """
from tournament import Bot


class Loud(Bot):
    \"\"\"Says something at each decision.\"\"\"

    def act(self, view):
        print("something")
        return view.legal_actions()[0]
"""


@pytest.fixture
def synced(monkeypatch):
    """Returns the names of all that reaches the disk, in order."""
    names: list[str] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        names.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    return names


def test_everything_is_on_the_disk_before_a_run_is_complete(configure, bots, tmp_path, synced):
    """All appended files and logs, then `run.json`, then the folder that says which of them is which."""
    (bots / "ada.py").write_text(LOUD)
    run_tournament(configure(), out=tmp_path / "run")
    last = len(synced) - 1 - synced[::-1].index("run.json.new")
    before = set(synced[:last])

    assert {"games.jsonl", "games.jsonl.index", RESULTS_FILE, "clocks.jsonl", "faults.jsonl", "ada.txt"} <= before
    assert {"master.secret.new", "standings.json.new", "tournament.yaml.new", tmp_path.name} <= before
    assert "run" == synced[last + 1]


def test_a_block_reaches_the_disk_though_no_other_follows(configure, tmp_path, monkeypatch):
    """By a timer: the next block may take minutes."""
    monkeypatch.setattr(writer, "SYNC_SECONDS", 0.01)
    configuration = configure()
    sizes = []

    class Waiting(Stopper):
        def block(self, block, results) -> None:
            folder = tmp_path / "run"
            written = [(folder / name).stat().st_size for name in ("games.jsonl", RESULTS_FILE)]
            end = monotonic() + 20
            while (known := read_synced(folder)) is None or [known.records, known.results] != written:
                assert monotonic() < end, "it did not reach the disk"
                sleep(0.005)
            sizes.append(written)

    run_tournament(configuration, out=tmp_path / "run", observer=Waiting())

    assert 18 == len(sizes)
    assert not (tmp_path / "run" / SYNCED_FILE).exists()


def test_a_stopped_run_says_that_all_of_it_is_on_the_disk(configure, tmp_path):
    """Whatever is missing afterwards was taken away by something else, and is not cut without being asked."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    known = read_synced(folder)

    assert [path.stat().st_size for path in (records_path(folder), folder / RESULTS_FILE)] == [
        known.records,
        known.results,
    ]


@pytest.mark.parametrize("name", ["games.jsonl", "clocks.jsonl", "ada.txt", "run"])
def test_what_does_not_reach_the_disk_is_named(configure, bots, tmp_path, monkeypatch, name):
    """A failing disk is no traceback."""
    (bots / "ada.py").write_text(LOUD)
    fsync = os.fsync

    def fail(descriptor: int) -> None:
        if Path(os.readlink(f"/proc/self/fd/{descriptor}")).name == name:
            raise OSError(errno.EIO, "Input/output error")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RunError, match=rf"{name} cannot be written: Input/output error"):
        run_tournament(configure(), out=tmp_path / "run")


def test_a_disk_that_fails_between_two_blocks_is_told_with_the_next(configure, tmp_path, monkeypatch):
    """Nothing more is played into files that do not reach the disk."""
    monkeypatch.setattr(writer, "SYNC_SECONDS", 0.01)
    fsync = os.fsync
    blocks = []

    class Breaking(Stopper):
        def block(self, block, results) -> None:
            blocks.append(block)
            monkeypatch.setattr(os, "fsync", fail)
            sleep(0.5)

    def fail(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(RunError, match=r"games\.jsonl cannot be written: Input/output error"):
        run_tournament(configure(), out=tmp_path / "run", observer=Breaking())
    monkeypatch.setattr(os, "fsync", fsync)
    assert 1 == len(blocks)
    Run.open(tmp_path / "run").play()
    assert data(run_tournament(configure(), out=tmp_path / "whole")) == data(tmp_path / "run")


def test_a_log_without_room_is_named(configure, bots, tmp_path, monkeypatch):
    """Not the folder: somebody has to find it."""
    (bots / "ada.py").write_text(LOUD)
    open_path = Path.open

    def full(path, mode="r", *more, **named):
        if path.name == "ada.txt":
            return open_path(Path("/dev/full"), mode, *more, **named)
        return open_path(path, mode, *more, **named)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(RunError, match=rf"{LOGS_FOLDER}/ada\.txt cannot be written: No space left on device"):
        run_tournament(configure(), out=tmp_path / "run")


def test_a_secret_without_room_is_named(configure, tmp_path, monkeypatch):
    """The run has not begun, and its folder may be used again."""
    fdopen = os.fdopen

    def full(descriptor, mode):
        os.close(descriptor)
        return open("/dev/full", mode)

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(RunError, match=rf"{SECRET_FILE} cannot be written: No space left on device"):
        run_tournament(configure(), out=tmp_path / "run")
    monkeypatch.setattr(os, "fdopen", fdopen)
    run_tournament(configure(), out=tmp_path / "run")


def test_the_timer_ends_with_its_writer(tmp_path):
    """No thread is left behind."""
    import threading

    with begin_folder(tmp_path / "run"), RunWriter(tmp_path / "run", keep="all", compressed=False):
        during = [thread.name for thread in threading.enumerate()]

    assert "sync" in during
    assert "sync" not in [thread.name for thread in threading.enumerate()]
