"""A report takes the place of an older one in one step, whoever is killed and whoever else writes one."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from made_runs import small_run

from tournament.cli.report import report_after
from tournament.errors import Interrupted, UsageError
from tournament.report import site
from tournament.report import site as placing
from tournament.report.site import replace_folder, write_report
from tournament.store.files import RunLock

DYING = """
import os, signal, sys
from pathlib import Path
from tournament.report.site import write_report

folder, method, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
calls = 0
real = getattr(Path, method)

def dying(path, *arguments, **named):
    global calls
    calls += 1
    if calls == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(path, *arguments, **named)

setattr(Path, method, dying)
write_report(folder)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished run without a report."""
    return small_run(tmp_path_factory.mktemp("runs"), deals=1)


@pytest.fixture(scope="module")
def reported(made, tmp_path_factory):
    """A copy of it with its report."""
    folder = shutil.copytree(made, tmp_path_factory.mktemp("reported") / "run")
    write_report(folder)
    return Path(folder)


@pytest.fixture
def run(made, tmp_path):
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "run"))


def names_in(folder: Path) -> list[str]:
    """Returns what lies in a run that has to do with its report."""
    return sorted(path.name for path in folder.iterdir() if "report" in path.name)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Returns every file of a folder, by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("has_older", [False, True])
@pytest.mark.parametrize(
    ("method", "number"), [("write_bytes", 1), ("write_bytes", 9), ("rename", 1), ("rename", 2), ("rename", 3)]
)
def test_a_report_that_was_killed_is_in_nobodys_way(made, reported, tmp_path, method, number, has_older):
    """While it writes, before and after the older one is moved away, and before that is deleted."""
    run = Path(shutil.copytree(reported if has_older else made, tmp_path / "run"))
    expected = bytes_of(reported / "report")
    died = subprocess.run([sys.executable, "-c", DYING, run, method, str(number)], check=False)
    write_report(run)

    assert died.returncode in (-signal.SIGKILL, 0 if number == 3 else -signal.SIGKILL)
    assert ["report"] == names_in(run)
    assert expected == bytes_of(run / "report")


def test_a_report_that_version_0_1_0_left_half_deleted_is_replaced(run):
    """It deleted the older one file by file, and the mark of a report was among the first."""
    report = write_report(run).parent
    expected = bytes_of(report)
    shutil.rmtree(report / "data")
    shutil.copytree(report, run / "report.new")
    write_report(run)

    assert ["report"] == names_in(run)
    assert expected == bytes_of(report)


def test_a_half_deleted_folder_elsewhere_is_left_alone(run, tmp_path):
    """Only in its run is a folder a report by the names in it."""
    (tmp_path / "mine" / "data").mkdir(parents=True)

    with pytest.raises(UsageError, match="is no report"):
        write_report(run, tmp_path / "mine")
    assert (tmp_path / "mine" / "data").is_dir()


def test_two_reports_at_once_do_not_collide(run):
    """The last one stays, whole, and nothing is left beside."""
    expected = bytes_of(write_report(run).parent)
    errors: list[Exception] = []

    def write() -> None:
        try:
            for _ in range(3):
                write_report(run)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [] == errors
    assert ["report"] == names_in(run)
    assert expected == bytes_of(run / "report")


def test_what_another_writes_now_is_not_cleared(tmp_path):
    """Only what nobody holds any more."""
    (tmp_path / ".out-live.new").mkdir()
    (tmp_path / ".out-dead.new").mkdir()
    with RunLock(tmp_path / ".out-live.new"):
        replace_folder(tmp_path / "out", [("file", b"")])

    assert [".out-live.new", "out"] == sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize("name", ["report", "report.new"])
def test_nothing_is_written_behind_a_link(run, tmp_path, name):
    """A run that somebody sent may have one: it leads where its sender likes."""
    (tmp_path / "elsewhere").mkdir()
    (run / name).symlink_to(tmp_path / "elsewhere")
    if name == "report":
        with pytest.raises(UsageError, match="is a link, and nothing is written behind it"):
            write_report(run)
    else:
        write_report(run)

    assert [] == list((tmp_path / "elsewhere").iterdir())
    assert (run / name).is_symlink()


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_an_older_report_stays_where_the_new_one_cannot_be_written(run, monkeypatch, error):
    """Neither is the run less complete: that is said, with the command for the report."""
    report = write_report(run).parent
    expected = bytes_of(report)
    rename = Path.rename

    def failing(path, target):
        if target == report and path.name == "new":
            raise error
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises((UsageError, Interrupted), match=rf"is complete.*\n  tournament report {run}"):
        report_after(run, quiet=True)
    assert expected == bytes_of(report)
    assert ["report"] == names_in(run)


def test_a_full_disk_says_that_the_run_is_complete(run, monkeypatch):
    """Only its report is missing."""

    def full(path, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(UsageError, match=r"is complete, and only its report is missing: .* No space left") as caught:
        report_after(run, quiet=True)
    assert f"tournament report {run}" in str(caught.value)
    assert [] == names_in(run)


def test_a_report_is_of_the_run_as_it_is_when_it_is_put_in_place(run, monkeypatch):
    """Who is slow does not overwrite the report of whoever changed the run meanwhile."""
    report_files = site.report_files
    path = run / "run.json"

    def slow(facts):
        yield from report_files(facts)
        path.write_text(path.read_text().replace("made <b>run", "named anew <b>"))

    monkeypatch.setattr(site, "report_files", slow)
    page = write_report(run)

    assert "named anew" in page.read_text()


def test_a_folder_that_another_writer_cleared_before_it_was_locked_is_made_again(tmp_path, monkeypatch):
    """Between making a folder and locking it, it looks like what a killed writer left."""
    cleared = []
    lock = placing.RunLock

    def late(folder):
        if not cleared:
            cleared.append(folder)
            folder.rmdir()
        return lock(folder)

    monkeypatch.setattr(placing, "RunLock", late)
    placing.replace_folder(tmp_path / "report", [("index.html", b"new")])

    assert b"new" == (tmp_path / "report" / "index.html").read_bytes()
    assert ["report"] == [path.name for path in tmp_path.iterdir()]
    assert 1 == len(cleared)
