"""Windows, as far as it can be shown here: see `as_windows.py`. No Windows was at hand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# From Python 3.12 on paths of another system cannot be made.
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or sys.version_info >= (3, 12), reason="only this Python can be made so"
)
PROGRAM = Path(__file__).with_name("as_windows.py")

TALKS = """from tournament import Bot
class Talks(Bot):
    def act(self, view):
        print("h\N{LATIN SMALL LETTER A WITH DIAERESIS} \N{BLACK STAR}")
        return view.legal_actions()[0]
"""
CONFIGURATION = """name: open
seed: what-these-tests-play
games: [{game: scout, players: 2}]
bots:
  - {name: con, bot: bots/talks.py}
  - {name: "a:b", bot: scout_greedy}
budget: {deals: 2}
"""


TELLS = """import os, sys
from tournament import Bot
class Tells(Bot):
    def act(self, view):
        print(os.getpid(), sys.platform, os.name, hasattr(os, "fork"))
        return view.legal_actions()[0]
"""
DIES = """import os
from tournament import Bot
class Dies(Bot):
    def act(self, view):
        os._exit(3)
"""


def as_windows(folder, *words):
    """Runs the command in a folder, in which it prints what a console of Western Europe can show."""
    return subprocess.run(
        [sys.executable, PROGRAM, *words],
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Returns a folder with a run, and how its command ended; files end their lines as Windows does."""
    folder = tmp_path_factory.mktemp("windows")
    (folder / "bots").mkdir()
    (folder / "bots" / "talks.py").write_bytes(TALKS.replace("\n", "\r\n").encode())
    (folder / "open.yaml").write_bytes(CONFIGURATION.replace("\n", "\r\n").encode())
    return folder, as_windows(folder, "run", "open.yaml", "--out", "run")


def test_a_run_is_played_there(played):
    """In the process of the tournament, which is what there is by itself."""
    _, done = played

    assert (b"4 of 4 planned games, no faults." in done.stdout, done.returncode) == (True, 0), done.stderr


def test_files_of_bots_have_names_that_every_system_takes(played):
    folder, _ = played

    assert ["%63on.txt"] == os.listdir(folder / "run" / "logs")


def test_lines_end_as_on_every_system(played):
    """Records of one system are those of another, byte for byte."""
    folder, _ = played
    files = [path for path in (folder / "run").iterdir() if path.suffix in (".json", ".jsonl")]

    assert [] == [path.name for path in files if b"\r" in path.read_bytes()]


def test_a_tournament_whose_name_has_a_colon_gets_a_folder_there(tmp_path):
    """No folder can have one there."""
    (tmp_path / "week.yaml").write_text(CONFIGURATION.replace("name: open", 'name: "week: 3"'))
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "talks.py").write_text(TALKS)
    done = as_windows(tmp_path, "run", "week.yaml", "--quiet")

    assert (0, ["week%3A 3"]) == (done.returncode, os.listdir(tmp_path / "records")), done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("standings", "run"),
        ("audit", "run"),
        ("audit", "run", "--workers", "2"),
        ("report", "run", "--out", "pages"),
        ("export", "run", "--rows", "games", "--out", "games.csv"),
        ("extend", "run", "--deals", "4"),
    ],
)
def test_a_run_can_be_looked_at_and_goes_on_there(played, words):
    folder, _ = played
    done = as_windows(folder, *words)

    assert (0, b"") == (done.returncode, done.stderr)


def test_two_workers_play_there_what_one_plays(tmp_path):
    """Each is a process that looks like Windows, too, begun anew and not forked."""
    (tmp_path / "tells.py").write_text(TELLS)
    runs = {}
    for workers in ("1", "2"):
        words = ("--bots", "tells.py", "--bots", "scout_greedy", "--game", "scout:2", "--deals", "6")
        done = as_windows(
            tmp_path, "run", *words, "--seed", "what-these-tests-play", "--workers", workers, "--out", workers
        )
        assert (0, b"12 of 12 planned games, no faults." in done.stdout) == (done.returncode, True), done.stderr
        lines = (tmp_path / workers / "logs" / "tells.txt").read_text().splitlines()
        process_and_system = {tuple(line.partition(" | ")[2].split(" ", 1)) for line in lines}
        runs[workers] = (tmp_path / workers / "games.jsonl").read_bytes()

        assert {"win32 nt False"} == {system for _, system in process_and_system}
        assert int(workers) == len(process_and_system)

    assert runs["1"] == runs["2"]


def test_a_worker_that_dies_there_is_replaced(tmp_path):
    (tmp_path / "dies.py").write_text(DIES)
    words = ("--bots", "dies.py", "--bots", "scout_greedy", "--game", "scout:2", "--deals", "1")
    done = as_windows(tmp_path, "run", *words, "--workers", "2", "--out", "run")

    assert (0, b"") == (done.returncode, done.stderr)
    assert b"scout-2p.0.000000 was not played: it killed two workers" in done.stdout


def test_processes_are_refused_there_before_anything_is_written(played):
    folder, _ = played
    done = as_windows(folder, "run", "open.yaml", "--isolation", "process", "--out", "other")

    assert (3, False) == (done.returncode, (folder / "other").exists())
    assert b"isolation: process does not exist on Windows. Choose isolation: none" in done.stderr
