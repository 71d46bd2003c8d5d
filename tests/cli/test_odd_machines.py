"""Odd machines: output in few letters, few open files, no folder, no locks, a pipe that nobody reads."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from forked_commands import run_command

from tournament.cli.streams import write_any_text
from tournament.errors import RunError
from tournament.store import lines
from tournament.store.files import RunLock, UnlockableError, is_locked
from tournament.store.folder import make_free_folder

STORED = Path(__file__).parents[1] / "data" / "runs-0.1.0"
RUN = ["run", "--game", "explorers:2", "--deals", "2", "--isolation", "none", "-q"]


def _command(*words: object, folder: Path, **changes: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tournament", *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, **changes)  # type: ignore[call-overload]


@pytest.mark.parametrize("words", [["standings"], ["gate", "--new", "first", "--old", "last"], ["report"]])
def test_output_that_lacks_letters_is_written_with_others(words: list[str], tmp_path: Path) -> None:
    """The exit code is that of the command: `gate` does not say no for want of a minus sign."""
    run = tmp_path / "run"
    subprocess.run(["cp", "-r", STORED / "round-robin", run], check=True)
    expected, *outcomes = [
        run_command(words[0], run, *words[1:], folder=tmp_path, encoding=name)
        for name in ("utf-8", "cp1252", "latin-1")
    ]

    assert {expected.code} == {outcome.code for outcome in outcomes}
    assert not [outcome for outcome in outcomes if "Traceback" in outcome.err]


def test_signs_are_replaced_by_what_looks_like_them() -> None:
    file = io.BytesIO()
    stream = io.TextIOWrapper(file, encoding="latin-1")
    write_any_text(stream)
    stream.write("−5.7 ± 1 … Zoë 東")
    stream.flush()

    assert file.getvalue().decode("latin-1") == "-5.7 ± 1 ... Zoë \\u6771"


def test_a_working_directory_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    command = [sys.executable, "-c", code, "-m", "tournament", "standings", str(STORED / "gauntlet")]
    done = subprocess.run(command, cwd=gone, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr.startswith("Error: The working directory was deleted.")) == (2, True)


@pytest.mark.parametrize("files", [16, 24, 32])
def test_too_few_open_files_are_told(files: int, tmp_path: Path) -> None:
    """Isolation none opens the fewest."""
    code = (
        f"import resource, os, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files})); "
        "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    )
    words = ["-m", "tournament", "run", "--game", "explorers:2", "--deals", "1", "-q", "--out", "run"]
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > files
    assert f"this process may have {files} open. Allow more: ulimit -n 1024" in done.stderr
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


def test_a_folder_that_cannot_be_locked_is_not_said_to_be_played(tmp_path: Path, monkeypatch) -> None:
    """Some network file systems refuse every lock."""

    def refuse(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)

    with pytest.raises(UnlockableError, match=r"cannot be locked.*No locks available.*use another disk"):
        RunLock(tmp_path)
    assert not is_locked(tmp_path)


def test_a_folder_that_is_locked_is_said_to_be_played(tmp_path: Path) -> None:
    with RunLock(tmp_path):
        assert is_locked(tmp_path)
        with pytest.raises(RunError, match="is being played right now by another process"):
            RunLock(tmp_path)


def test_an_index_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch) -> None:
    """On a read-only file system a file that is not there cannot be taken away either."""

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)

    assert lines.write_index(tmp_path / "games.jsonl", [b"x"]) is None


def test_runs_that_begin_at_once_take_a_folder_each(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(make_free_folder("open"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(map(str, found)) == ["records/open", *(f"records/open-{number}" for number in range(2, 9))]


def test_a_reader_of_events_that_leaves_does_not_stop_the_run(tmp_path: Path) -> None:
    pipe = tmp_path / "events"
    os.mkfifo(pipe)
    read: list[str] = []

    def read_one() -> None:
        with pipe.open() as file:
            read.append(file.readline())

    reader = threading.Thread(target=read_one)
    reader.start()
    done = _command(*RUN, "--out", "run", "--events", pipe, folder=tmp_path, timeout=120)
    reader.join()

    assert (done.returncode, read[0].startswith('{"event":"started"')) == (0, True)


def test_a_run_whose_reader_of_events_takes_nothing_can_be_stopped(tmp_path: Path) -> None:
    """The pipe is full long before the run is over."""
    pipe = tmp_path / "events"
    os.mkfifo(pipe)
    words = [*RUN, "--deals", "500", "--out", "run", "--events", str(pipe)]
    run = subprocess.Popen([sys.executable, "-m", "tournament", *words], cwd=tmp_path, stderr=subprocess.PIPE)
    with pipe.open("rb") as reader:
        reader.readline()
        run.send_signal(signal.SIGTERM)
        _, said = run.communicate(timeout=60)

    assert (run.returncode, b"tournament resume run" in said) == (130, True)


@pytest.mark.parametrize(("wanted", "threads"), [(None, "1"), ("2", "2")])
def test_one_thread_adds_up_matrices_unless_the_user_wants_more(wanted, threads):
    """So that the last digits of standings do not depend on the number of cores."""
    words = "import os, sys; from tournament.cli.main import run; sys.argv = ['tournament', '--version']\n"
    words += "try: run()\nexcept SystemExit: print(os.environ['OPENBLAS_NUM_THREADS'])"
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"OPENBLAS_NUM_THREADS": wanted} if wanted else {}

    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, env=environment, check=True)
    assert threads == done.stdout.splitlines()[-1]


@pytest.mark.parametrize("size", ["9" * 30, "999999", "99990", "1", "007x", "-1", "x", "0", "", "\u0661"])
def test_a_terminal_of_an_odd_size_changes_nothing(size, monkeypatch):
    """Libraries would make lines so long, or fail."""
    expected = run_command("gate", "nowhere")
    monkeypatch.setenv("COLUMNS", size)
    monkeypatch.setenv("LINES", size)
    done = run_command("gate", "nowhere")

    assert (expected.code, expected.err.split()) == (done.code, done.err.split())
    assert 0 == run_command("--help").code


@pytest.mark.parametrize(
    "words",
    [
        ("arena", "check", "loop"),
        ("arena", "restore", "loop", "loop"),
        ("arena", "init", "loop"),
        ("standings", "loop"),
        ("run", "--deals", "1", "--out", "loop/run"),
        ("run", "loop.yaml"),
        ("submit", "loop", "--bot", "x", "--to", "http://127.0.0.1:1"),
        ("serve", "loop"),
    ],
)
def test_a_link_that_leads_to_itself_is_told_in_a_sentence(words, tmp_path):
    for name in ("loop", "loop.yaml"):
        (tmp_path / name).symlink_to(name)
    done = run_command(*words, folder=tmp_path)

    assert done.code in range(2, 10)
    assert done.err.startswith("Error: ")
