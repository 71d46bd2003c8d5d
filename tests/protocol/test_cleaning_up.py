"""Nothing of a bot is left: no process, zombie, descriptor, file or scratch folder."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from time import monotonic, sleep

import pytest
from gains import gained, held

from tournament.players.linux import files, spawner
from tournament.players.linux.files import SCRATCH_PREFIX, remove_tree, sweep_scratch
from tournament.players.linux.trees import descendants
from tournament.records.settings import Isolation

CLOCK = {"move_ms": 300, "bank_ms": 0, "start_ms": 5000, "newgame_ms": 1000}


@pytest.fixture(autouse=True)
def place(monkeypatch):
    """Where scratch folders lie, so that those of other runs are not counted."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o711)
    monkeypatch.setattr(files, "_scratch_place", lambda: str(folder))
    yield folder
    assert [] == list(folder.iterdir())
    folder.rmdir()


DAEMON = """
if moves == 1 and kind == 'act' and os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    os._exit(0)
"""
FORKS = """
if moves == 2:
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""
HOLDS = "if moves == 2 and os.fork() > 0: os._exit(0)\nif moves == 2: time.sleep(600)"
MESS = """
if kind == 'start':
    os.makedirs('a/b', exist_ok=True); open('a/b/c', 'w').write('x'); os.chmod('a/b', 0); os.chmod('a', 0)
    try:
        open('big', 'wb').write(b'x' * (50 << 20))
    except OSError:
        pass
"""
TROUBLES = {
    "a daemon outlives its game": DAEMON,
    "a fork bomb": FORKS,
    "the main process exits, a child holds the pipe": HOLDS,
    "a mess in scratch": MESS,
    "ignores quit": "if kind == 'quit': time.sleep(600)",
    "honest": "",
}


@pytest.mark.parametrize("case", TROUBLES)
def test_nothing_is_left_after_the_games_of_a_bot(case, level, raw, first, room, place):
    """No process, zombie, descriptor, file or scratch folder left."""
    before = held(place)
    trouble = TROUBLES[case]
    one = room(raw(trouble), first, isolation=level, clock=CLOCK, limits={"processes": 24})
    one.play(0)
    one.play(1)
    one.blocks.close()

    assert (set(), set(), set()) == gained(before, place)


def test_what_the_program_around_a_tournament_started_lives_on(level, raw, first, room):
    """A server in a session of its own is no daemon of a bot, though it looks like one."""
    one = room(raw(DAEMON), first, isolation=level, clock=CLOCK)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as server:
        one.play(0)
        one.blocks.close()
        lives_on = server.poll() is None
        server.communicate(b"\n")

    assert lives_on
    assert 0 == server.returncode


WITHOUT_RIGHTS = """
import ctypes, subprocess
from tournament.players.linux import trees

ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
with subprocess.Popen(["sleep", "60"], start_new_session=True) as older:
    trees.protect_this_process()
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as later:
        trees.end_leftovers()
        print(older.poll(), later.poll())
        older.kill()
"""


def test_where_nobody_can_gain_rights_what_was_there_before_the_first_bot_lives_on():
    """Then a bot's daemon and a server started meanwhile look the same, and both are ended."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_RIGHTS], capture_output=True, text=True, check=True)

    assert "None 0\n" == done.stdout


def test_descriptors_and_processes_stay_constant_over_games_with_faults(level, raw, first, room, place):
    """Constant descriptors and processes."""
    before = held(place)
    one = room(raw("if moves == 2: os._exit(1)"), first, isolation=level, clock=CLOCK)
    one.play(0)
    counts = set()
    for number in range(1, 6):
        one.play(number)
        processes, descriptors, _ = gained(before, place)
        counts.add((len(processes), len(descriptors)))

    assert 1 == len(counts)


def test_the_least_recently_used_processes_are_ended_beyond_the_cap(hosted, room):
    """A cap on kept processes."""
    others = set(descendants(os.getpid()))
    text = "class A(Bot):\n    def act(self, view): return view.legal_actions()[0]\n"
    one = room(hosted(text, "a"), hosted(text, "b"), isolation=Isolation.PROCESS)
    one.blocks._cast._kept = 2
    one.play(0)
    one.blocks._cast.begin_block()

    assert 2 == len(set(descendants(os.getpid())) - others)


def test_a_scratch_folder_whose_worker_was_killed_is_swept(place):
    """Scratch removed; those of living workers are locked."""
    dead = place / f"{SCRATCH_PREFIX}dead"
    dead.mkdir()
    (dead / "file").write_text("x")
    living = spawner.Spawner()
    sweep_scratch()

    assert not dead.exists()
    assert Path(living.folder).exists()
    living.close()
    assert not Path(living.folder).exists()


def test_a_folder_is_removed_whatever_its_bot_has_made_of_it(tmp_path):
    folder = tmp_path / "scratch"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "link").symlink_to("/etc")
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)
    remove_tree(str(folder))

    assert not folder.exists()
    assert Path("/etc/passwd").exists()


def test_a_folder_nested_by_the_thousand_is_removed(tmp_path):
    code = "import os\n[(os.mkdir('d'), os.chdir('d')) for _ in range(3000)]"
    folder = tmp_path / "scratch"
    folder.mkdir()
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    remove_tree(str(folder))

    assert not folder.exists()


RUNNER = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}, str(Path({tests!r}).parent)]
from conftest import Room
from tournament.records.settings import Isolation
entries = [{{"name": name, "command": [sys.executable, "-I", "-S", {bot!r}]}} for name in "ab"]
room = Room(Path({base!r}), entries, isolation=Isolation({level!r}), clock={{"move_ms": 60000}})
room.play()
"""


def running(marker):
    """Returns the processes whose command has a text in it."""
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdecimal() and marker.encode() in Path(f"/proc/{name}/cmdline").read_bytes():
                found.append(int(name))
    return found


def wait_until(condition, seconds):
    """Returns whether a condition came true in time."""
    deadline = monotonic() + seconds
    while not condition():
        if monotonic() > deadline:
            return False
        sleep(0.02)
    return True


@pytest.mark.parametrize(
    "trouble",
    [
        "if moves == 2: time.sleep(600)",
        "if moves == 2:\n    signal.signal(15, signal.SIG_IGN)\n    while True: pass",
        DAEMON,
    ],
    ids=["honest", "hanging", "with a daemon"],
)
def test_bots_are_gone_within_two_seconds_of_the_runners_death(trouble, level, raw, tmp_path):
    """After SIGKILL of the runner; daemons too in a sandbox."""
    if trouble == DAEMON:
        if level is Isolation.PROCESS:
            pytest.skip("a daemon outlives its runner at level process: said in docs/isolation.md")
        trouble += "if moves == 2: time.sleep(600)\n"
    bot = raw(trouble + "\nif moves == 2: open('/dev/null')")["command"][-1]
    tests = str(Path(__file__).parent)
    code = RUNNER.format(tests=tests, bot=bot, base=str(tmp_path), level=str(level))
    runner = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)])
    try:
        started = wait_until(lambda: len(running(bot)) >= 3, 30)
        sleep(0.5)
    finally:
        os.kill(runner.pid, signal.SIGKILL)
        runner.wait()
    gone = wait_until(lambda: not running(bot), 2)

    assert started
    assert gone
    sweep_scratch()
